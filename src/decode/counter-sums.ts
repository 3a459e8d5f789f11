// Sums of the counters of all streams by exporter and protocol, streams that were forgotten included, so that they never go back. The first exporters have
// names of their own, up to a bound; the others share one.
import { addCounters, createStreamCounters, type StreamCounters } from './counters.ts'

/** Exporters with a name of their own: anybody may send from any address. */
const namesMax = 100

export interface CounterSum {
  /** An exporter's address, or `other`. */
  exporter: string
  /** Index into `exportProtocols`. */
  exportProtocol: number
  counters: StreamCounters
}

interface StreamCount {
  name: string
  exportProtocol: number
  counters: StreamCounters
}

export class EvictedCounters {
  readonly #names = new Set<string>()
  readonly #sums = new Map<string, CounterSum>()

  /** Name of an exporter, the same as long as the process lives. */
  nameOf(address: string): string {
    if (this.#names.has(address)) return address
    if (this.#names.size >= namesMax) return 'other'
    this.#names.add(address)
    return address
  }

  add(stream: StreamCount): void {
    addTo(this.#sums, stream)
  }

  /** Sums of each exporter and protocol, forgotten streams included. */
  sums(streams: readonly (StreamCount | undefined)[]): Iterable<CounterSum> {
    const sums = new Map<string, CounterSum>()
    for (const { exporter: name, exportProtocol, counters } of this.#sums.values()) {
      addTo(sums, { name, exportProtocol, counters })
    }
    for (const stream of streams) if (stream !== undefined) addTo(sums, stream)
    return sums.values()
  }
}

function addTo(sums: Map<string, CounterSum>, { name, exportProtocol, counters }: StreamCount): void {
  const key = `${exportProtocol} ${name}`
  let sum = sums.get(key)
  if (sum === undefined) {
    sum = { exporter: name, exportProtocol, counters: createStreamCounters() }
    sums.set(key, sum)
  }
  addCounters(sum.counters, counters)
}

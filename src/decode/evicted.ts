// What streams counted that are no more: added up, so that the sums of all streams never go back. Exporters are named by whoever spoke first, for
// good, up to a bound: beyond it they are one.
import { addCounters, createStreamCounters, type StreamCounters } from './counters.ts'

/** Addresses of senders are anyone's choice. */
const namesMax = 100

export interface CounterSum {
  /** An exporter's address, or `other`. */
  exporter: string
  /** Index into `exportProtocols`. */
  exportProtocol: number
  counters: StreamCounters
}

interface Counted {
  name: string
  exportProtocol: number
  counters: StreamCounters
}

export class EvictedCounters {
  readonly #names = new Set<string>()
  readonly #sums = new Map<string, CounterSum>()

  /** By what name the exporter is counted: the same for as long as the process lives. */
  nameOf(address: string): string {
    if (this.#names.has(address)) return address
    if (this.#names.size >= namesMax) return 'other'
    this.#names.add(address)
    return address
  }

  add(stream: Counted): void {
    addTo(this.#sums, stream)
  }

  /** Each exporter and protocol once: what it counted in all its streams, those that are no more included. */
  sums(streams: readonly (Counted | undefined)[]): Iterable<CounterSum> {
    const sums = new Map<string, CounterSum>()
    for (const { exporter: name, exportProtocol, counters } of this.#sums.values()) {
      addTo(sums, { name, exportProtocol, counters })
    }
    for (const stream of streams) if (stream !== undefined) addTo(sums, stream)
    return sums.values()
  }
}

function addTo(sums: Map<string, CounterSum>, { name, exportProtocol, counters }: Counted): void {
  const key = `${exportProtocol} ${name}`
  let sum = sums.get(key)
  if (sum === undefined) {
    sum = { exporter: name, exportProtocol, counters: createStreamCounters() }
    sums.set(key, sum)
  }
  addCounters(sum.counters, counters)
}

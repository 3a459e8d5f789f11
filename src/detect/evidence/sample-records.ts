// A sample of an attack's records, as they came: each has the same chance to be in it (reservoir sampling), by random numbers that are the same in every
// run.
import type { RecordColumns } from '../../aggregate/sealed-slot.ts'
import type { SampleRecord } from '../incidents/incident-report.ts'
import { evidence } from '../lines/evidence.ts'

const { samples: samplesMax } = evidence

/** The columns of a sample, side by side. */
const kept = [
  'address',
  'srcAddr',
  'srcPort',
  'dstPort',
  'ipProto',
  'tcpFlags',
  'packets',
  'bytes',
  'samplingRate',
  'second',
  'lasted',
  'exporter',
] as const

export class SampleRecords {
  readonly #rows = new Float64Array(samplesMax * kept.length)
  #seen = 0
  #state = 0x9e3779b9

  add(records: RecordColumns, row: number): void {
    const place = this.#seen < samplesMax ? this.#seen : Math.floor(this.#random() * (this.#seen + 1))
    this.#seen++
    if (place >= samplesMax) return
    for (let i = 0; i < kept.length; i++) this.#rows[place * kept.length + i] = records[kept[i]][row]
  }

  /** Continues a reported sample of `seen` records. `numberOf` gives the number of an exporter. */
  resume(samples: readonly SampleRecord[], seen: number, numberOf: (address: string) => number): void {
    for (const [place, sample] of samples.slice(0, samplesMax).entries()) {
      const { victim, source, sourcePort, destinationPort, protocol, tcpFlags, packets, bytes, samplingRate } = sample
      const second = sample.startMs / 1000
      const lasted = (sample.endMs - sample.startMs) / 1000
      const exporter = numberOf(sample.exporter)
      const row = [victim, source, sourcePort, destinationPort, protocol, tcpFlags, packets, bytes, samplingRate]
      this.#rows.set([...row, second, lasted, exporter], place * kept.length)
    }
    this.#seen = samples.length < samplesMax ? samples.length : Math.max(samplesMax, seen)
  }

  /** Sets the places of the exporters that they have to 1. */
  markExporters(used: Uint8Array): void {
    const exporterAt = kept.indexOf('exporter')
    const end = Math.min(this.#seen, samplesMax)
    for (let place = 0; place < end; place++) used[this.#rows[place * kept.length + exporterAt]] = 1
  }

  /** The sample in the order of time. `exporterOf` gives the address of a number. */
  list(exporterOf: (exporter: number) => string): SampleRecord[] {
    const samples = Array.from({ length: Math.min(this.#seen, samplesMax) }, (_, i) => {
      const row = this.#rows.subarray(i * kept.length, (i + 1) * kept.length)
      const [victim, source, sourcePort, destinationPort, protocol, tcpFlags, packets, bytes, samplingRate] = row
      const [second, lasted, exporter] = row.subarray(9)
      return {
        startMs: second * 1000,
        endMs: (second + lasted) * 1000,
        source,
        sourcePort,
        victim,
        destinationPort,
        protocol,
        tcpFlags,
        packets,
        bytes,
        samplingRate,
        exporter: exporterOf(exporter),
      }
    })
    return samples.sort((a, b) => a.startMs - b.startMs || a.source - b.source)
  }

  /** A random number from 0 to 1 (exclusive): xorshift (Marsaglia 2003). */
  #random(): number {
    let state = this.#state
    state ^= state << 13
    state ^= state >>> 17
    state ^= state << 5
    this.#state = state
    return (state >>> 0) / 2 ** 32
  }
}

// The sampling rates of an observation domain by their scope: a sampler, an interface, a template, the whole exporter. A rate is the number of packets of which
// one is sampled; 0: unknown.
import { judgeRate, type RateDoubt } from './sampling-doubt.ts'

/** Source of a record's rate. `sample`: an sFlow sample's own; `options`: options data for the whole exporter. */
export const samplingSources = [
  'none',
  'header',
  'record',
  'sampler',
  'interface',
  'template',
  'options',
  'sample',
  'override',
] as const
export type SamplingSource = (typeof samplingSources)[number]

/** Scopes of a rate beside the whole exporter. */
export type SamplingScope = 'sampler' | 'interface' | 'template'

/** One rate of an exporter, as it is kept over restarts and shown. */
export type SamplingEntry =
  | { scope: SamplingScope; id: number; rate: number }
  /** PSAMP: the selector with the rate, in the sequence of selectors that records name. */
  | { scope: 'sequence'; id: number; sampler: number }
  | { scope: 'exporter'; rate: number }

export interface SamplingOptions {
  /** Entries of one stream. */
  entriesMax: number
  /** In place of whatever the exporter tells; 0: none. */
  override: number
  /** Take rates as exported, however odd. */
  asExported: boolean
}

interface SamplingCounters {
  /** Entries turned away by the bound: of the decoder. */
  all: { samplersRefused: number }
  /** Records of the stream whose exporter samples at an unknown rate. */
  stream: { samplingUnknown: number }
}

/** The sampling of one observation domain. */
export class SamplingTable {
  readonly override: number
  /** Where the rate of the last records came from, and the rate. */
  from: SamplingSource
  lastRate = 0
  /** Sampling of the exporter's domain 0, which counts for domains without rates (RFC 7011 section 3.1). */
  parent: SamplingTable | null = null
  /** Counted with these rates, the traffic is more than can be: see `TrafficCheck`. */
  measuredDoubt: RateDoubt | null = null
  /** Rises whenever an entry changes: it is time to save them. */
  version = 0
  readonly #options: SamplingOptions
  readonly #counters: SamplingCounters
  readonly #rates: Record<SamplingScope, Map<number, number>> = {
    sampler: new Map(),
    interface: new Map(),
    template: new Map(),
  }
  readonly #samplerOfSequence = new Map<number, number>()
  /** Doubts about exported rates, by scope and id. */
  readonly #doubts = new Map<string, RateDoubt>()
  #common = 0
  /** The rate as exported. */
  #told = 0
  #commonFrom: SamplingSource = 'none'
  /** How many samplers and interfaces have each rate. */
  readonly #sharers = new Map<number, number>()
  /** Common rate of all samplers and interfaces; 0: they differ, or there are none. */
  #shared = 0
  /** Source of the rate that `#lookUp` found. */
  #found: SamplingSource = 'none'

  constructor(options: SamplingOptions, counters: SamplingCounters) {
    this.#options = options
    this.#counters = counters
    this.override = options.override
    this.from = options.override > 0 ? 'override' : 'none'
    this.lastRate = options.override
  }

  /** Whether flow templates are to be read for their interfaces. */
  get byInterface(): boolean {
    return this.#rates.interface.size > 0
  }

  /**
   * The rate of records that name no sampler or interface: that of the exporter, else that of all samplers and interfaces when they have
   * the same; 0: unknown.
   */
  get rate(): number {
    return this.#common > 0 ? this.#common : this.#shared
  }

  /** A rate for the whole exporter: of options data, or of the header of every datagram. */
  setRate(rate: number, from: SamplingSource): void {
    if (rate === this.#told && from === this.#commonFrom) return
    this.#told = rate
    this.#common = this.#believed('exporter', rate)
    this.#commonFrom = from
    // A header tells it every time: nothing to save.
    if (from === 'options') this.version++
  }

  /** Learns a rate; 0: the scope exists, without a rate. */
  setScoped(scope: SamplingScope, id: number, rate: number): void {
    const rates = this.#rates[scope]
    const known = rates.get(id)
    if (known !== undefined && (known === rate || rate === 0)) return
    if (known === undefined && this.#isFull()) return
    const believed = this.#believed(`${scope} ${id}`, rate)
    if (known === believed) return
    rates.set(id, believed)
    if (scope !== 'template') this.#recount(known, believed)
    this.version++
  }

  setSequence(id: number, sampler: number): void {
    const known = this.#samplerOfSequence.get(id)
    if (known === sampler || (known === undefined && this.#isFull())) return
    this.#samplerOfSequence.set(id, sampler)
    this.version++
  }

  /** The rate for a record that names a sampler, an interface where it came in and one where it left; 0 each: it names none. */
  rateOf(sampler: number, ingress: number, egress: number, template: number): number {
    const { parent } = this
    let rate = this.#lookUp(sampler, ingress, egress, template)
    let from = this.#found
    if (rate < 0 && parent !== null) {
      rate = parent.#lookUp(sampler, ingress, egress, 0)
      from = parent.#found
    }
    if (rate <= 0) {
      const isOn = rate === 0 || sampler > 0 || this.isOn || parent?.isOn === true
      if (isOn) this.#counters.stream.samplingUnknown++
      rate = 0
      from = 'none'
    }
    this.from = from
    this.lastRate = rate
    return rate
  }

  /** Records of a template that names nothing: one rate for all of a set. */
  rateOfSet(template: number, records: number): number {
    const before = this.#counters.stream.samplingUnknown
    const rate = this.rateOf(0, 0, 0, template)
    if (this.#counters.stream.samplingUnknown > before) this.#counters.stream.samplingUnknown = before + records
    return rate
  }

  samplerOf(sequence: number): number {
    return this.#samplerOfSequence.get(sequence) ?? 0
  }

  /** A rate that came with the records themselves. */
  note(from: SamplingSource, rate: number): void {
    if (this.override > 0) return
    this.from = from
    this.lastRate = rate
  }

  /** A rate within a record or sample that differs from the last: the one to count with. */
  ofRecord(told: number): number {
    return told === this.lastRate ? told : this.#believed('record', told)
  }

  /** Why what the exporter tells is hard to believe; empty: it is not. */
  get doubts(): RateDoubt[] {
    const measured = this.measuredDoubt === null ? [] : [this.measuredDoubt]
    return [...new Set([...this.#doubts.values(), ...measured])]
  }

  entries(): SamplingEntry[] {
    const scopes = Object.keys(this.#rates) as SamplingScope[]
    const scoped = scopes.flatMap((scope) => [...this.#rates[scope]].map(([id, rate]) => ({ scope, id, rate })))
    const sequences = [...this.#samplerOfSequence].map(([id, sampler]) => ({ scope: 'sequence' as const, id, sampler }))
    const common = this.#commonFrom === 'options' ? [{ scope: 'exporter' as const, rate: this.#common }] : []
    return [...common, ...scoped, ...sequences]
  }

  /** What was known before a restart. */
  restore(entries: readonly SamplingEntry[]): void {
    for (const entry of entries) {
      if (entry.scope === 'exporter') this.setRate(entry.rate, 'options')
      else if (entry.scope === 'sequence') this.setSequence(entry.id, entry.sampler)
      else this.setScoped(entry.scope, entry.id, entry.rate)
    }
  }

  /** A sampler or interface has another rate. */
  #recount(before: number | undefined, now: number): void {
    const left = before === undefined ? 0 : (this.#sharers.get(before) ?? 0) - 1
    if (before !== undefined && left > 0) this.#sharers.set(before, left)
    else if (before !== undefined) this.#sharers.delete(before)
    this.#sharers.set(now, (this.#sharers.get(now) ?? 0) + 1)
    this.#shared = this.#sharers.size === 1 ? now : 0
  }

  #believed(what: string, told: number): number {
    const { rate, doubt } = judgeRate(told)
    if (doubt !== null) this.#doubts.set(what, doubt)
    else if (this.#doubts.size > 0) this.#doubts.delete(what)
    return this.#options.asExported ? told : rate
  }

  /** Whether the exporter sent anything about sampling. */
  get isOn(): boolean {
    const { sampler, interface: interfaces, template } = this.#rates
    return sampler.size + interfaces.size + template.size + this.#doubts.size > 0
  }

  /** The exported rate; -1: none. Sets `#found`. */
  #lookUp(sampler: number, ingress: number, egress: number, template: number): number {
    const rates = this.#rates
    if (sampler > 0) {
      const rate = rates.sampler.get(sampler)
      this.#found = 'sampler'
      if (rate !== undefined) return rate
    }
    if (rates.interface.size > 0) {
      const rate = rates.interface.get(ingress) ?? rates.interface.get(egress)
      this.#found = 'interface'
      if (rate !== undefined) return rate
    }
    if (rates.template.size > 0) {
      const rate = rates.template.get(template)
      this.#found = 'template'
      if (rate !== undefined) return rate
    }
    this.#found = this.#common > 0 ? this.#commonFrom : rates.sampler.size > 0 ? 'sampler' : 'interface'
    // An unknown sampler or interface has none of the known rates.
    const isNamed = sampler > 0 || (rates.interface.size > 0 && ingress + egress > 0)
    const rate = isNamed ? this.#common : this.rate
    return rate > 0 ? rate : -1
  }

  #isFull(): boolean {
    const { sampler, interface: interfaces, template } = this.#rates
    const size = sampler.size + interfaces.size + template.size + this.#samplerOfSequence.size
    if (size < this.#options.entriesMax) return false
    this.#counters.all.samplersRefused++
    return true
  }
}

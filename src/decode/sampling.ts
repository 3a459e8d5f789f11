// What an observation domain's exporter said of its sampling, and by whom it counts: a sampler, an interface, a template, the whole exporter. A rate
// is "1 of so many packets"; 0: unknown.
import { judgeRate, type RateDoubt } from './sampling-doubt.ts'

/** Where the rate of a record came from. `sample`: an sFlow sample's own; `options`: what was said for the whole exporter. */
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

/** What a rate may be told for beside the whole exporter. */
export type SamplingScope = 'sampler' | 'interface' | 'template'

/** One thing that an exporter said, as it is kept over restarts and shown. */
export type SamplingEntry =
  | { scope: SamplingScope; id: number; rate: number }
  /** PSAMP: records name a sequence of selectors, of which this one tells the rate. */
  | { scope: 'sequence'; id: number; sampler: number }
  | { scope: 'exporter'; rate: number }

export interface SamplingOptions {
  /** Entries of one stream. */
  entriesMax: number
  /** In place of whatever the exporter tells; 0: none. */
  override: number
  /** Take rates as they are told, however odd. */
  asExported: boolean
}

interface SamplingCounters {
  /** Entries turned away by the bound: of the decoder. */
  all: { samplersRefused: number }
  /** Records whose exporter samples, at a rate that it has not told: of the stream. */
  stream: { samplingUnknown: number }
}

/** What one observation domain said of its sampling. */
export class SamplingTable {
  readonly override: number
  /** Where the rate of the last records came from, and the rate. */
  from: SamplingSource
  lastRate = 0
  /** Of the exporter as a whole, for domains that were told nothing: its domain 0 (RFC 7011 section 3.1). */
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
  /** What is hard to believe of what was told, by scope and id. */
  readonly #doubts = new Map<string, RateDoubt>()
  #common = 0
  /** As it was told. */
  #told = 0
  #commonFrom: SamplingSource = 'none'
  /** How many samplers and interfaces have each rate. */
  readonly #sharers = new Map<number, number>()
  /** Of all samplers and interfaces; 0: they differ, or there are none. */
  #shared = 0
  /** Of what `#lookUp` gave. */
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
   * The rate of records that name no sampler or interface: what was said for the exporter, else that of all samplers and interfaces when they have
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

  /** `rate` 0: it exists, and has told none. */
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

  /** Whether the exporter told of sampling at all. */
  get isOn(): boolean {
    const { sampler, interface: interfaces, template } = this.#rates
    return sampler.size + interfaces.size + template.size + this.#doubts.size > 0
  }

  /** What was told; -1: nothing. Sets `#found`. */
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
    // A sampler or interface that is named, and unknown, is none of those that are known.
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

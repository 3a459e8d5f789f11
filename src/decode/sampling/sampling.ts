// The sampling rates of an observation domain by their scope: a sampler, an interface, a template, the whole exporter. A rate is the number of packets of which
// one is sampled; 0: unknown.
import { type JumpCounters, type RateJump, RateJumps } from './rate-jumps.ts'
import type { Sampler, StreamSamplers } from './sampler-places.ts'
import { judgeRate, type RateDoubt } from './sampling-doubt.ts'
import { createToldRate, hear, isLargeChange, none, settleMs, TellingGaps, type ToldRate } from './told-rate.ts'

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

/** What options data tell of: `exporter`, with id 0, is all that the stream samples. */
export type ToldScope = SamplingEntry['scope']

export interface SamplingOptions {
  /** Entries of one stream. */
  entriesMax: number
  /** In place of whatever the exporter tells; 0: none. */
  override: number
  /** Take rates as exported, however odd. */
  asExported: boolean
  /** Places of the entries among those of all streams; null: they are bounded otherwise. */
  places: StreamSamplers | null
}

interface SamplingCounters {
  /** Entries turned away by the bound, and those that made room: of the decoder. */
  all: { samplersRefused: number; samplersEvicted: number }
  /** Records of the stream whose exporter samples at an unknown rate, and what became of large changes. */
  stream: JumpCounters & { samplingUnknown: number }
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
  /** Their last words, whether they count or wait. */
  readonly #told: Record<ToldScope, Map<number, ToldRate>> = {
    sampler: new Map(),
    interface: new Map(),
    template: new Map(),
    sequence: new Map(),
    exporter: new Map(),
  }
  readonly #gaps = new TellingGaps()
  readonly #jumps: RateJumps
  /** When anything was told last. */
  #toldMs = 0
  /** Doubts about exported rates, by scope and id. */
  readonly #doubts = new Map<string, RateDoubt>()
  #common = 0
  /** The rate of the last header as exported. */
  #header = 0
  #commonFrom: SamplingSource = 'none'
  /** How many samplers and interfaces have each rate. */
  readonly #sharers = new Map<number, number>()
  /** Common rate of all samplers and interfaces, and since when; 0: they differ, or there are none. */
  #shared = 0
  #sharedSinceMs = 0
  /** Source of the rate that `#lookUp` found. */
  #found: SamplingSource = 'none'

  constructor(options: SamplingOptions, counters: SamplingCounters) {
    this.#options = options
    this.#counters = counters
    this.#jumps = new RateJumps(counters.stream)
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

  /** The rate in the header of every datagram, which counts for its records alone. */
  setHeaderRate(rate: number): void {
    if (rate === this.#header && this.#commonFrom === 'header') return
    this.#header = rate
    this.#common = this.#believed('exporter', rate)
    this.#commonFrom = 'header'
  }

  /**
   * Options data tell a rate, 0: something has none; or the sampler of a sequence. A first word counts at once, unless it would take the place
   * of a rate in use.
   */
  tell(scope: ToldScope, id: number, told: number, nowMs: number): void {
    this.#toldMs = nowMs
    const value = scope === 'sequence' || this.#options.asExported ? told : judgeRate(told).rate
    const known = this.#told[scope].get(id)
    if (known === undefined) this.#begin(scope, id, value, nowMs)
    // Whoever tells more of a sampler may leave out its rate.
    else if (told > 0) this.#hear(known, scope, id, value, nowMs)
    if (scope !== 'sequence' && this.#told[scope].get(id)?.value === value) this.#noteDoubt(`${scope} ${id}`, told)
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

  /** The last large changes of rates. */
  get jumps(): readonly RateJump[] {
    return this.#jumps.list
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

  /** What was known before: it counts as in use. */
  restore(entries: readonly SamplingEntry[], nowMs: number): void {
    for (const entry of entries) {
      const [id, value] =
        entry.scope === 'exporter'
          ? [0, entry.rate]
          : [entry.id, entry.scope === 'sequence' ? entry.sampler : entry.rate]
      const told = this.#told[entry.scope].has(id) ? null : this.#open(entry.scope, id, nowMs)
      if (told === null) continue
      Object.assign(told, { value, base: value })
      this.#apply(entry.scope, id, told, nowMs)
    }
  }

  /** The stream has worked for minutes. */
  prove(nowMs: number): void {
    for (const { place } of this.#all()) if (place !== null) this.#options.places?.prove(place, nowMs)
  }

  /** The stream is forgotten, and its places are free. */
  leave(): void {
    for (const { place } of this.#all()) if (place !== null) this.#options.places?.leave(place)
  }

  *#all(): Iterable<ToldRate> {
    for (const words of Object.values(this.#told)) yield* words.values()
  }

  /** A first word. */
  #begin(scope: ToldScope, id: number, value: number, nowMs: number): void {
    const told = this.#open(scope, id, nowMs)
    if (told === null) return
    const inUse = this.#options.asExported ? 0 : this.#inUse(nowMs)
    if (inUse > 0 && this.#displaces(scope, inUse, this.#rateOf(scope, value))) {
      Object.assign(told, { base: inUse, waiting: value, waitingMs: nowMs })
      this.#jumps.note('waits', { scope, id, from: inUse, to: this.#rateOf(scope, value) }, nowMs)
      return
    }
    told.value = value
    this.#apply(scope, id, told, nowMs)
  }

  #open(scope: ToldScope, id: number, nowMs: number): ToldRate | null {
    const { places } = this.#options
    if (this.#isFull()) return null
    const sampler: Sampler = { onGiveWay: () => this.#giveWay(scope, id) }
    const place = places?.take(sampler, nowMs) ?? null
    if (places !== null && place === null) {
      this.#counters.all.samplersRefused++
      return null
    }
    const told = createToldRate(place, nowMs)
    this.#told[scope].set(id, told)
    return told
  }

  #hear(known: ToldRate, scope: ToldScope, id: number, value: number, nowMs: number): void {
    if (known.place !== null) this.#options.places?.touch(known.place, nowMs)
    if (value === known.value) this.#gaps.note(nowMs - known.toldMs, nowMs)
    const from = this.#rateOf(scope, known.value === none ? known.base : known.value)
    const waited = known.waiting
    const { asExported } = this.#options
    const isLarge = (a: number, b: number) =>
      !asExported && isLargeChange(this.#rateOf(scope, a), this.#rateOf(scope, b))
    const hearing = hear(known, value, { nowMs, gapMs: this.#gaps.longestMs, isLarge })
    if (hearing === 'taken' || hearing === 'confirmed') this.#apply(scope, id, known, nowMs)
    else this.#share(known, scope, nowMs)
    if (hearing === 'same' || hearing === 'taken' || hearing === 'again') return
    const to = this.#rateOf(scope, hearing === 'contradicted' ? waited : value)
    this.#jumps.note(hearing, { scope, id, from, to }, nowMs)
  }

  /** What is told counts from now on. */
  #apply(scope: ToldScope, id: number, told: ToldRate, nowMs: number): void {
    if (scope === 'exporter') {
      this.#common = told.value
      this.#commonFrom = 'options'
    } else if (scope === 'sequence') this.#samplerOfSequence.set(id, told.value)
    else this.#rates[scope].set(id, told.value)
    this.#share(told, scope, nowMs)
    this.version++
  }

  /** Another took its place: of what is told next the first word counts at once. */
  #giveWay(scope: ToldScope, id: number): void {
    const told = this.#told[scope].get(id)
    if (told === undefined) return
    this.#counters.all.samplersEvicted++
    this.#told[scope].delete(id)
    this.#doubts.delete(`${scope} ${id}`)
    if (told.shared !== none) this.#recount(told.shared, none, this.#toldMs)
    if (scope === 'sequence') this.#samplerOfSequence.delete(id)
    else if (scope !== 'exporter') this.#rates[scope].delete(id)
    else if (this.#commonFrom === 'options') {
      this.#common = 0
      this.#commonFrom = 'none'
    }
  }

  /** A rate by what is told in a scope. */
  #rateOf(scope: ToldScope, value: number): number {
    return scope === 'sequence' ? (this.#rates.sampler.get(value) ?? 0) : value
  }

  /** The rate that records without one of their own have had for a minute; 0: none. */
  #inUse(nowMs: number): number {
    if (this.#common === 0) return nowMs - this.#sharedSinceMs >= settleMs ? this.#shared : 0
    const told = this.#told.exporter.get(0)
    if (told === undefined) return 0
    return told.base > 0 ? told.base : nowMs - told.sinceMs >= settleMs ? told.value : 0
  }

  /** Whether a rate under a name that is new would take the place of the one in use. */
  #displaces(scope: ToldScope, inUse: number, rate: number): boolean {
    const { interface: interfaces, template } = this.#rates
    if (this.#common === 0) {
      // With the first interface, records of all others have no rate any more; records that name another one have none.
      if (scope === 'interface') return interfaces.size === 0
      if (scope === 'sampler' && interfaces.size + template.size === 0) return false
    }
    return isLargeChange(inUse, rate)
  }

  /** Counts a sampler or interface among those that have its rate. One that would end a rate that all have shared for a minute is counted when it is told again. */
  #share(told: ToldRate, scope: ToldScope, nowMs: number): void {
    if ((scope !== 'sampler' && scope !== 'interface') || told.value === none || told.shared === told.value) return
    const isOnly = told.shared === this.#shared && this.#sharers.get(this.#shared) === 1
    const isSettled = this.#shared > 0 && nowMs - this.#sharedSinceMs >= settleMs
    if (isSettled && told.value !== this.#shared && !isOnly && nowMs - told.sinceMs < settleMs) return
    this.#recount(told.shared, told.value, nowMs)
    told.shared = told.value
  }

  #recount(before: number, now: number, nowMs: number): void {
    const left = (this.#sharers.get(before) ?? 0) - 1
    if (left > 0) this.#sharers.set(before, left)
    else this.#sharers.delete(before)
    if (now !== none) this.#sharers.set(now, (this.#sharers.get(now) ?? 0) + 1)
    const [first = 0] = this.#sharers.keys()
    const shared = this.#sharers.size === 1 ? first : 0
    if (shared !== this.#shared) this.#sharedSinceMs = nowMs
    this.#shared = shared
  }

  #believed(what: string, told: number): number {
    this.#noteDoubt(what, told)
    return this.#options.asExported ? told : judgeRate(told).rate
  }

  #noteDoubt(what: string, told: number): void {
    const { doubt } = judgeRate(told)
    if (doubt !== null) this.#doubts.set(what, doubt)
    else if (this.#doubts.size > 0) this.#doubts.delete(what)
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
    const size = Object.values(this.#told).reduce((sum, told) => sum + told.size, 0)
    if (size < this.#options.entriesMax) return false
    this.#counters.all.samplersRefused++
    return true
  }
}

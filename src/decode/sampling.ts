// Sampling rates: what exporters say of them, by whom it counts (a sampler, an interface, a template, the whole exporter), and the rate that
// follows for a record. A rate is "1 of so many packets"; 0: unknown.
import { fillRows } from '../flow/batch.ts'
import type { DatagramContext, FinishStep } from './finish.ts'
import { judgeRate, type RateDoubt } from './sampling-doubt.ts'
import { type Work, type WorkName, workPlace } from './scratch.ts'

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

const rateMax = 2 ** 32

const intervalAt = workPlace('samplingInterval')
const takenAt = workPlace('packetsTaken')
const skippedAt = workPlace('packetsSkipped')
const sizeAt = workPlace('samplingSize')
const populationAt = workPlace('samplingPopulation')
const probabilityAt = workPlace('samplingProbability')

const samplerAt = workPlace('samplerId')
const sequenceAt = workPlace('selectionSequence')
const ingressAt = workPlace('ingressInterface')
const egressAt = workPlace('egressInterface')
const templateAt = workPlace('scopeTemplate')
const rateAt = workPlace('samplingRate')

/** Scratch columns that tell a rate. Those that a template does not have must be 0 in the row. */
export const samplingPlaces: readonly number[] = [intervalAt, takenAt, skippedAt, sizeAt, populationAt, probabilityAt]

/** Columns that options data are read for: rates, and what they are the rates of. */
export const samplingColumns: readonly WorkName[] = [
  'samplingInterval',
  'packetsTaken',
  'packetsSkipped',
  'samplingSize',
  'samplingPopulation',
  'samplingProbability',
  'samplerId',
  'selectionSequence',
  'ingressInterface',
  'scopeTemplate',
]

/** Columns that a flow's template is only read for when its exporter told rates by interface. */
export const interfaceColumns: ReadonlySet<WorkName> = new Set(['ingressInterface', 'egressInterface'])

/** 1 of how many packets, by what the row's exporter said, or 0 when it said nothing (sensible). */
export function rateOfRow(work: Work, row: number): number {
  const size = work[sizeAt][row]
  const population = work[populationAt][row]
  if (size > 0 && population > 0) return sensible(population / size)
  const taken = work[takenAt][row]
  const skipped = work[skippedAt][row]
  if (taken > 0 && skipped > 0) return sensible((taken + skipped) / taken)
  const interval = work[intervalAt][row]
  if (interval > 0) return sensible(interval)
  const probability = work[probabilityAt][row]
  if (probability > 0) return sensible(1 / probability)
  // Alone, the interval is what some exporters mean as "1 of so many".
  return sensible(taken)
}

function sensible(rate: number): number {
  return rate >= 1 && rate <= rateMax ? rate : 0
}

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
  /** Why what the exporter tells is hard to believe; null: it is not. */
  doubt: RateDoubt | null = null
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
  #common = 0
  /** As it was told. */
  #told = 0
  #commonFrom: SamplingSource = 'none'

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

  /** The rate of records that name no sampler or interface: what was said for the exporter, else that of the only sampler; 0: unknown. */
  get rate(): number {
    const { sampler, interface: interfaces } = this.#rates
    if (this.#common > 0 || sampler.size !== 1 || interfaces.size > 0) return this.#common
    for (const rate of sampler.values()) return rate
    return 0
  }

  /** A rate for the whole exporter: of options data, or of the header of every datagram. */
  setRate(rate: number, from: SamplingSource): void {
    if (rate === this.#told && from === this.#commonFrom) return
    this.#told = rate
    this.#common = this.believed(rate)
    this.#commonFrom = from
    // A header tells it every time: nothing to save.
    if (from === 'options') this.version++
  }

  /** `rate` 0: it exists, and has told none. */
  setScoped(scope: SamplingScope, id: number, rate: number): void {
    const rates = this.#rates[scope]
    const known = rates.get(id)
    const believed = this.believed(rate)
    if (known !== undefined && (known === believed || rate === 0)) return
    if (known === undefined && this.#isFull()) return
    rates.set(id, believed)
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
    const rates = this.#rates
    if (sampler > 0) {
      const rate = rates.sampler.get(sampler)
      if (rate !== undefined) return this.#given('sampler', rate)
    }
    if (rates.interface.size > 0) {
      const rate = rates.interface.get(ingress) ?? rates.interface.get(egress)
      if (rate !== undefined) return this.#given('interface', rate)
    }
    if (rates.template.size > 0) {
      const rate = rates.template.get(template)
      if (rate !== undefined) return this.#given('template', rate)
    }
    // A sampler that is named, and unknown, is not the one that is known.
    const rate = sampler > 0 ? this.#common : this.rate
    if (rate > 0) return this.#given(this.#common > 0 ? this.#commonFrom : 'sampler', rate)
    const isOn = sampler > 0 || rates.sampler.size + rates.interface.size + rates.template.size > 0
    if (isOn) this.#counters.stream.samplingUnknown++
    this.from = 'none'
    this.lastRate = 0
    return 0
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

  /** The rate to count with, and the doubt about what was told. */
  believed(told: number): number {
    const { rate, doubt } = judgeRate(told)
    if (doubt !== null) this.doubt = doubt
    return this.#options.asExported ? told : rate
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

  #given(from: SamplingSource, rate: number): number {
    if (rate === 0) this.#counters.stream.samplingUnknown++
    this.from = from
    this.lastRate = rate
    return rate
  }

  #isFull(): boolean {
    const { sampler, interface: interfaces, template } = this.#rates
    const size = sampler.size + interfaces.size + template.size + this.#samplerOfSequence.size
    if (size < this.#options.entriesMax) return false
    this.#counters.all.samplersRefused++
    return true
  }
}

/** The steps that give the records of a template with these columns their rate: their own word first, then what options data said. */
export function samplingSteps(has: (name: WorkName) => boolean, columns: Iterable<WorkName>): FinishStep[] {
  const steps: FinishStep[] = []
  const told = [...columns].map(workPlace).filter((place) => samplingPlaces.includes(place))
  if (told.length > 0) {
    for (const place of samplingPlaces) if (!told.includes(place)) steps.push(zero(place))
    steps.push(rateFromRow)
  }
  const names = (['samplerId', 'selectionSequence', 'ingressInterface', 'egressInterface'] as const).filter(has)
  if (names.length === 0) steps.push(told.length > 0 ? rateOfStreamWhereUnknown : rateOfStream)
  else {
    for (const place of [samplerAt, sequenceAt, ingressAt, egressAt]) {
      if (!names.some((name) => workPlace(name) === place)) steps.push(zero(place))
    }
    steps.push(rateFromNames)
  }
  return steps
}

function zero(place: number): FinishStep {
  return (work, row, count) => fillRows(work[place], row, count, 0)
}

const rateFromRow: FinishStep = (work, row, count, { sampling }) => {
  if (sampling.override > 0) return
  const rates = work[rateAt]
  let last = 0
  for (let i = row; i < row + count; i++) {
    const rate = rateOfRow(work, i)
    if (rate === 0) continue
    // The same rate record by record is judged once.
    last = rate === last || rate === sampling.lastRate ? rate : sampling.believed(rate)
    rates[i] = last
  }
  if (last > 0) sampling.note('record', last)
}

const rateOfStream: FinishStep = (work, row, count, { sampling, template }) => {
  if (sampling.override === 0) fillRows(work[rateAt], row, count, sampling.rateOfSet(template, count))
}

const rateOfStreamWhereUnknown: FinishStep = (work, row, count, { sampling, template }) => {
  if (sampling.override > 0) return
  const rates = work[rateAt]
  for (let i = row; i < row + count; i++) if (rates[i] === 0) rates[i] = sampling.rateOf(0, 0, 0, template)
}

const rateFromNames: FinishStep = (work, row, count, { sampling, template }) => {
  if (sampling.override > 0) return
  const rates = work[rateAt]
  const samplers = work[samplerAt]
  const sequences = work[sequenceAt]
  const ingress = work[ingressAt]
  const egress = work[egressAt]
  for (let i = row; i < row + count; i++) {
    if (rates[i] > 0) continue
    const sampler = samplers[i] > 0 || sequences[i] === 0 ? samplers[i] : sampling.samplerOf(sequences[i])
    rates[i] = sampling.rateOf(sampler, ingress[i], egress[i], template)
  }
}

/** A row of options data: what the exporter says of its sampling. */
export function learnSampling(work: Work, row: number, { sampling }: DatagramContext): void {
  const rate = rateOfRow(work, row)
  const sampler = work[samplerAt][row]
  const sequence = work[sequenceAt][row]
  const ingress = work[ingressAt][row]
  const template = work[templateAt][row]
  if (sequence > 0 && sampler > 0 && rate === 0) sampling.setSequence(sequence, sampler)
  else if (sampler > 0) sampling.setScoped('sampler', sampler, rate)
  else if (rate === 0) return
  else if (ingress > 0) sampling.setScoped('interface', ingress, rate)
  else if (template > 0) sampling.setScoped('template', template, rate)
  else sampling.setRate(rate, 'options')
}

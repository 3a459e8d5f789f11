// Puts passive-DNS records together: which name led to which address, through which aliases, and when all of it held. In bounded memory, since
// an alias may come before what it leads to, or after.

import type { ObservationSource, SavedObservation } from '../bindings/bindings.ts'
import { chainMax } from '../resolve/answer.ts'
import type { PassiveRecord } from './cof.ts'

interface Span<Value> {
  value: Value
  firstMs: number
  lastMs: number
  count: number
  sensor: string
}

interface NameSpans {
  addresses: Span<number>[]
  targets: Span<string>[]
}

export interface FlattenOptions {
  /** The kind of sender that all records came from. */
  source: ObservationSource
  /** Whether the name is of a site: only from such names on is anything followed. */
  wants: (name: string) => boolean
  /** Records of a chain hold together when they were seen at the same time, or so long one after the other. */
  graceMs: number
  /** Values of names of sites, and as many of others, which they may lead to. */
  valuesMax?: number
}

/** Bound for the values of one name. */
const valuesPerNameMax = 256
/** Bound for the records that are read for one name. */
const stepsMax = 2_000
/** The sensor of records that name none. */
const sensorDefault = 'import'

export class Flattening {
  /** Values that there was no room for, and names from which too many ways lead on. */
  omitted = 0
  readonly #options: FlattenOptions
  readonly #valuesMax: number
  readonly #held = new Map<string, NameSpans>()
  #own = 0
  #others = 0

  constructor(options: FlattenOptions) {
    this.#options = options
    this.#valuesMax = options.valuesMax ?? 150_000
  }

  /** False: the name is of no site, and counts only where one of a site leads there. */
  add(record: PassiveRecord): boolean {
    const isOwn = this.#options.wants(record.name)
    const held = this.#held.get(record.name) ?? { addresses: [], targets: [] }
    const count = held.addresses.length + held.targets.length
    for (const value of record.addresses) this.#hold(held.addresses, { ...record, value }, isOwn)
    for (const value of record.targets) this.#hold(held.targets, { ...record, value }, isOwn)
    if (held.addresses.length + held.targets.length > count) this.#held.set(record.name, held)
    return isOwn
  }

  #hold<Value>(list: Span<Value>[], { value, firstMs, lastMs, count, sensor }: Span<Value>, isOwn: boolean): void {
    // Seen at two times with a long break between, it is two.
    const known = list.find(
      (each) =>
        each.value === value && Math.max(each.firstMs, firstMs) - Math.min(each.lastMs, lastMs) <= this.#graceMs,
    )
    if (known !== undefined) {
      known.firstMs = Math.min(known.firstMs, firstMs)
      known.lastMs = Math.max(known.lastMs, lastMs)
      known.count = Math.max(known.count, count)
      return
    }
    if (list.length >= valuesPerNameMax || (isOwn ? this.#own : this.#others) >= this.#valuesMax) {
      this.omitted++
      return
    }
    if (isOwn) this.#own++
    else this.#others++
    list.push({ value, firstMs, lastMs, count, sensor })
  }

  get #graceMs(): number {
    return this.#options.graceMs
  }

  /** Where the names of sites led, as far as the records tell. */
  *observations(): Generator<SavedObservation> {
    for (const name of this.#held.keys()) if (this.#options.wants(name)) yield* this.#from(name)
  }

  *#from(name: string): Generator<SavedObservation> {
    const whole = { fromMs: 0, untilMs: Number.POSITIVE_INFINITY, count: Number.POSITIVE_INFINITY, sensor: '' }
    const open = [{ at: name, chain: [] as string[], ...whole }]
    for (let steps = 0; open.length > 0; ) {
      const way = open.pop()
      const held = way && this.#held.get(way.at)
      if (way === undefined || held === undefined) continue
      steps += held.addresses.length + held.targets.length
      if (steps > stepsMax) {
        this.omitted++
        return
      }
      const onward = <Value>(seen: Span<Value>) => ({
        fromMs: Math.max(way.fromMs, seen.firstMs),
        untilMs: Math.min(way.untilMs, seen.lastMs),
        count: Math.min(way.count, seen.count),
        sensor: way.sensor || seen.sensor,
      })
      const holds = ({ fromMs, untilMs }: { fromMs: number; untilMs: number }) => fromMs - untilMs <= this.#graceMs
      for (const seen of held.addresses) {
        const next = onward(seen)
        if (holds(next))
          yield observation({ name, chain: way.chain, address: seen.value, source: this.#options.source }, next)
      }
      if (way.chain.length >= chainMax) continue
      for (const seen of held.targets) {
        const next = onward(seen)
        const isLoop = seen.value === name || way.chain.includes(seen.value)
        if (!isLoop && holds(next)) open.push({ at: seen.value, chain: [...way.chain, seen.value], ...next })
      }
    }
  }
}

function observation(
  where: Pick<SavedObservation, 'name' | 'chain' | 'address' | 'source'>,
  { fromMs, untilMs, count, sensor }: { fromMs: number; untilMs: number; count: number; sensor: string },
): SavedObservation {
  return {
    ...where,
    firstMs: fromMs,
    fromMs,
    confirmedMs: Math.max(fromMs, untilMs),
    // It is not told.
    ttlSeconds: 0,
    count,
    sensor: sensor || sensorDefault,
  }
}

// Zones that no resolver can answer for, as when their own servers are down: while no answer comes for a zone, one of its names is asked
// now and then, ever more seldom, in place of all of them.
import { getDomain } from 'tldts'

export interface ZoneBackOffOptions {
  firstMs: number
  longestMs: number
}

interface Zone {
  /** In a row, of whichever names. */
  failures: number
  /** Names that were asked in place of all since. */
  probes: number
  heldUntilMs: number
  /** When a failure last stood for all names of the zone. */
  stoodMs: number
}

/** What a failure holds is held for much longer: see `names.graceSeconds`. */
const standMs = 5_000
/** A few broken names are not a broken zone. */
const failuresMax = 8

/** The domain that was registered and the name lies in; of a name without one the name itself. */
export function zoneOf(name: string): string {
  return getDomain(name, { allowPrivateDomains: true }) ?? name
}

export class ZoneBackOff {
  readonly #options: ZoneBackOffOptions
  /** Those of which the last that was heard is a failure: no more than there are names. */
  readonly #failing = new Map<string, Zone>()

  constructor(options: ZoneBackOffOptions) {
    this.#options = options
  }

  /** Zones that are asked for by one name. */
  get size(): number {
    let size = 0
    for (const { failures } of this.#failing.values()) if (failures >= failuresMax) size++
    return size
  }

  isHeld(zone: string, nowMs: number): boolean {
    return (this.#failing.get(zone)?.heldUntilMs ?? Number.NEGATIVE_INFINITY) > nowMs
  }

  /** A name of the zone is asked: if for all of them, the next has to wait longer. */
  asked(zone: string, nowMs: number): void {
    const found = this.#failing.get(zone)
    if (found === undefined || found.failures < failuresMax || found.heldUntilMs > nowMs) return
    found.probes++
    found.heldUntilMs = nowMs + Math.min(this.#options.firstMs * 2 ** found.probes, this.#options.longestMs)
  }

  answered(zone: string): void {
    this.#failing.delete(zone)
  }

  failed(zone: string, nowMs: number): void {
    const found = this.#failing.get(zone) ?? {
      ...{ failures: 0, probes: 0, heldUntilMs: Number.NEGATIVE_INFINITY, stoodMs: Number.NEGATIVE_INFINITY },
    }
    this.#failing.set(zone, found)
    found.failures++
    if (found.failures === failuresMax) found.heldUntilMs = nowMs + this.#options.firstMs
  }

  /**
   * Whether a failure of now stands for all names of the zone, which are not asked. Of those that come close together, as of names that lead to an attacked
   * address, one does: the names of a zone may be many.
   */
  standsForAll(zone: string, nowMs: number): boolean {
    const found = this.#failing.get(zone)
    if (found === undefined || found.heldUntilMs <= nowMs || Math.abs(nowMs - found.stoodMs) < standMs) return false
    found.stoodMs = nowMs
    return true
  }

  /** Forgets the zones that no name lies in any more. */
  keep(zones: Pick<ReadonlyMap<string, unknown>, 'has'>): void {
    for (const zone of this.#failing.keys()) if (!zones.has(zone)) this.#failing.delete(zone)
  }

  shift(byMs: number): void {
    for (const zone of this.#failing.values()) zone.heldUntilMs += byMs
  }
}

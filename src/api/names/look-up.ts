// Where a name led, or what led to an address: from memory and from the store, and of that what a caller may see.
import { passiveRecordsMax } from '../../contract/limits.ts'
import type { Binding, NameOrAddress, ObservationSource } from '../../names/bindings/bindings.ts'
import { canonicalOwner, type Sighting } from '../../names/passive-dns/cof.ts'
import { parseKey } from '../../net/address.ts'
import { ancestors } from '../../net/hostname.ts'
import type { Store, User } from '../../store/store.ts'
import { ProblemError } from '../http/problem.ts'

/** Who knows where names lead now, and who may see it: see `Names`. */
export interface NameRecords {
  known(asked: NameOrAddress): Record<'asked' | 'observed', Binding[]>
  /** Whether the name is without some of its addresses, since there are too many of all names. */
  isCrowdedOut(name: string): boolean
  /** `asked`: our resolvers said so, not others. */
  mayShow(userId: string, binding: { name: string; address: number; confirmedMs: number }, asked: boolean): boolean
}

/** A sighting, the sensor told, with who had it, and until when it holds. */
export interface NameRecord extends Sighting {
  isAsked: boolean
  source: ObservationSource
  /** Unix milliseconds; 0: it is of the past. */
  validToMs: number
}

export interface NameLookUpOptions {
  store: Pick<Store, 'bindingsOf' | 'observationsOf' | 'listSites'>
  names: NameRecords
}

export class NameLookUp {
  readonly #options: NameLookUpOptions

  constructor(options: NameLookUpOptions) {
    this.#options = options
  }

  /** What memory has is later than what the store has; together it is all. */
  async known(asked: NameOrAddress): Promise<Record<'asked' | 'observed', NameRecord[]>> {
    const { store, names } = this.#options
    const now = names.known(asked)
    const [bindings, observations] = await Promise.all([
      store.bindingsOf(asked, passiveRecordsMax),
      store.observationsOf(asked, passiveRecordsMax),
    ])
    const past = { validToMs: 0 }
    return {
      asked: [
        ...now.asked.map((each) => ({ ...each, isAsked: true })),
        ...bindings.map((each) => ({
          ...each,
          ...past,
          firstMs: each.fromMs,
          source: 'found' as const,
          sensor: '',
          isAsked: true,
        })),
        // How often we asked ourselves is no measure of anything.
      ].map((each) => ({ ...each, count: null })),
      observed: [
        ...now.observed.map((each) => ({ ...each, isAsked: false })),
        ...observations.map((each) => ({ ...each, ...past, isAsked: false })),
      ],
    }
  }

  /** What the caller's own sites tell, since they were added or enabled. */
  async visible(caller: User, known: Record<'asked' | 'observed', NameRecord[]>): Promise<NameRecord[]> {
    const { store, names } = this.#options
    const sites = await store.listSites(caller.id)
    const watchedMs = new Map(sites.filter(({ enabled }) => enabled).map(({ host, watchedMs }) => [host, watchedMs]))
    return [...known.asked, ...known.observed].flatMap((each): NameRecord[] => {
      const { name, firstMs, confirmedMs } = each
      const times = sitesOver(name).flatMap((host) => watchedMs.get(host) ?? [])
      const fromMs = Math.min(...times)
      if (times.length === 0 || confirmedMs < fromMs || !names.mayShow(caller.id, each, each.isAsked)) return []
      return [{ ...each, firstMs: Math.max(firstMs, fromMs), count: firstMs >= fromMs ? each.count : null }]
    })
  }
}

/** Each pair of a name and an address once, as it was confirmed last, from when it was first seen. */
export function united(known: readonly NameRecord[]): NameRecord[] {
  const pairs = new Map<string, NameRecord>()
  for (const each of known) {
    const key = `${each.name} ${each.address} ${each.isAsked}`
    const other = pairs.get(key) ?? each
    const latest = each.confirmedMs > other.confirmedMs ? each : other
    pairs.set(key, {
      ...latest,
      firstMs: Math.min(each.firstMs, other.firstMs),
      validToMs: Math.max(each.validToMs, other.validToMs),
    })
  }
  return [...pairs.values()]
}

/** The sites that a name may belong to. */
export function sitesOver(name: string): string[] {
  return [name, ...[name, ...ancestors(name)].map((zone) => `*.${zone}`)]
}

export function parseQuestion(question: string): NameOrAddress {
  const address = parseKey(question)
  if (address !== null) return { address }
  const name = canonicalOwner(question)
  if (name === null) throw new ProblemError('BAD_REQUEST', 'The path does not end in a domain name or an IPv4 address')
  return { name }
}

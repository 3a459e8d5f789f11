// Collects every site of a user that an attack on an address touches: the addresses and networks that hold it, the names that led to it, and the
// wildcards above such names. `attribute` names the event after the best of them; the event belongs to the pages of all.
import { ancestors } from '../../net/hostname.ts'
import type { Binding } from './bindings.ts'
import type { SiteIndex } from './site-index.ts'

/** Bound of the sites of an event: on an address that serves more of them, those beyond it are left out. */
export const touchedMax = 1_000

/** The name sites of one user that bindings lead through. Zones are looked up once, however many names of them lead there. */
export class TouchedNames {
  readonly #index: Pick<SiteIndex, 'names' | 'wildcards'>
  readonly #userId: string
  readonly #zones = new Set<string>()
  readonly sites = new Set<string>()

  constructor(index: Pick<SiteIndex, 'names' | 'wildcards'>, userId: string) {
    this.#index = index
    this.#userId = userId
  }

  /** The name itself and each alias target on the way. */
  add({ name, chain }: Pick<Binding, 'name' | 'chain'>): void {
    this.#addName(name)
    for (const target of chain) this.#addName(target)
  }

  #addName(name: string): void {
    if (this.#index.names.get(name)?.has(this.#userId) === true) this.sites.add(name)
    this.#addZone(name)
    const parent = name.slice(name.indexOf('.') + 1)
    if (this.#zones.has(parent)) return
    for (const zone of ancestors(name)) {
      this.#zones.add(zone)
      this.#addZone(zone)
    }
  }

  #addZone(zone: string): void {
    if (this.#index.wildcards.get(zone)?.has(this.#userId) === true) this.sites.add(`*.${zone}`)
  }
}

/** The best site first, the others in the order of the alphabet, each once. */
export function orderedSites(best: string, others: Iterable<string>): string[] {
  const rest = new Set(others)
  rest.delete(best)
  return [best, ...[...rest].toSorted().slice(0, touchedMax - 1)]
}

// The sources of an event with where they are, and what they come to by country and by network. Pure.
import type { EventListEntry, EventOrigins, EventSource } from '../contract/event-schemas.ts'
import type { Place } from '../geo/place.ts'

/** Who knows where addresses are. */
export interface Places {
  /** Nothing can be asked without. */
  readonly isKnown: boolean
  placeOf(address: number): Place
}

export function presentSources(entries: readonly EventListEntry[], places: Places): EventSource[] {
  return entries.map((entry) => ({ ...entry, ...places.placeOf(entry.item) }))
}

/** Null: nothing is known of any place. */
export function presentOrigins(sources: readonly EventSource[], { isKnown }: Places): EventOrigins | null {
  if (!isKnown) return null
  const countries = Map.groupBy(sources, ({ country }) => country)
  const systems = Map.groupBy(sources, ({ as }) => as?.number ?? null)
  return {
    countries: [...countries].map(([country, of]) => ({ country, ...sumOf(of) })).sort(byPackets),
    systems: [...systems.values()].map((of) => ({ as: of[0].as, ...sumOf(of) })).sort(byPackets),
  }
}

function sumOf(sources: readonly EventSource[]) {
  const sum = (key: 'flows' | 'packets' | 'bytes') => sources.reduce((all, each) => all + each[key], 0)
  return { sources: sources.length, flows: sum('flows'), packets: sum('packets'), bytes: sum('bytes') }
}

function byPackets(a: { packets: number }, b: { packets: number }): number {
  return b.packets - a.packets
}

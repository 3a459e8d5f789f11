// The sources of an event with where they are, and what they come to by country and by network. Pure.

import type { EventListEntry, EventSource } from '../../contract/events/event.ts'
import type { EventInterfaces, EventOrigins, EventSystems } from '../../contract/events/origins.ts'
import type { InterfaceEntry, Statistics } from '../../detect/incidents/incident-report.ts'
import type { Place } from '../../geo/place.ts'

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

/** By the exporters' word; names are those that databases have for the systems of single sources. */
export function presentSystems(
  { sourceAs, flowsMissedMax }: Pick<Statistics, 'sourceAs' | 'flowsMissedMax'>,
  sources: readonly EventSource[],
): EventSystems {
  const names = new Map(sources.flatMap(({ as }) => (as === null ? [] : [[as.number, as.name]])))
  return {
    flowsMissedMax: flowsMissedMax.sourceAs,
    entries: sourceAs.map(({ item, flows, packets, bytes }) => {
      return { as: { number: item, name: names.get(item) ?? '' }, flows, packets, bytes }
    }),
  }
}

export function presentInterfaces(entries: readonly InterfaceEntry[], flowsMissedMax: number): EventInterfaces {
  return {
    flowsMissedMax,
    entries: entries.map(({ address, index, ...amounts }) => {
      return { exporter: address === '' ? null : address, interface: index, ...amounts }
    }),
  }
}

function sumOf(sources: readonly EventSource[]) {
  const sum = (key: 'flows' | 'packets' | 'bytes') => sources.reduce((all, each) => all + each[key], 0)
  return { sources: sources.length, flows: sum('flows'), packets: sum('packets'), bytes: sum('bytes') }
}

function byPackets(a: { packets: number }, b: { packets: number }): number {
  return b.packets - a.packets
}

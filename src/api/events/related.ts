// Which other events of a user have to do with one: by site, by victim, by time, by sources. Tests have to do with tests alone.
import { setImmediate as nextTurn } from 'node:timers/promises'
import type { EventDetail, EventFilter, EventSummary, Store } from '../../store/store.ts'

export type Relation = 'site' | 'address' | 'time' | 'sources'

export interface RelatedEvent {
  event: EventSummary
  because: Relation[]
}

const ofEachKind = 10
const relatedMax = 20
const nearMs = 3_600_000
/** Heaviest sources that both must have in common: a single one may be a resolver that everybody asks. */
const heaviest = 20
const commonMin = 3

/** Those with most in common first, then the latest. Sources are compared of what is related otherwise: to read those of all would be too much. */
export async function relatedEvents(
  store: Pick<Store, 'eventsBetween' | 'eventById'>,
  event: EventDetail,
): Promise<RelatedEvent[]> {
  const latest = (filter: EventFilter, window = { fromMs: -1, toMs: -1 }) =>
    store.eventsBetween(event.userId, {
      fromMs: window.fromMs < 0 ? null : window.fromMs,
      toMs: window.toMs < 0 ? null : window.toMs,
      filter: { ...filter, isTest: event.isTest },
      isDescending: true,
      after: null,
      limit: ofEachKind + 1,
    })
  const candidates = [
    ...(await latest({ site: event.site })),
    ...(await latest({ address: event.address })),
    ...(await latest({}, { fromMs: event.createdMs - nearMs, toMs: event.createdMs + nearMs })),
  ]
  const distinct = new Map(candidates.map((each) => [each.id, each]))
  distinct.delete(event.id)
  const related: RelatedEvent[] = []
  for (const each of distinct.values()) {
    // Details are large, and the store answers at once: others get their turn in between.
    await nextTurn()
    const detail = await store.eventById(event.userId, each.id)
    related.push({ event: each, because: relationsOf(event, each, detail) })
  }
  return related
    .filter(({ because }) => because.length > 0)
    .sort((a, b) => b.because.length - a.because.length || b.event.createdMs - a.event.createdMs)
    .slice(0, relatedMax)
}

function relationsOf(event: EventDetail, other: EventSummary, detail: EventDetail | null): Relation[] {
  const isSo: Record<Relation, boolean> = {
    site: event.sites.some((site) => detail?.sites.includes(site) === true),
    address: event.address === other.address,
    time: Math.abs(event.startMs - other.startMs) < nearMs,
    sources: detail !== null && commonSources(event, detail) >= commonMin,
  }
  return (['site', 'address', 'time', 'sources'] as const).filter((relation) => isSo[relation])
}

function commonSources(a: EventDetail, b: EventDetail): number {
  const sources = new Set(heaviestOf(a))
  return heaviestOf(b).filter((source) => sources.has(source)).length
}

function heaviestOf({ statistics }: EventDetail): number[] {
  return statistics.sourceAddress.slice(0, heaviest).map(({ item }) => item)
}

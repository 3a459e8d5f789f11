// The endpoint that looks at everything at once.
import type { Clock } from '../../clock.ts'
import type { Overview } from '../../contract/overview.ts'
import { formatTime } from '../../contract/time.ts'
import type { EventFilter, SiteFilter, Store } from '../../store/store.ts'
import { presentOverview, presentSpan } from '../events/present.ts'
import type { Handlers } from '../http/endpoints.ts'
import type { Health } from '../http/health.ts'
import { Renewed } from '../limits/kept-answer.ts'
import type { SiteWatch } from '../sites/report.ts'
import { UserTraffic } from '../traffic/user-traffic.ts'
import { latestEvents, notesOn } from './latest-events.ts'
import { findOpenAttacks } from './open-attacks.ts'

export interface GetOverviewParts {
  store: Pick<
    Store,
    'listSites' | 'findSites' | 'eventsBetween' | 'notesOf' | 'coursesOf' | 'countEvents' | 'mostAttacked' | 'sumSeries'
  >
  clock: Clock
  siteWatch: Pick<SiteWatch, 'addressesOf' | 'lastDatagramMs'>
  health: () => Health | Promise<Health>
}

const dayMs = 86_400_000
const weekMs = 7 * dayMs
/** Exporters tell of something every minute at least, or nothing is to be seen. */
const silentMs = 120_000
const attacksMax = 200
/** What is simulated counts nowhere. */
const real = { isTest: false }

export function createOverviewHandlers({
  store,
  clock,
  siteWatch: watch,
  health,
}: GetOverviewParts): Handlers<'getOverview'> {
  const traffic = new UserTraffic({ store, clock, watch })
  const renewed = new Renewed({
    clock,
    keptMs: 60_000,
    find: async (userId) => ({
      traffic: await traffic.of(userId),
      most: await store.mostAttacked(userId, clock.now() - weekMs),
    }),
  })

  return {
    getOverview: async (_input, { id }) => {
      const nowMs = clock.now()
      const heardMs = watch.lastDatagramMs()
      const sites = (filter: SiteFilter) => store.findSites(id, { filter, after: '', limit: 0 })
      // All at once: each may have to wait for others.
      const [open, counts, ended, latest, { total: count }, { total: enabled }, { traffic: ofDay, most }] =
        await Promise.all([
          findOpenAttacks(store, id),
          countsOf(store, id, nowMs),
          latestEvents(store, id, { filter: { isOpen: false }, fromMs: nowMs - dayMs, limit: attacksMax }),
          latestEvents(store, id, { filter: real, limit: 1 }),
          sites({}),
          sites({ enabled: true }),
          renewed.of(id),
        ])
      const events = { ...counts, openAcknowledged: open.acknowledged, openDismissed: open.dismissed }
      const attacks = [...open.events, ...ended].sort((a, b) => b.startMs - a.startMs).slice(0, attacksMax)
      const notes = await notesOn(store, id, [...attacks, ...latest])
      const [last] = latest.map((event) => presentOverview(event, notes.get(event.id)))
      const { ready } = await health()
      const seen = { enabled, isReady: ready, isQuiet: isSilent(heardMs, nowMs) }
      const body: Overview = {
        posture: postureOf({ attacks: events.open - open.dismissed, ...seen }),
        lastDatagramAt: heardMs === null ? null : formatTime(heardMs),
        sites: { count, enabled },
        events,
        open: open.shown,
        lastEvent: last ?? null,
        traffic: ofDay,
        attacks: attacks.map((event) => presentSpan(event, notes.get(event.id))),
        topSites: most.sites,
        topVectors: most.labels.map(({ label, events: times }) => ({ attackType: label, events: times })),
      }
      return { body }
    },
  }
}

/** The numbers of the user's real events, by when they began and whether somebody has acknowledged them. */
async function countsOf(store: Pick<Store, 'countEvents'>, userId: string, nowMs: number) {
  const count = (fromMs: number, toMs: number | null, filter: EventFilter = {}) =>
    store.countEvents(userId, { fromMs, toMs, filter: { ...real, ...filter } })
  const [open, unacknowledged, lastDay, dayBefore, lastWeek] = await Promise.all([
    count(0, null, { isOpen: true }),
    count(nowMs - weekMs, null, { isAcknowledged: false }),
    count(nowMs - dayMs, null),
    count(nowMs - 2 * dayMs, nowMs - dayMs),
    count(nowMs - weekMs, null),
  ])
  return { open, unacknowledged, lastDay, dayBefore, lastWeek }
}

/** `heardMs`: when the last datagram of an exporter came; null: none has. */
export function isSilent(heardMs: number | null, nowMs: number): boolean {
  return heardMs === null || nowMs - heardMs > silentMs
}

/** An attack is an attack, also when nothing more is heard. */
function postureOf(now: { attacks: number; enabled: number; isReady: boolean; isQuiet: boolean }): Overview['posture'] {
  const { attacks, enabled, isReady, isQuiet } = now
  if (attacks > 0) return 'attack'
  if (enabled === 0) return 'no-sites'
  if (!isReady) return 'not-ready'
  return isQuiet ? 'no-flows' : 'calm'
}

// The endpoints that look at everything at once: overview, search, status.
import type { Clock } from '../../clock.ts'
import type { Overview, overviewEndpoints, Status } from '../../contract/overview.ts'
import { formatTime } from '../../contract/time.ts'
import { formatKey, parseKey } from '../../net/address.ts'
import type { EventFilter, EventSummary, Store } from '../../store/store.ts'
import { presentOverview, presentSpan } from '../events/present.ts'
import { readOtherTexts } from '../events/window.ts'
import type { Exporters } from '../exporters/exporters.ts'
import type { Handlers } from '../http/endpoints.ts'
import type { Health } from '../http/health.ts'
import { QueryReader } from '../http/query.ts'
import { Renewed } from '../limits/kept-answer.ts'
import type { SiteWatch } from '../sites/report.ts'
import type { Targets } from '../targets/targets.ts'
import { UserTraffic } from '../traffic/user-traffic.ts'
import { findOpenAttacks } from './open-attacks.ts'

/** What there is to know of the service as a whole. */
export interface Installation {
  version: string
  /** Unix milliseconds. */
  startedMs: number
  retentionDays: { events: number; series: number; bindings: number }
  /** Where flows are expected, as bound. */
  listeners(): { protocol: 'netflow' | 'ipfix' | 'sflow'; host: string; port: number }[]
  /** Addresses of this machine without loopback. */
  addresses(): string[]
}

export interface OverviewParts {
  store: Pick<
    Store,
    | 'listSites'
    | 'findSites'
    | 'bestSites'
    | 'eventsBetween'
    | 'eventById'
    | 'notesOf'
    | 'coursesOf'
    | 'countEvents'
    | 'mostAttacked'
    | 'sumSeries'
    | 'sizeBytes'
  >
  clock: Clock
  siteWatch: Pick<SiteWatch, 'addressesOf' | 'lastDatagramMs'>
  targets: Pick<Targets, 'waysTo'>
  exporters: Pick<Exporters, 'list'>
  health: () => Health | Promise<Health>
  installation: Installation
}

const dayMs = 86_400_000
const weekMs = 7 * dayMs
/** Exporters tell of something every minute at least, or nothing is to be seen. */
const silentMs = 120_000
const attacksMax = 200
const foundMax = 5
/** What is simulated counts nowhere. */
const real = { isTest: false }

export function overviewHandlers(options: OverviewParts): Handlers<keyof typeof overviewEndpoints> {
  const { store, clock, siteWatch: watch, targets, exporters, health, installation } = options
  const traffic = new UserTraffic({ store, clock, watch })
  const renewed = new Renewed({
    clock,
    keptMs: 60_000,
    find: async (userId) => ({
      traffic: await traffic.of(userId),
      most: await store.mostAttacked(userId, clock.now() - weekMs),
    }),
  })

  const latest = (userId: string, filter: EventFilter, { fromMs, limit }: { fromMs: number | null; limit: number }) =>
    store.eventsBetween(userId, { fromMs, toMs: null, filter, isDescending: true, after: null, limit })

  const notesOf = (userId: string, events: readonly EventSummary[]) =>
    store.notesOf(
      userId,
      events.map(({ id }) => id),
    )

  const presented = async (userId: string, events: readonly EventSummary[]) => {
    const notes = await notesOf(userId, events)
    return events.map((event) => presentOverview(event, notes.get(event.id)))
  }

  return {
    getOverview: async (_input, { id }) => {
      const nowMs = clock.now()
      const heardMs = watch.lastDatagramMs()
      const open = await findOpenAttacks(store, id)
      const events = {
        open: await store.countEvents(id, { fromMs: 0, toMs: null, filter: { ...real, isOpen: true } }),
        openAcknowledged: open.acknowledged,
        openDismissed: open.dismissed,
        unacknowledged: await store.countEvents(id, {
          fromMs: nowMs - weekMs,
          toMs: null,
          filter: { ...real, isAcknowledged: false },
        }),
        lastDay: await store.countEvents(id, { fromMs: nowMs - dayMs, toMs: null, filter: real }),
        dayBefore: await store.countEvents(id, { fromMs: nowMs - 2 * dayMs, toMs: nowMs - dayMs, filter: real }),
        lastWeek: await store.countEvents(id, { fromMs: nowMs - weekMs, toMs: null, filter: real }),
      }
      const ended = await latest(id, { isOpen: false }, { fromMs: nowMs - dayMs, limit: attacksMax })
      const attacks = [...open.events, ...ended].sort((a, b) => b.startMs - a.startMs).slice(0, attacksMax)
      const notes = await notesOf(id, attacks)
      const [last] = await presented(id, await latest(id, real, { fromMs: null, limit: 1 }))
      const { total: count } = await store.findSites(id, { filter: {}, after: '', limit: 0 })
      const { total: enabled } = await store.findSites(id, { filter: { enabled: true }, after: '', limit: 0 })
      const { traffic: ofDay, most } = await renewed.of(id)
      const body: Overview = {
        posture: postureOf({ attacks: events.open - open.dismissed, enabled, isQuiet: isSilent(heardMs, nowMs) }),
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

    search: async ({ query, isAdmin }, { id }) => {
      const reader = new QueryReader(query)
      const text = reader.text('q', 100)
      if (reader.errors.length === 0 && (text === null || text === '')) {
        reader.errors.push({ parameter: 'q', detail: 'It must not be empty' })
      }
      const others = readOtherTexts(reader)
      reader.check()
      const wanted = text ?? ''
      const address = parseKey(wanted)
      const sites = await store.bestSites(id, wanted, foundMax)
      const byId = /^[0-9a-f]{24}$/.test(wanted) ? await store.eventById(id, wanted) : null
      const filter = address === null ? { texts: [wanted, ...others] } : { victimOrSource: address }
      const events = byId === null ? await latest(id, filter, { fromMs: null, limit: foundMax }) : [byId]
      const ways = address === null ? [] : [...new Set(targets.waysTo(id, address).map(({ site }) => site))]
      const isShown = address !== null && (ways.length > 0 || isAdmin)
      const known = isAdmin ? exporters.list().map((each) => each.address) : []
      const body = {
        sites: sites.map(({ host, enabled }) => ({ host, isEnabled: enabled })),
        events: await presented(id, events),
        addresses: isShown ? [{ address: formatKey(address), sites: ways }] : [],
        exporters: known.filter((each) => each.includes(wanted)).slice(0, foundMax),
      }
      return { body }
    },

    getStatus: async ({ isAdmin }) => {
      const { version, startedMs, retentionDays } = installation
      const { ready, checks } = await health()
      const own: Status['installation'] = isAdmin
        ? {
            checks: Object.entries(checks).map(([name, { ok, detail }]) => ({ name, ok, detail })),
            listeners: installation.listeners(),
            addresses: installation.addresses(),
            retentionDays,
            storeBytes: await store.sizeBytes(),
          }
        : null
      const uptimeSeconds = Math.max(0, Math.floor((clock.now() - startedMs) / 1000))
      return { body: { version, startedAt: formatTime(startedMs), uptimeSeconds, ready, installation: own } }
    },
  }
}

/** `heardMs`: when the last datagram of an exporter came; null: none has. */
export function isSilent(heardMs: number | null, nowMs: number): boolean {
  return heardMs === null || nowMs - heardMs > silentMs
}

/** An attack is an attack, also when nothing more is heard. */
function postureOf(now: { attacks: number; enabled: number; isQuiet: boolean }): Overview['posture'] {
  const { attacks, enabled, isQuiet } = now
  if (attacks > 0) return 'attack'
  if (enabled === 0) return 'no-sites'
  return isQuiet ? 'no-flows' : 'calm'
}

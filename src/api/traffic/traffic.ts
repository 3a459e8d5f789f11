// The endpoint of traffic over time: of a site or of all, in steps, taken apart, beside the time before, with the attacks in it.

import { canonicalHost } from '../../access/host-record.ts'
import type { Clock } from '../../clock.ts'
import { trafficDaysMax, trafficParts, trafficSteps } from '../../contract/limits.ts'
import { formatTime } from '../../contract/time.ts'
import type { Traffic, trafficEndpoints } from '../../contract/traffic.ts'
import { formatKey } from '../../net/address.ts'
import type { SeriesWindow, Site, Store, User } from '../../store/store.ts'
import { presentSpan } from '../events/present.ts'
import type { Handlers, RawQuery } from '../http/endpoints.ts'
import { ProblemError } from '../http/problem.ts'
import { QueryReader } from '../http/query.ts'
import { Turns } from '../limits/fair-turns.ts'
import type { Installation } from '../overview/status.ts'
import type { SiteWatch } from '../sites/report.ts'
import { courseOf, type OwnedAddress, ownedAddresses, sumOwned } from './owned-traffic.ts'

export interface TrafficParts {
  store: Pick<Store, 'listSites' | 'sitesAmong' | 'sumSeries' | 'attacksWithin' | 'notesOf'>
  clock: Clock
  siteWatch: Pick<SiteWatch, 'addressesOf'>
  installation: Pick<Installation, 'retentionDays'>
}

const dayMs = 86_400_000
/** Lengths that people count in, in seconds. */
const stepLengths = [60, 120, 300, 600, 900, 1_800, 3_600, 7_200]
/** Rows of the store that are added up for an answer: some half a second, in parts. */
const minutesMax = 2_000_000
const addressesMax = 1_000
/** Addresses that are compared by their last hour of the window when more than can be shown have traffic. */
const comparedMax = 5_000
const attacksMax = 200
const retrySeconds = 2

interface TrafficQuery {
  site: string | null
  by: 'site' | 'address' | null
  hasPrevious: boolean
  window: SeriesWindow
}

export function trafficHandlers(options: TrafficParts): Handlers<keyof typeof trafficEndpoints> {
  const { store, clock, siteWatch: watch, installation } = options
  /** For how long the minutes are kept. */
  const { series: seriesDays } = installation.retentionDays
  const turns = new Turns()

  const sitesOf = async ({ id }: User, host: string | null): Promise<Site[]> => {
    if (host === null) return store.listSites(id)
    const sites = await store.sitesAmong(id, [host])
    if (sites.length === 0) throw new ProblemError('NOT_FOUND', 'The caller has no such site')
    return sites
  }

  const answer = async (caller: User, wanted: TrafficQuery, isWanted: () => boolean): Promise<Traffic> => {
    const { by, hasPrevious, window } = wanted
    const { fromMinute, toMinute, stepSeconds } = window
    const length = toMinute - fromMinute
    const owned = await ownedAddresses(caller.id, await sitesOf(caller, wanted.site), watch)
    const course = async (addresses: readonly OwnedAddress[], within = window) =>
      courseOf(await sumOwned(store, caller.id, addresses, within, isWanted), within)
    const shown = await heaviest(store, caller.id, owned, window)
    const partsOf = async (key: 'site' | 'address') => {
      const groups = Map.groupBy(shown, (each) => (key === 'site' ? each.site : formatKey(each.address)))
      const bytes = new Map<string, number>()
      for (const [name, group] of groups)
        bytes.set(name, await bytesOf(store, caller.id, group, { ...window, stepSeconds: length }, isWanted))
      const most = [...groups].sort(([a], [b]) => (bytes.get(b) ?? 0) - (bytes.get(a) ?? 0))
      const parts: NonNullable<Traffic['parts']> = []
      for (const [name, group] of most.slice(0, trafficParts)) parts.push({ name, ...(await course(group)) })
      const rest = most.slice(trafficParts).flatMap(([, group]) => group)
      return { parts, rest: rest.length === 0 ? null : await course(rest) }
    }
    const sinceMs = owned.reduce((least, each) => Math.min(least, each.sinceMs), Number.POSITIVE_INFINITY)
    const before = { fromMinute: fromMinute - length, toMinute: fromMinute, stepSeconds }
    return {
      from: formatTime(fromMinute * 1_000),
      to: formatTime(toMinute * 1_000),
      stepSeconds,
      countedFrom: owned.length === 0 ? null : formatTime(Math.max(sinceMs, clock.now() - seriesDays * dayMs)),
      keptDays: seriesDays,
      total: await course(shown),
      ...(by === null ? { parts: null, rest: null } : await partsOf(by)),
      previous: hasPrevious ? await course(shown, before) : null,
      ...(await attacksIn(store, caller.id, wanted)),
      addresses: shown.length,
      addressesOmitted: owned.length - shown.length,
    }
  }

  return {
    getTraffic: async ({ query, streamEnd }, caller) => {
      const wanted = parseQuery(query, clock.now())
      const { signal } = streamEnd()
      const isWanted = () => !signal.aborted
      const turn = turns.take(caller.id, () => answer(caller, wanted, isWanted))
      if (turn === null) throw new ProblemError('TOO_MANY_REQUESTS', 'Others of these requests go on', [], retrySeconds)
      return { body: await turn }
    },
  }
}

/** Those that hit the site, or all; each of them marks its time, however many there are. What is simulated is in no traffic. */
async function attacksIn(
  store: Pick<Store, 'attacksWithin' | 'notesOf'>,
  userId: string,
  { site, window }: TrafficQuery,
): Promise<Pick<Traffic, 'attacks' | 'attackCount' | 'attacksByStep'>> {
  const { fromMinute, toMinute, stepSeconds } = window
  const { latest, spans } = await store.attacksWithin(userId, {
    ...{ site, fromMs: fromMinute * 1_000, toMs: toMinute * 1_000, stepMs: stepSeconds * 1_000 },
    latest: attacksMax,
  })
  const notes = await store.notesOf(
    userId,
    latest.map(({ id }) => id),
  )
  const changes = new Array<number>((toMinute - fromMinute) / stepSeconds + 1).fill(0)
  for (const { first, last, attacks } of spans) {
    changes[first] += attacks
    changes[last + 1] -= attacks
  }
  let going = 0
  return {
    attacks: latest.map((event) => presentSpan(event, notes.get(event.id))),
    attackCount: spans.reduce((sum, { attacks }) => sum + attacks, 0),
    attacksByStep: changes.slice(0, -1).map((change) => {
      going += change
      return going
    }),
  }
}

async function bytesOf(
  store: Pick<Store, 'sumSeries'>,
  userId: string,
  addresses: readonly OwnedAddress[],
  window: SeriesWindow,
  isWanted = () => true,
): Promise<number> {
  return (await sumOwned(store, userId, addresses, window, isWanted)).reduce((sum, { bytes }) => sum + bytes, 0)
}

/** As many as can be added up; where there are more, those with most traffic in the last hour. */
async function heaviest(
  store: Pick<Store, 'sumSeries'>,
  userId: string,
  owned: readonly OwnedAddress[],
  window: SeriesWindow,
): Promise<readonly OwnedAddress[]> {
  const { fromMinute, toMinute } = window
  const max = Math.min(addressesMax, Math.max(1, Math.floor((minutesMax * 60) / (toMinute - fromMinute))))
  if (owned.length <= max) return owned
  const lastHour = { fromMinute: Math.max(fromMinute, toMinute - 3_600), toMinute, stepSeconds: 3_600 }
  const compared: { each: OwnedAddress; bytes: number }[] = []
  for (const each of owned.slice(0, comparedMax))
    compared.push({ each, bytes: await bytesOf(store, userId, [each], lastHour) })
  return compared
    .toSorted((a, b) => b.bytes - a.bytes)
    .slice(0, max)
    .map(({ each }) => each)
}

function parseQuery(query: RawQuery, nowMs: number): TrafficQuery {
  const reader = new QueryReader(query)
  const site = reader.read('site', canonicalHost, 'It must be a host record')
  const by = reader.word('by', ['site', 'address'])
  const hasPrevious = reader.word('previous', ['true', 'false']) === 'true'
  const startMs = reader.time('start')
  const toMs = Math.min(reader.time('end') ?? nowMs, nowMs)
  const fromMs = startMs ?? toMs - dayMs
  if (toMs - fromMs < 60_000)
    reader.errors.push({ parameter: 'start', detail: 'It must be a minute before `end`, and before now' })
  if (toMs - fromMs > trafficDaysMax * dayMs)
    reader.errors.push({ parameter: 'start', detail: `It must be at most ${trafficDaysMax} days before \`end\`` })
  reader.check()
  return { site, by, hasPrevious, window: windowOf(fromMs, toMs) }
}

/** Whole steps, up to the minute that is over. */
function windowOf(fromMs: number, toMs: number): SeriesWindow {
  const toMinute = Math.floor(toMs / 60_000) * 60
  const seconds = Math.max(60, toMinute - Math.floor(fromMs / 60_000) * 60)
  const stepSeconds = stepLengths.find((each) => seconds <= each * trafficSteps.max) ?? 7_200
  return { fromMinute: toMinute - Math.ceil(seconds / stepSeconds) * stepSeconds, toMinute, stepSeconds }
}

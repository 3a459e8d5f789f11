// Every rule of the watch can fail: looks at a real event of two episodes break none, and each row here breaks the rule that it is for. Numbers are those
// of faults that there were: sums that shrank when an event was closed, averages diluted by pauses, shares of more than one, an end that was told twice.
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { amountRules } from '../../../scripts/watch/amounts.ts'
import { eventRules, growthRules } from '../../../scripts/watch/changes.ts'
import type { Account, EventLook, FullLook, Look } from '../../../scripts/watch/looks.ts'
import { type Breach, Watch } from '../../../scripts/watch/watch.ts'
import { accountRules, lookRules } from '../../../scripts/watch/ways.ts'
import { SYN } from '../../../src/net/tcp-flags.ts'
import { tcp } from '../../helpers/detection.ts'
import { address } from '../../helpers/flow-rows.ts'
import { ServiceLab } from '../../helpers/labs/service.ts'

const victim = '192.0.2.10'
/** Packets that were sent to it: two stretches of ten seconds. */
const packets = 2 * 15_000
const sent = { victim, startMs: 0, endMs: Number.MAX_SAFE_INTEGER, packets, bytes: packets * 60 }

/** What a rule of each kind is given, to be changed so that it breaks. */
interface Given {
  full: { now: FullLook; before: FullLook }
  light: { now: EventLook; before: EventLook; earlier: EventLook }
  look: { now: Look; before: Look }
  account: Account
}

/** The event while it is over for the second time, and when it is closed. */
let over: Given
let closed: Given

type Break = (given: Given) => unknown

const later = (time: string, ms: number) => new Date(Date.parse(time) + ms).toISOString()

const full: Record<string, Break> = {
  // Ten seconds of 1,500 packets/s, averaged over a pause of a minute and a half.
  'average-of-total': ({ full: { now } }) => Object.assign(now.report.average, { packetsPerSecond: 272.73 }),
  'span-holds-activity': ({ full: { now } }) => Object.assign(now.report.episodes[0], { activeSeconds: 11 }),
  'peak-above-average': ({ full: { now } }) => Object.assign(now.report.peak, { packetsPerSecond: 1_125 }),
  'peak-within': ({ full: { now } }) => Object.assign(now.report.peak, { at: later(now.report.start, -60_000) }),
  'shares-of-one': ({ full: { now } }) => {
    const [{ packetsPerSecond }] = now.report.vectors
    now.report.vectors = [1, 0.45].map((share) => ({ attackType: `of ${share}`, share, packetsPerSecond }))
  },
  'lists-of-total': ({ full: { now } }) =>
    Object.assign(now.report.statistics.protocols.entries[0], { packets: 4_500 }),
  'episodes-sum-up': ({ full: { now } }) => Object.assign(now.report.total, { packets: 4_500 }),
  'timeline-of-episodes': ({ full: { now } }) => now.report.timeline.pop(),
  'series-of-total': ({ full: { now } }) => now.series.total.packetsPerSecond.fill(0),
  'list-is-report': ({ full: { now } }) => Object.assign(now.overview?.total ?? {}, { packets: 4_500 }),
  'entries-are-episodes': ({ full: { now } }) => now.entries.pop(),
  // An entry that has the numbers of the whole event, pause and all.
  'entries-of-episodes': ({ full: { now } }) => Object.assign(now.entries[0].detail ?? {}, { curavg_pps: 60 * 615.89 }),
  'ways-agree': ({ full: { now } }) => now.elsewhere.push({ way: 'the console', numbers: { 'total.packets': 4_500 } }),
  'sums-never-shrink': ({ full: { now } }) => Object.assign(now.report.total, { packets: 4_500 }),
  'entries-never-shrink': ({ full: { now } }) => Object.assign(now.entries[1].detail ?? {}, { curavg_pps: 60 * 450 }),
  'lists-never-shrink': ({ full: { now } }) =>
    Object.assign(now.report.statistics.protocols.entries[0], { packets: 4_500 }),
  'past-episodes-stay': ({ full: { now } }) => Object.assign(now.entries[0].detail ?? {}, { deviate: 99 }),
  'closed-stays': ({ full: { now } }) => Object.assign(now.report, { severity: 'low' }),
}

const light: Record<string, Break> = {
  'phases-in-order': ({ light: { now } }) => Object.assign(now.overview, { phase: 'quiet' }),
  'state-of-phase': ({ light: { now } }) => Object.assign(now.overview, { end: null }),
  'over-is-closed': ({ light: { now } }) => Object.assign(now, { atMs: now.atMs + 2 * 3_600_000 }),
  'beginning-stays': ({ light: { now } }) => Object.assign(now.overview, { start: later(now.overview.start, -60_000) }),
  'sequence-rises': ({ light: { now } }) => Object.assign(now.overview.total, { packets: 4_500 }),
  // The closing was told as another end.
  'turns-told-once': ({ light }) =>
    Object.assign(light.before.told ?? {}, { ended: (light.before.told?.ended ?? 0) + 1 }),
  'changes-told': ({ light: { earlier } }) => Object.assign(earlier.overview, { sequence: 0 }),
}

const look: Record<string, Break> = {
  'changes-missed': ({ look: { now } }) => Object.assign(now, { place: 0, changed: [] }),
  'changes-in-order': ({ look: { now } }) =>
    Object.assign(now, { changed: [...now.listed.values(), ...now.listed.values()] }),
  'entries-belong': ({ look: { now } }) => Object.assign(now, { episodeIds: new Set() }),
  'events-have-entries': ({ look: { now } }) => Object.assign(now, { entries: new Map() }),
  'dated-when-listed': ({ look }) => Object.assign(look.before, { entries: new Map() }),
  'polls-see-all': ({ look: { now } }) => Object.assign(now, { polled: new Set() }),
  'nothing-vanishes': ({ look: { now } }) => Object.assign(now, { listed: new Map() }),
}

const account: Record<string, Break> = {
  'as-sent': ({ account: { reports } }) => Object.assign(reports[0].total, { packets: 4_500 }),
}

it('looks at an event of two episodes, over and closed, break no rule', async (t) => {
  const lab = await ServiceLab.start(t)
  const breaches: Breach[] = []
  const watch = new Watch({
    ask: (path) => lab.ask(path),
    now: () => lab.nowMs,
    messages: () => lab.messages(),
    retentionMs: 400 * 86_400_000,
    readAgainMs: 0,
    onBreach: (breach) => breaches.push(breach),
  })
  const pass = async (seconds: number, isOn = false) => {
    for (let second = 0; second < seconds; second++) {
      const rows = {
        ...tcp(SYN),
        dstAddr: address(victim),
        packets: 150,
        bytes: 9_000,
        startMs: lab.nowMs,
        endMs: lab.nowMs,
      }
      await lab.second(isOn ? Array.from({ length: 10 }, (_, i) => ({ ...rows, srcAddr: 0x0b00_0000 + i })) : [])
    }
    await watch.look()
  }
  /** What the rules are given of this look and the ones before. */
  const given = async (): Promise<Given> => {
    const [{ id }] = watch.latest?.listed.values() ?? []
    const seen = []
    for (let i = 0; i < 3; i++) {
      await pass(20)
      seen.push(structuredClone({ ...watch.latestOf(id), look: watch.latest }))
    }
    const [first, second, third] = seen
    assert.ok(first.light && second.light && third.light && second.full && third.full && second.look && third.look)
    return {
      full: { now: third.full, before: second.full },
      light: { now: third.light, before: second.light, earlier: first.light },
      look: { now: third.look, before: second.look },
      account: { sent: [sent], reports: watch.reports },
    }
  }
  await pass(10)
  await pass(10, true)
  await pass(100)
  await pass(10, true)
  // A pause of a hundred seconds is known by now.
  await pass(160)
  over = await given()
  for (let i = 0; i < 7; i++) await pass(100)
  closed = await given()
  assert.deepEqual(breaches, [])
  assert.deepEqual(
    [over, closed].map(({ light: { now } }) => now.overview.phase),
    ['over', 'closed'],
  )
  assert.deepEqual(breachesOf(over), [])
  assert.deepEqual(breachesOf(closed), [])
})

function breachesOf({ full, light, look, account }: Given, name?: string): string[] {
  const isAsked = (rule: { name: string }) => name === undefined || rule.name === name
  return [
    ...[...amountRules, ...growthRules].filter(isAsked).flatMap(({ breaches }) => breaches(full.now, full.before)),
    ...eventRules.filter(isAsked).flatMap(({ breaches }) => breaches(light.now, light.before, light.earlier)),
    ...lookRules.filter(isAsked).flatMap(({ breaches }) => breaches(look.now, look.before)),
    ...accountRules.filter(isAsked).flatMap(({ breaches }) => breaches(account)),
  ]
}

describe('the rule', () => {
  for (const [name, change] of Object.entries({ ...full, ...light, ...look, ...account }))
    it(`${name} fails`, () => {
      const given = structuredClone(name === 'closed-stays' ? closed : over)
      change(given)
      assert.notDeepEqual(breachesOf(given, name), [])
    })
})

it('each rule has a row that breaks it', () => {
  const names = [...amountRules, ...growthRules, ...eventRules, ...lookRules, ...accountRules].map(({ name }) => name)
  assert.deepEqual(Object.keys({ ...full, ...light, ...look, ...account }).toSorted(), names.toSorted())
})

// Why there was an event or none, over a store and a detector that saw the day: just below and just above a line, without traffic, while the service was
// down, and to whoever may not know.
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { createTestApi, noTargets, startMs, type TestApi, type TestCaller } from '../../../test/helpers/api.ts'
import { DetectionLab, startMs as labStartMs, tcp, victim } from '../../../test/helpers/detection.ts'
import { addEvents, eventOf } from '../../../test/helpers/events.ts'
import type { Explanation, WhatIf } from '../../contract/explanations.ts'
import { formatTime } from '../../contract/time.ts'
import { SettingsTable } from '../../detect/targets/target-settings.ts'
import type { SavedTrace, Sight } from '../../store/store.ts'

const settings = { learnSeconds: 300 }
const lab = new DetectionLab(settings)
const visitors = { recordsPerSecond: 40, sources: 30, row: { ...tcp(24, 700), dstPort: 443 } }
const syn = (recordsPerSecond: number) => ({ recordsPerSecond, row: tcp(2) })
/** Seconds after the start of the lab: a busy time far below every line, an attack just below its line, one just above it, the end. */
const [busyAt, belowAt, aboveAt, quietAt, endAt] = [600, 900, 1_800, 1_300, 2_400]
/** The lab's day as the clock of the interface has it. */
const shiftMs = startMs - labStartMs + (labStartMs % 60_000) - (startMs % 60_000)
const at = (second: number) => labStartMs + shiftMs + second * 1_000
const moved = (saved: SavedTrace): SavedTrace => ({ ...saved, second: saved.second + shiftMs / 1_000 })
const synFlood = 'tcp@attack@syn_flood_target'

let api: TestApi
let admin: TestCaller
let ann: TestCaller
let bob: TestCaller
let latest: SavedTrace[] = []

before(async () => {
  api = await createTestApi({
    targets: {
      ...noTargets,
      stateOf: async () => ({
        settings: new SettingsTable({ ...noTargets.detect, ...settings }).of(victim),
        ...{ learning: null, ageSeconds: 0, classes: [], incidents: [] },
      }),
      waysTo: (userId, of) => (userId === ann.user.id && of === victim ? [{ site: '192.0.2.10', sinceMs: 0 }] : []),
      latestTraces: async () => latest,
      detect: { ...noTargets.detect, ...settings },
    },
  })
  admin = await api.addCaller('admin@example.net', { scopes: ['admin'] })
  ann = await api.addCaller('ann@example.net', { scopes: ['read'] })
  bob = await api.addCaller('bob@example.net', { scopes: ['read'] })
  api.clock.set(at(0))
  await api.store.addSites(ann.user.id, ['192.0.2.10'], 1)
  lab
    .run(busyAt, visitors)
    .run(120, { ...visitors, recordsPerSecond: 95 })
    .run(belowAt - busyAt - 120, visitors)
    .run(120, visitors, syn(140))
    .run(aboveAt - belowAt - 120, visitors)
  lab.run(120, visitors, syn(170)).run(endAt - aboveAt - 120, visitors)
  await api.store.appendTraces(lab.detector.takeTraces({ all: false }).map(moved))
  await api.store.appendSeries(lab.minutes().map((point) => ({ ...point, minute: point.minute + shiftMs / 1_000 })))
  const minutes = Array.from({ length: 60 }, (_, i) => at(i * 60) / 1_000).filter((_, i) => i < 45 || i >= 50)
  await api.store.appendSights(minutes.map((minute) => sight(minute, 'watched')))
  await api.store.appendSights([sight(at(belowAt) / 1_000, 'lost', 12), sight(at(belowAt) / 1_000, 'silent', 90)])
  api.clock.set(at(3_600))
})

after(() => api.close())

function sight(minute: number, kind: Sight['kind'], amount = 1) {
  return { minute, kind, exporter: kind === 'watched' ? '' : '198.51.100.7', amount }
}

async function explained(second: number, { headers }: TestCaller = admin): Promise<Explanation> {
  const url = `/api/v1/targets/192.0.2.10/explanation?at=${encodeURIComponent(formatTime(at(second)))}`
  const answer = await api.server.inject({ url, headers })
  assert.equal(answer.statusCode, 200, answer.body)
  return answer.json()
}

async function tried(query: string, { headers }: TestCaller = admin): Promise<WhatIf> {
  const span = `start=${encodeURIComponent(formatTime(at(0)))}&end=${encodeURIComponent(formatTime(at(endAt)))}`
  const answer = await api.server.inject({ url: `/api/v1/targets/192.0.2.10/what-if?${span}&${query}`, headers })
  assert.equal(answer.statusCode, 200, answer.body)
  return answer.json()
}

describe('an explanation', () => {
  it('names the line that an attack just below it did not reach, and how far it came', async () => {
    const { verdict, answer, stepSeconds, classes, limits, isLearnt, busiestSecond } = await explained(belowAt + 60)
    assert.deepEqual([verdict, stepSeconds, isLearnt, limits?.sensitivity], ['below', 10, true, 1])
    assert.match(
      answer,
      /^No event: tcp@attack@syn_flood_target came nearest, with 140 packets\/s over \d+ s, 93 % of its line of 150/,
    )
    assert.equal(classes[0].attackType, null)
    assert.ok(Math.abs(classes[0].packetsPerSecond - 180) < 1)
    assert.equal(classes[1].attackType, synFlood)
    assert.deepEqual([classes[1].nearest?.from, classes[1].nearest?.isWhole, classes[1].floor], ['floor', true, 150])
    assert.ok((busiestSecond?.packetsPerSecond ?? 0) >= 180)
  })

  it('has the networks, and the exporters that were blind, for an admin alone', async () => {
    const all = await explained(belowAt + 30)
    assert.deepEqual(
      all.networks?.map(({ network }) => network),
      ['192.0.2.0/24'],
    )
    assert.deepEqual(
      all.blind.map(({ kind, exporter, amount }) => [kind, exporter, amount]),
      [
        ['lost', '198.51.100.7', 12],
        ['silent', '198.51.100.7', 90],
      ],
    )
    assert.match(all.answer, /But not all was seen then: of what exporter 198\.51\.100\.7 sent, 12/)
    const own = await explained(belowAt + 30, ann)
    assert.equal(own.networks, null)
    assert.deepEqual(
      own.blind.map(({ exporter }) => exporter),
      [null, null],
    )
    assert.doesNotMatch(JSON.stringify(own), /198\.51\.100\.7/)
  })

  it('has the attack just above the line, and its event once there is one', async () => {
    const attack = await explained(aboveAt + 60)
    assert.deepEqual([attack.verdict, attack.attacks[0].attackType], ['attack', synFlood])
    const [startMs, endMs] = [at(aboveAt), at(aboveAt + 120)]
    const event = eventOf(admin.user.id, 1, {
      address: victim,
      startMs,
      endMs,
      lastMs: endMs,
      createdMs: at(aboveAt + 5),
    })
    await addEvents(api.store, [event])
    const found = await explained(aboveAt + 60)
    assert.deepEqual([found.verdict, found.events.map(({ id }) => id)], ['event', [event.id]])
    assert.match(found.answer, new RegExp(`^Event ${event.id}: `))
    assert.equal((await explained(belowAt + 60)).events.length, 0)
  })

  it('says that nothing came near, that there was nothing, that nobody looked, and what is not kept', async () => {
    const far = await explained(quietAt)
    assert.deepEqual([far.verdict, far.stepSeconds, far.classes.length], ['far-below', 60, 1])
    assert.match(far.answer, /of 40 packets\/s no class came to half of its line/)
    const nothing = await explained(2_550)
    assert.deepEqual([nothing.verdict, nothing.classes], ['no-traffic', []])
    assert.equal((await explained(47 * 60)).verdict, 'not-running')
    const old = await explained(-30 * 86_400)
    assert.equal(old.verdict, 'not-kept')
    assert.match(old.answer, /^Nothing is kept of that time/)
    assert.equal((await explained(-3_600)).verdict, 'not-kept')
  })

  it('does not say that nothing came near where half minutes were not kept', async () => {
    await api.store.appendSights([{ minute: at(quietAt - 100) / 1_000, kind: 'untraced', exporter: '', amount: 7 }])
    const { verdict, answer } = await explained(quietAt - 100)
    assert.equal(verdict, 'by-the-minute')
    assert.match(answer, /more addresses were near a line than are kept/)
  })

  it('of the last minutes comes from the detector', async () => {
    const made = lab.detector.latestTraces(victim)
    const { second } = made[made.length - 2]
    latest = made.map((each) => ({ ...each, second: each.second - second + at(3_540) / 1_000 }))
    const found = await explained(3_540)
    latest = []
    assert.deepEqual([found.verdict, found.stepSeconds], ['below', 10])
    assert.match(found.answer, /^No event: /)
  })

  it('tells an owner nothing of before the address was theirs', async () => {
    api.clock.set(at(belowAt + 60))
    const late = await api.addCaller('late@example.net', { scopes: ['read'] })
    await api.store.addSites(late.user.id, ['192.0.2.10'], at(belowAt + 60))
    api.clock.set(at(3_600))
    const own = ann.user
    ann.user = late.user
    const [before, after] = [await explained(belowAt, late), await explained(belowAt + 90, late)]
    ann.user = own
    assert.deepEqual([before.verdict, before.classes, before.attacks], ['not-yours', [], []])
    assert.deepEqual([after.verdict, after.isLearnt, after.classes[1].normal], ['below', false, null])
  })

  it('is 404 for an address of somebody else, and 400 for an impossible time or one to come', async () => {
    const get = (path: string, { headers }: TestCaller) =>
      api.server.inject({ url: `/api/v1/targets/${path}`, headers })
    for (const path of ['192.0.2.10/explanation', '192.0.2.10/what-if?sensitivity=2'])
      assert.equal((await get(path, bob)).statusCode, 404, path)
    assert.equal((await get('192.0.2.11/explanation', ann)).statusCode, 404)
    for (const query of ['at=x', 'at=2999-01-01', 'at=2017-01-01&at=2017-01-02'])
      assert.equal((await get(`192.0.2.10/explanation?${query}`, ann)).statusCode, 400, query)
    assert.equal((await get('192.0.2.999/explanation', admin)).statusCode, 400)
    const writer = await api.addCaller('writer@example.net', { scopes: ['write'] })
    assert.equal((await get('192.0.2.10/explanation', writer)).statusCode, 403)
  })
})

describe('what if', () => {
  it('wins the attack just below the line by a lower one, and keeps the other', async () => {
    const { before, after, won, lost, answer, judged, isCut, changed, settings: asIs } = await tried('sensitivity=1.5')
    assert.deepEqual([before.length, after.length, lost, isCut], [1, 2, [], false])
    assert.deepEqual(
      won.map(({ attackType, line }) => [attackType, line]),
      [[synFlood, 100]],
    )
    assert.ok(Date.parse(won[0].start) >= at(belowAt - 30) && Date.parse(won[0].start) <= at(belowAt + 30))
    assert.match(answer, /1 attack more and none fewer: 2 instead of 1/)
    assert.deepEqual([asIs.sensitivity, changed.sensitivity], [1, 1.5])
    assert.ok(judged.tracedSeconds >= 240 && judged.minuteSeconds === 0)
  })

  it('loses the attack just above it by a higher one, and all without judgement', async () => {
    for (const query of ['sensitivity=low', 'enabled=false']) {
      const { after, lost, answer } = await tried(query)
      assert.deepEqual([after.length, lost.length], [0, 1], query)
      assert.match(answer, /none attacks more and 1 fewer: 0 instead of 1/)
    }
  })

  it('finds the same by the same, and says so', async () => {
    const { before, after, answer } = await tried('quietSeconds=30')
    assert.deepEqual([before.length, after.length], [1, 1])
    assert.match(answer, /the same attacks: 1/)
  })

  it('judges by the minute what is above a limit that is far below that of then', async () => {
    const { won, judged } = await tried('packetsPerSecond=90&sensitivity=0.1')
    assert.ok(judged.tracedSeconds > 0 && judged.minuteSeconds > 0)
    const busy = won.find(({ start }) => Date.parse(start) < at(belowAt))
    assert.ok(busy, JSON.stringify(won))
    assert.deepEqual([busy.attackType, busy.metric, busy.line], [null, 'packets', 90])
    assert.ok(Date.parse(busy.start) >= at(busyAt - 60) && Date.parse(busy.start) <= at(busyAt + 60), busy.start)
  })

  it('refuses what can not be tried, and impossible times', async () => {
    const { headers } = admin
    for (const query of [
      'excludePorts=udp/53',
      'learnSeconds=60',
      'sensitivity=11',
      'sensitivity=0',
      'enabled=no',
      'packetsPerSecond=-1',
      'quietSeconds=1',
      'start=2017-01-02&end=2017-01-01',
      'start=2010-01-01',
    ]) {
      const answer = await api.server.inject({ url: `/api/v1/targets/192.0.2.10/what-if?${query}`, headers })
      assert.equal(answer.statusCode, 400, query)
    }
  })

  it('has the same for an owner, whose normal counts as learnt only after the address became theirs', async () => {
    const { won, lost, judged } = await tried('sensitivity=1.5', ann)
    assert.deepEqual([won.length, lost.length], [1, 0])
    assert.ok(judged.tracedSeconds >= 240)
  })

  it('begins for an owner with the first half minute that is wholly theirs', async () => {
    const since = belowAt + 70
    const next = await api.addCaller('next@example.net', { scopes: ['read'] })
    api.clock.set(at(since))
    await api.store.addSites(next.user.id, ['192.0.2.10'], at(since))
    api.clock.set(at(3_600))
    const own = ann.user
    ann.user = next.user
    const { from } = await tried('sensitivity=1.5', next)
    ann.user = own
    assert.equal(from, formatTime(at(belowAt + 90)))
    assert.equal((await tried('sensitivity=1.5', ann)).from, formatTime(at(0)))
  })

  it('says of the whole time how much was not kept, however much else was not seen', async () => {
    const exporters = Array.from({ length: 20_500 }, (_, n) => `2001:db8::${n.toString(16)}`)
    const minute = at(60) / 1_000
    await api.store.appendSights(exporters.map((exporter) => ({ minute, kind: 'silent', exporter, amount: 90 })))
    await api.store.appendSights([{ minute: at(quietAt - 100) / 1_000, kind: 'untraced', exporter: '', amount: 7 }])
    assert.equal((await tried('sensitivity=1.5')).judged.untraced, 7)
    assert.equal((await tried('sensitivity=1.5', ann)).judged.untraced, 1)
  })
})

import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { createTestApi, eventOf, startMs, type TestApi, type TestCaller } from '../../../test/helpers/api.ts'
import { addEvents } from '../../../test/helpers/events.ts'
import type { Course } from '../../detect/incidents/incident-report.ts'
import { currentOf } from './open-attacks.ts'

/** A course with these packets in each step, and 100 octets in each packet. */
function courseOf(packetsPerSecond: (number | null)[], stepSeconds = 1, fromMs = 0): Course {
  const rates = {
    packetsPerSecond,
    bytesPerSecond: packetsPerSecond.map((packets) => packets && packets * 100),
    flowsPerSecond: packetsPerSecond.map((packets) => packets && 1),
  }
  const none = { packetsPerSecond: [], bytesPerSecond: [], flowsPerSecond: [] }
  return { fromMs, stepSeconds, total: rates, attack: none, normal: null }
}

describe('the current rate of an attack', () => {
  const packets = (course: Course, startMs: number, lastMs: number) => {
    const current = currentOf(course, { startMs, lastMs })
    return current === null ? null : [current.rates.packetsPerSecond, current.seconds, current.atMs]
  }

  it('is the average of the last five seconds that are whole', () => {
    assert.deepEqual(packets(courseOf([0, 0, 10, 20, 30, 40, 50, 7]), 0, 8_000), [30, 5, 7_000])
  })

  it('does not reach back before the attack', () => {
    assert.deepEqual(packets(courseOf([1, 1, 1, 1, 80, 100, 7]), 4_000, 7_000), [90, 2, 6_000])
    assert.deepEqual(packets(courseOf([1, 1, 1, 80]), 3_000, 4_000), [80, 1, 4_000])
  })

  it('is the last step where steps are long, with the one before it while it is young', () => {
    assert.deepEqual(packets(courseOf([100, 200, 400], 60), 0, 150_000), [400, 30, 150_000])
    const [rate, seconds, atMs] = packets(courseOf([100, 200, 400], 60), 0, 122_000) ?? []
    assert.deepEqual([Number(rate?.toFixed(2)), seconds, atMs], [206.45, 62, 122_000])
    // What was told since without a course does not count.
    assert.deepEqual(packets(courseOf([100, 200], 60), 0, 500_000), [200, 60, 120_000])
  })

  it('is that since the service is there again', () => {
    assert.deepEqual(packets(courseOf([50, 50, null, null, 30, 40, 7]), 0, 7_000), [35, 2, 6_000])
    assert.equal(packets(courseOf([50, 50, null, 7]), 0, 4_000), null)
  })

  it('is not known without a step', () => {
    assert.equal(packets(courseOf([]), 0, 1_000), null)
  })
})

describe('the attacks that go on', () => {
  let api: TestApi
  let ann: TestCaller
  const get = async () => (await api.server.inject({ url: '/api/v1/overview', headers: ann.headers })).json()
  const ids: Record<string, string> = {}

  before(async () => {
    api = await createTestApi()
    ann = await api.addCaller('ann@example.net')
    await api.store.addSites(ann.user.id, ['192.0.2.0/24'], startMs)
    const large = { packetsPerSecond: 500_000, bytesPerSecond: 4e9 / 8 }
    const small = { packetsPerSecond: 100, bytesPerSecond: 1_000 }
    const medium = { packetsPerSecond: 2_000, bytesPerSecond: 1_000 }
    const events = [
      eventOf(ann.user.id, 1, { site: 'critical', ...large }),
      eventOf(ann.user.id, 2, { site: 'false alarm', ...large }),
      eventOf(ann.user.id, 3, { site: 'growing', ...medium }),
      eventOf(ann.user.id, 4, { site: 'steady', ...medium, packetsPerSecond: 3_000 }),
      eventOf(ann.user.id, 5, { site: 'newest', ...small }),
      eventOf(ann.user.id, 6, { site: 'over', ...large, endMs: startMs }),
      eventOf(ann.user.id, 7, { site: 'simulated', ...large, isTest: true }),
    ].map((event) => (event.site === 'growing' ? { ...event, course: growing(event.startMs) } : event))
    for (const { id, site } of await addEvents(api.store, events)) ids[site] = id
    const who = { by: 'bob@example.net', atMs: startMs }
    await api.store.changeNote(ann.user.id, ids['false alarm'], { classification: 'false_positive' }, who)
    await api.store.changeNote(ann.user.id, ids.steady, { acknowledged: true }, who)
  })
  after(() => api.close())

  const growing = (fromMs: number) => courseOf([1_000, 2_000, 9_000, 9_000, 9_000, 9_000, 9_000, 3], 1, fromMs)

  it('are listed worst first: by severity, then by what they are now; no ended one, no simulated one', async () => {
    const { open, posture } = await get()
    assert.equal(posture, 'attack')
    assert.deepEqual(
      open.map(({ site }: { site: string }) => site),
      ['critical', 'growing', 'steady', 'newest', 'false alarm'],
    )
    assert.deepEqual(
      open.map(({ current }: { current: { packetsPerSecond: number } | null }) => current?.packetsPerSecond ?? null),
      [null, 9_000, null, null, null],
    )
    assert.equal(open[2].acknowledged.by, 'bob@example.net')
  })

  it('are counted by what people said of them, and what is no attack alarms nobody', async () => {
    const { events } = await get()
    assert.deepEqual([events.open, events.openAcknowledged, events.openDismissed], [5, 1, 1])
    const who = { by: 'bob@example.net', atMs: startMs }
    for (const site of ['critical', 'growing', 'steady', 'newest']) {
      await api.store.changeNote(ann.user.id, ids[site], { classification: 'flash_crowd' }, who)
    }
    const after = await get()
    assert.notEqual(after.posture, 'attack')
    assert.deepEqual([after.events.openAcknowledged, after.events.openDismissed, after.open.length], [0, 5, 5])
  })
})

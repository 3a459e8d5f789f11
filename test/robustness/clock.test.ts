// The machine's clock is set, by an hour either way: nothing throws, waits for that hour to pass, or is lost.
import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import { Value } from 'typebox/value'
import { ManualClock } from '../../src/clock.ts'
import { type IncidentReport, noStatistics } from '../../src/detect/incident-report.ts'
import { createLogger, LogThrottle } from '../../src/log.ts'
import { Names } from '../../src/names/names.ts'
import { namesSettings } from '../../src/names/settings.ts'
import { eventId } from '../../src/serve/event.ts'
import { Recorder } from '../../src/serve/recorder.ts'
import { openSqliteStore } from '../../src/store/sqlite/index.ts'
import { createTestApi } from '../helpers/api.ts'
import { DetectionLab, startMs, tcp, victim } from '../helpers/detection.ts'
import { courseOf } from '../helpers/events.ts'

const hourMs = 3_600_000
const jumps: [name: string, byMs: number][] = [
  ['back', -hourMs],
  ['forward', hourMs],
]

const synFlood = { recordsPerSecond: 2_000, row: tcp(2) }
const ordinary = { recordsPerSecond: 5, row: tcp(27, 700) }

for (const [name, byMs] of jumps) {
  describe(`the clock is set ${name} by an hour`, () => {
    it('an attack that begins after it is seen as soon as any', () => {
      const lab = new DetectionLab().run(30, ordinary)
      lab.clock.advance(byMs)
      lab.run(3, ordinary).run(15, ordinary, synFlood)
      const opened = lab.phases('opened')
      assert.deepEqual(
        opened.map(({ label }) => label),
        ['tcp@attack@syn_flood_target'],
      )
      assert.ok(Math.abs(opened[0].startMs - (startMs + 33_000 + byMs)) <= 2_000, `it began at ${opened[0].startMs}`)
    })

    it('an attack that goes on ends when it is over', () => {
      const lab = new DetectionLab({ quietSeconds: 20 }).run(20, synFlood)
      lab.clock.advance(byMs)
      lab.run(10, synFlood).run(170, ordinary)
      assert.ok(lab.phases('opened').length > 0)
      assert.equal(lab.phases('ended').length, lab.phases('opened').length + lab.phases('reopened').length)
      assert.equal(lab.detector.openIncidents, 0)
      for (const { startMs, endMs, packetsPerSecond } of lab.reports) {
        assert.ok(endMs > startMs && Number.isFinite(packetsPerSecond))
      }
    })

    it('traffic is on record for the minutes that there were', () => {
      const lab = new DetectionLab().run(60, ordinary)
      const before = lab.minutes()
      lab.clock.advance(byMs)
      lab.run(60, ordinary)
      const after = lab.minutes()
      const flowsOf = (points: { flows: number }[]) => points.reduce((sum, { flows }) => sum + flows, 0)
      assert.equal(Math.round(flowsOf(before)), 300)
      assert.equal(Math.round(flowsOf(after)), 300)
    })

    it('names are asked again when they would have been, or sooner', ({ mock }) => {
      mock.timers.enable({ apis: ['setInterval'] })
      const clock = new ManualClock(startMs)
      const names = new Names({ settings: Value.Create(namesSettings), clock, log: createLogger('silent') })
      names.start()
      const { schedule } = names
      schedule.setNames(new Set(['www.example.com']))
      schedule.take(startMs, 1)
      schedule.absent('www.example.com', startMs)
      clock.advance(Math.min(byMs, 0))
      mock.timers.tick(100)
      assert.deepEqual(schedule.take(clock.now() + Math.max(byMs, 70_000), 1), ['www.example.com'])
      names.stop()
    })

    it('a report becomes an event, whose end is written to it', async () => {
      const folder = mkdtempSync(join(tmpdir(), 'floodgauge-clock-'))
      const clock = new ManualClock(startMs)
      const store = await openSqliteStore(join(folder, 'store.db'), { clock })
      const { id: userId } = await store.addUser({ email: 'ann@example.net', siteQuota: 1, allowed: null })
      const recorder = new Recorder({
        store,
        clock,
        log: createLogger('silent'),
        incidentsMax: 1,
        match: () => [{ userId, site: '192.0.2.10', domain: '', dns: [] }],
        newEventId: (createdMs) => eventId(createdMs, new Uint8Array([1, 2, 3, 4, 5, 6, 7, createdMs % 256])),
      })
      recorder.take([reportAt(startMs, 'opened')])
      await recorder.write()
      clock.advance(byMs)
      recorder.take([reportAt(startMs, 'ended')])
      await recorder.write()
      recorder.take([{ ...reportAt(clock.now(), 'opened'), incident: 'second' }])
      await recorder.stop()
      assert.equal(recorder.pending, 0)
      const window = { fromMs: null, toMs: null, after: null, limit: 10 }
      const events = await store.eventsBetween(userId, window)
      const ends = await Promise.all(events.map(async ({ id }) => (await store.eventById(userId, id))?.endMs))
      assert.deepEqual(new Set(ends), new Set([startMs + 5_000, null]))
      await store.close()
      rmSync(folder, { recursive: true })
    })

    it('callers stay known, and limited by the minute', async () => {
      const api = await createTestApi({ settings: { ratePerMinute: 3 } })
      const { headers } = await api.addCaller('ann@example.net')
      const statuses = async () => {
        const answers = []
        for (let i = 0; i < 4; i++) answers.push(await api.server.inject({ url: '/open/site', headers }))
        return answers.map(({ statusCode }) => statusCode)
      }
      assert.deepEqual(await statuses(), [200, 200, 200, 429])
      api.clock.advance(byMs)
      assert.deepEqual(await statuses(), [200, 200, 200, 429])
      await api.close()
    })

    it('messages are held back for a minute at most', () => {
      const throttle = new LogThrottle()
      assert.equal(throttle.pass('store', startMs), 0)
      assert.equal(throttle.pass('store', startMs + 1_000), null)
      assert.equal(throttle.pass('store', startMs + byMs), 1)
      assert.equal(throttle.pass('store', startMs + byMs + 1_000), null)
    })
  })
}

function reportAt(atMs: number, phase: IncidentReport['phase']): IncidentReport {
  return {
    incident: 'first',
    phase,
    address: victim,
    label: 'tcp@attack@syn_flood_target',
    startMs: atMs,
    endMs: atMs + 5_000,
    bytesPerSecond: 1_000,
    packetsPerSecond: 10,
    flowsPerSecond: 5,
    peak: { bytesPerSecond: 1_000, packetsPerSecond: 10, flowsPerSecond: 5, atMs },
    deviation: 12,
    why: [],
    victims: [],
    vectors: [],
    followed: { waitedSeconds: 0, isProvisional: false, parts: [] },
    details: { statistics: noStatistics, course: courseOf(5) },
  }
}

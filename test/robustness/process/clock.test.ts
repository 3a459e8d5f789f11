// The machine's clock is set, by an hour either way: nothing throws, waits for that hour to pass, or is lost. And by less: no event comes of it.
import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import { Value } from 'typebox/value'
import { ManualClock } from '../../../src/clock.ts'
import type { IncidentReport } from '../../../src/detect/incidents/incident-report.ts'
import { eventId } from '../../../src/events/event.ts'
import { Recorder } from '../../../src/events/recorder.ts'
import { resumeEvents } from '../../../src/events/resume.ts'
import { createLogger, LogThrottle } from '../../../src/log.ts'
import { Names } from '../../../src/names/names.ts'
import { namesSettings } from '../../../src/names/settings.ts'
import { openSqliteStore } from '../../../src/store/sqlite/index.ts'
import { createTestApi } from '../../helpers/api.ts'
import { DetectionLab, startMs, tcp, udpFrom, victim } from '../../helpers/detection.ts'
import { courseOf } from '../../helpers/events.ts'
import { detailsOf, reportOf } from '../../helpers/reports.ts'

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
      mock.timers.tick(1_000)
      assert.deepEqual(schedule.take(clock.now() + Math.max(byMs, 70_000), 1), ['www.example.com'])
      names.stop()
    })

    it('a report becomes an event, whose end is written to it', async () => {
      const { store, userId, clock, recorder, close } = await recording()
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
      await close()
    })

    it('at a start, an attack from before is over when it was last seen', async () => {
      const { store, userId, clock, log, recorder, close } = await recording()
      recorder.take([reportAt(startMs, 'opened')])
      await recorder.stop()
      clock.advance(byMs)
      const { incidents } = await resumeEvents({ store, clock, log, settings: { reopenSeconds: 600 } })
      assert.deepEqual(incidents, [])
      const [event] = await store.eventsBetween(userId, { fromMs: null, toMs: null, after: null, limit: 10 })
      assert.equal((await store.eventById(userId, event.id))?.endMs, startMs + 5_000)
      await close()
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

/** A store with one user, whose site is attacked, and the recorder of the attack's events. */
async function recording() {
  const folder = mkdtempSync(join(tmpdir(), 'floodgauge-clock-'))
  const clock = new ManualClock(startMs)
  const log = createLogger('silent')
  const store = await openSqliteStore(join(folder, 'store.db'), { clock })
  const { id: userId } = await store.addUser({ email: 'ann@example.net', siteQuota: 1, allowed: null })
  const recorder = new Recorder({
    onRecorded: () => {},
    onTests: () => {},
    store,
    clock,
    log,
    incidentsMax: 1,
    learnSeconds: 900,
    isColleague: () => false,
    mayKnowSources: () => true,
    match: () => [{ userId, site: '192.0.2.10', sites: ['192.0.2.10'], domain: '', dns: [], sinceMs: 0 }],
    newEventId: (createdMs) => eventId(createdMs, new Uint8Array([1, 2, 3, 4, 5, 6, 7, createdMs % 256])),
  })
  const close = async () => {
    await store.close()
    rmSync(folder, { recursive: true })
  }
  return { store, userId, clock, log, recorder, close }
}

/** Many visitors: half as much again would pass the limit that holds for all. */
const busy = { recordsPerSecond: 30, sources: 200, row: { ...tcp(27, 210_000), packets: 500 } }
const amplification = { recordsPerSecond: 1_000, row: udpFrom(123, 468) }

for (const seconds of [-3_600, -600, -30, 30, 600, 3_600]) {
  describe(`the clock leaps by ${seconds} s`, () => {
    it('in peace: there is no event, whether or not normal is known', () => {
      for (const secondsBefore of [100, 600]) {
        const lab = new DetectionLab({ learnSeconds: 450 }).run(secondsBefore, busy)
        lab.clock.advance(seconds * 1_000)
        lab.run(130, busy)
        assert.deepEqual(lab.life(), [])
      }
    })

    it('in an attack: it goes on as one with the rates that it has, and the next attack is found', () => {
      const lab = new DetectionLab().run(30, ordinary).run(20, ordinary, synFlood)
      lab.clock.advance(seconds * 1_000)
      lab.run(20, ordinary, synFlood).run(90, ordinary)
      const leaptOver = Math.max(0, seconds)
      const syn = lab.phases('ended').filter(({ label }) => label === 'tcp@attack@syn_flood_target')
      assert.equal(syn.length, 1)
      for (const { startMs: from, endMs: to, packetsPerSecond } of syn) {
        const lasted = (to - from) / 1_000
        assert.ok(lasted <= 41 + leaptOver, `it lasted ${lasted} s`)
        assert.ok(Math.abs(packetsPerSecond - 2_005) <= 200, `${packetsPerSecond} packets/s`)
      }
      lab.run(20, ordinary, amplification).run(60, ordinary)
      // What is over is not reported as going on.
      for (const [i, { incident, phase }] of lab.reports.entries()) {
        const before = lab.reports.slice(0, i).findLast((report) => report.incident === incident)
        if (before?.phase === 'ended') assert.ok(phase === 'reopened' || phase === 'closed', phase)
      }
      const [last] = lab.phases('opened').slice(-1)
      assert.equal(last.label, 'udp@attack@amp_flood_target-NTP')
      assert.ok(Math.abs(last.startMs - (lab.nowMs - 80_000)) <= 1_000)
      assert.equal(lab.detector.openIncidents, 0)
    })
  })
}

function reportAt(atMs: number, phase: IncidentReport['phase']): IncidentReport {
  const details = { ...detailsOf(1), course: courseOf(5) }
  return reportOf({ incident: 'first', phase, address: victim, startMs: atMs, endMs: atMs + 5_000, details })
}

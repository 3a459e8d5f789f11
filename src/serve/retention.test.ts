import assert from 'node:assert/strict'
import { mock, test } from 'node:test'
import { pino } from 'pino'
import { ManualClock } from '../clock.ts'
import { AppError } from '../errors.ts'
import { createLogger } from '../log.ts'
import { Retention } from './retention.ts'

const hourMs = 3_600_000
const dayMs = 24 * hourMs

test('what is older than its retention is forgotten every hour, also after a failure, until it stops', async (t) => {
  t.after(() => mock.timers.reset())
  mock.timers.enable({ apis: ['setInterval'] })
  const asked: object[] = []
  const store = {
    prune: async (before: object) => {
      asked.push(before)
      if (asked.length === 5) throw new AppError('STORE_UNAVAILABLE', 'disk full')
      return 7
    },
    pruneChanges: async (limits: object) => {
      asked.push(limits)
      return 3
    },
    pruneAlerts: async (limits: object) => {
      asked.push(limits)
      return 0
    },
    cutAudit: async (beforeMs: number) => {
      asked.push({ beforeMs })
      return 0
    },
    followedMs: async () => 0,
    noteFollowed: async () => {},
  }
  const clock = new ManualClock(500 * dayMs)
  const days = { events: 400, series: 14, bindings: 300, audit: 200, alerts: 30 }
  const retention = new Retention({ store, clock, log: createLogger('silent'), days })
  const afterAnHour = async () => {
    mock.timers.tick(hourMs)
    await new Promise((resolve) => setImmediate(resolve))
  }
  retention.start()
  await new Promise((resolve) => setImmediate(resolve))
  assert.deepEqual(asked, [
    { eventsMs: 100 * dayMs, seriesMs: 486 * dayMs, bindingsMs: 200 * dayMs },
    { beforeMs: 493 * dayMs, max: 100_000 },
    { beforeMs: 470 * dayMs, max: 1_000_000 },
    { beforeMs: 300 * dayMs },
  ])
  await afterAnHour()
  await afterAnHour()
  assert.deepEqual([asked.length, retention.rowsDeleted], [9, 20])
  await retention.stop()
  await afterAnHour()
  assert.equal(asked.length, 9)
})

test('a clock that leaps deletes a day more with each run, and the log says so; one that is right again is followed', async (t) => {
  t.after(() => mock.timers.reset())
  mock.timers.enable({ apis: ['setInterval'] })
  const lines: { msg: string; daysAhead?: number }[] = []
  const log = pino({}, { write: (line: string) => lines.push(JSON.parse(line)) })
  const pruned: number[] = []
  let followedMs = 1_000 * dayMs
  const store = {
    prune: async ({ eventsMs }: { eventsMs: number }) => pruned.push(eventsMs / dayMs),
    pruneChanges: async () => 0,
    pruneAlerts: async () => 0,
    cutAudit: async () => 0,
    followedMs: async () => followedMs,
    noteFollowed: async (ms: number) => {
      followedMs = ms
    },
  }
  const clock = new ManualClock(1_500 * dayMs)
  const retention = new Retention({
    store,
    clock,
    log,
    days: { events: 400, series: 14, bindings: 300, audit: 400, alerts: 30 },
  })
  t.after(() => retention.stop())
  const afterAnHour = async () => {
    mock.timers.tick(hourMs)
    await new Promise((resolve) => setImmediate(resolve))
  }
  retention.start()
  await new Promise((resolve) => setImmediate(resolve))
  await afterAnHour()
  await afterAnHour()
  assert.deepEqual(pruned, [601, 602], 'not at the start')
  assert.deepEqual(
    lines.map(({ daysAhead }) => daysAhead),
    [499, 499, 498],
  )
  clock.set(1_000.5 * dayMs)
  await afterAnHour()
  assert.deepEqual([pruned.at(-1), followedMs / dayMs], [600.5, 1_000.5])
})

test('a clock that goes back and forth deletes a day more at most with each run, and nothing while it is back', async (t) => {
  t.after(() => mock.timers.reset())
  mock.timers.enable({ apis: ['setInterval'] })
  const pruned: number[] = []
  let followedMs = 1_000 * dayMs
  const store = {
    prune: async ({ eventsMs }: { eventsMs: number }) => pruned.push(eventsMs / dayMs),
    pruneChanges: async () => 0,
    pruneAlerts: async () => 0,
    cutAudit: async () => 0,
    followedMs: async () => followedMs,
    noteFollowed: async (ms: number) => {
      followedMs = ms
    },
  }
  const clock = new ManualClock(1_000 * dayMs)
  const days = { events: 400, series: 14, bindings: 300, audit: 400, alerts: 30 }
  const retention = new Retention({ store, clock, log: createLogger('silent'), days })
  t.after(() => retention.stop())
  retention.start()
  await new Promise((resolve) => setImmediate(resolve))
  for (let hour = 0; hour < 24; hour++) {
    clock.set((hour % 2 === 0 ? 1_500 : 1_000) * dayMs + hour * hourMs)
    mock.timers.tick(hourMs)
    await new Promise((resolve) => setImmediate(resolve))
  }
  assert.ok(Math.max(...pruned) <= 602, `up to day ${Math.max(...pruned)}`)
  // The first time that it is ahead nothing is deleted; then every other run is back where the time is.
  const back = pruned.filter((_, run) => run % 2 === 1)
  assert.equal(back.length, 12)
  assert.ok(
    back.every((day) => day < 601),
    back.join(),
  )
})

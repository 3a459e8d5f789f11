import assert from 'node:assert/strict'
import { mock, test } from 'node:test'
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
      if (asked.length === 3) throw new AppError('STORE_UNAVAILABLE', 'disk full')
      return 7
    },
    pruneChanges: async (limits: object) => {
      asked.push(limits)
      return 3
    },
  }
  const clock = new ManualClock(500 * dayMs)
  const days = { events: 400, series: 14, bindings: 300 }
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
  ])
  await afterAnHour()
  await afterAnHour()
  assert.deepEqual([asked.length, retention.rowsDeleted], [5, 20])
  await retention.stop()
  await afterAnHour()
  assert.equal(asked.length, 5)
})

import assert from 'node:assert/strict'
import { afterEach, beforeEach, describe, it } from 'node:test'
import { ofSystem } from '../../test/helpers/labs/alerts.ts'
import { WebhookReceiver } from '../../test/helpers/servers/webhook-receiver.ts'
import type { Overdue } from '../alert/alert-store.ts'
import type { CheckState, Health } from '../api/http/health.ts'
import { ManualClock } from '../clock.ts'
import { createLogger } from '../log.ts'
import { Heartbeat, heartbeatMetrics } from './heartbeat.ts'

const check = (ok: boolean, detail: string): CheckState => ({ ok, detail, isWarning: false, sinceMs: null })
const none: Overdue = { waiting: 0, gone: 0 }
const well: Health = { ready: true, checks: { store: check(true, 'writable') } }

let receiver: WebhookReceiver
let state: { health: Health; lastMs: number | null; overdue: Overdue }
beforeEach(async () => {
  receiver = await new WebhookReceiver().start()
  state = { health: well, lastMs: 999_000, overdue: none }
})
afterEach(() => receiver.stop())

function heartbeatTo(url: string) {
  const asked: number[] = []
  const overdue = async (beforeMs: number) => {
    asked.push(beforeMs)
    return state.overdue
  }
  const clock = new ManualClock(1_000_000)
  const heartbeat = new Heartbeat({
    settings: { url, everySeconds: 60 },
    store: { overdue },
    health: async () => state.health,
    lastDatagramMs: () => state.lastMs,
    resolve: ofSystem,
    clock,
    log: createLogger('silent'),
  })
  return { heartbeat, asked, clock }
}

describe('the heartbeat', () => {
  it('says that all is well, and when it last did', async () => {
    const { heartbeat, asked } = heartbeatTo(`${receiver.url}?key=a`)
    const [lastTime] = heartbeatMetrics
    assert.equal(lastTime.read(heartbeat), 0)
    await heartbeat.beat()
    assert.deepEqual(
      receiver.received.map(({ path, body }) => [path, body]),
      [['/hook?key=a', '']],
    )
    assert.deepEqual([asked, lastTime.read(heartbeat)], [[700_000], 1_000])
    assert.deepEqual(heartbeat.counts, { well: 1, fail: 0, lost: 0 })
  })

  it('says why an attack might not be seen or told, at /fail', async () => {
    const { heartbeat } = heartbeatTo(`${receiver.url}/?key=a`)
    const told = async (change: Partial<typeof state>) => {
      state = { health: well, lastMs: 999_000, overdue: none, ...change }
      await heartbeat.beat()
      const { path, body } = receiver.received.at(-1) ?? assert.fail()
      assert.equal(path, '/hook/fail?key=a')
      return body
    }
    const failing = { ready: false, checks: { ...well.checks, detection: check(false, 'has not run yet') } }
    assert.equal(await told({ health: failing }), 'not ready: detection: has not run yet')
    assert.equal(await told({ lastMs: null }), 'no flows come in')
    assert.equal(await told({ lastMs: 879_999 }), 'no flows come in')
    assert.equal(
      await told({ overdue: { waiting: 2, gone: 0 } }),
      'messages wait for more than 5 minutes, for 2 channels',
    )
    assert.match(await told({ overdue: { waiting: 2, gone: 1 } }), /2 channels; 1 channels of admins .* \(HTTP 410\)$/)
    assert.deepEqual(heartbeat.counts, { well: 0, fail: 5, lost: 0 })
    assert.equal(heartbeat.lastMs, null)
  })

  it('that is not taken is no sign of life', async () => {
    const { heartbeat } = heartbeatTo(receiver.url)
    receiver.answer = () => ({ status: 500 })
    await assert.rejects(heartbeat.beat(), /HTTP 500/)
    receiver.answer = () => 'break'
    await assert.rejects(heartbeat.beat())
    assert.deepEqual([heartbeat.counts, heartbeat.lastMs], [{ well: 0, fail: 0, lost: 2 }, null])
  })

  it('is sent nowhere where there is no address', () => {
    assert.equal(heartbeatTo('').heartbeat.tasks.length, 0)
    assert.equal(heartbeatTo(receiver.url).heartbeat.tasks.length, 1)
  })
})

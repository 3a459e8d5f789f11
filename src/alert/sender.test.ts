// What becomes of messages by what their receiver answers: store, router and sender together.
import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { beforeEach, describe, it, type TestContext } from 'node:test'
import { eventOf } from '../../test/helpers/events.ts'
import { installationOf } from '../../test/helpers/labs/alerts.ts'
import { openFreshStore } from '../../test/helpers/store.ts'
import { until } from '../../test/helpers/until.ts'
import { channelOf } from '../../test/store-contract/alerts/parts.ts'
import { ManualClock } from '../clock.ts'
import { reportExample } from '../contract/events/examples.ts'
import { updateOf } from '../events/event.ts'
import type { EventDetail } from '../events/records.ts'
import { createLogger } from '../log.ts'
import type { Store } from '../store/store.ts'
import { AcknowledgingLinks } from './acknowledging.ts'
import type { Outcome } from './attempts.ts'
import { webhook } from './channels/webhook.ts'
import { Delays } from './delays.ts'
import { HostNames } from './outgoing/host-names.ts'
import { listOf } from './outgoing/reach.ts'
import { Router } from './router.ts'
import { Sender } from './sender.ts'

const minute = 60_000
let clock: ManualClock
let store: Store
let router: Router
let sender: Sender
let ann: string
let attempts: string[]
/** What the receiver says to ends; it takes everything else. */
let toEnds: Outcome
/** What happens during an attempt. */
let meanwhile: () => void

beforeEach(async (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'floodgauge-sender-'))
  clock = new ManualClock(1_000_000)
  store = await openFreshStore(join(folder, 'store.db'), { clock })
  ann = (await store.addUser({ email: 'ann@example.com', siteQuota: 10, allowed: null })).id
  await store.addChannel(ann, channelOf('a1'), 9)
  ;[attempts, toEnds, meanwhile] = [[], 'done', () => {}]
  const parts = { store, clock, delays: new Delays(), log: createLogger('silent') }
  sender = new Sender({
    ...{ ...parts, allowed: listOf([]), random: () => 0.5, installation: installationOf() },
    hostNames: new HostNames(),
    kinds: new Map([[webhook.kind, { ...webhook, paceMs: 0, send }]]),
    secretsOf: () => ({}),
    ownerOf: async () => ({ reach: 'any', email: 'ann@example.com' }),
    links: new AcknowledgingLinks({ publicUrl: '', key: () => null }),
    isAdmin: async () => false,
    present: ({ id }: EventDetail) => ({ id }),
    report: () => reportExample,
  })
  const paces = { perHour: 30, reopenMs: 10 * minute }
  router = new Router({ ...parts, paces, onRouted: () => sender.wake() })
  await route()
  ;(t as TestContext).after(async () => {
    await sender.stop()
    await store.close()
    rmSync(folder, { recursive: true })
  })
})

const send: typeof webhook.send = async ({ type, number }) => {
  attempts.push(`${type} ${number}`)
  meanwhile()
  return { outcome: type === 'event.ended' ? toEnds : 'done', pauseMs: null, text: '' }
}
const route = () => router.tasks[0].run()

/** All that is due by then is tried. */
async function pass(ms: number): Promise<string[]> {
  clock.advance(ms)
  await route()
  sender.wake()
  await until('nothing is due', async () => {
    const left = [...(await deliveriesIn('sending')), ...(await deliveriesIn('due')).filter(isDue)]
    return left.length === 0 || (await store.channelsOf(ann))[0].health.isDisabled
  })
  return attempts.splice(0)
}
const deliveriesIn = (state: 'due' | 'sending') => store.deliveriesOf(ann, { state, limit: 99 })
const isDue = ({ dueMs }: { dueMs: number }) => dueMs <= clock.now()
const states = async () => (await store.deliveriesOf(ann, { limit: 9 })).map(({ state }) => state)

async function attack(): Promise<EventDetail> {
  const event = eventOf(ann, 1, { endMs: null, phase: 'active' })
  await store.record({ made: [event] })
  assert.deepEqual(await pass(0), ['event.started 1'])
  return event
}
const end = (event: EventDetail) =>
  store.record({ updates: [updateOf({ ...event, endMs: clock.now(), phase: 'over' })] })
const returns = (event: EventDetail) =>
  store.record({ updates: [updateOf({ ...event, endMs: null, episode: { ...event.episode, number: 2 } })] })

describe('an end that the receiver waits for', () => {
  it('is tried on though it is refused, and the channel counts as failing', async () => {
    const event = await attack()
    toEnds = 'refused'
    await end(event)
    for (const ms of [0, 6_000, minute, 5 * minute]) assert.deepEqual(await pass(ms), ['event.ended 2'])
    const [failing] = await store.failingChannels({ failingBeforeMs: clock.now() - minute, deadAfterMs: 0 })
    assert.equal(failing?.id, 'a1')
    toEnds = 'done'
    assert.deepEqual(await pass(30 * minute), ['event.ended 2'])
    assert.deepEqual(await states(), ['done', 'done'])
  })

  it('is given up when it was refused three times and the attack comes back', async () => {
    const event = await attack()
    toEnds = 'refused'
    await end(event)
    for (const ms of [0, 6_000]) assert.deepEqual(await pass(ms), ['event.ended 2'])
    await returns(event)
    assert.deepEqual(await pass(minute), ['event.ended 2', 'event.resumed 3'])
    assert.deepEqual(await states(), ['done', 'dead', 'done'])
  })

  it('is sent when a channel is turned on again whose receiver wanted no more', async () => {
    const event = await attack()
    toEnds = 'gone'
    await end(event)
    assert.deepEqual(await pass(0), ['event.ended 2'])
    toEnds = 'done'
    assert.deepEqual(await pass(60 * minute), [])
    await store.changeChannel(ann, 'a1', { isDisabled: false })
    assert.deepEqual(await pass(0), ['event.ended 2'])
    assert.deepEqual(await states(), ['done', 'done'])
  })
})

describe('a clock that is set during an attempt', () => {
  for (const [how, stepMs] of [
    ['ahead', 400 * 1_440 * minute],
    ['back', -400 * 1_440 * minute],
  ] as const)
    it(`${how} neither gives up the message nor keeps the next one waiting`, async () => {
      clock.set(Date.UTC(2026, 0, 1))
      const event = await attack()
      toEnds = 'failed'
      meanwhile = () => clock.step(stepMs)
      await end(event)
      assert.deepEqual(await pass(0), ['event.ended 2'])
      meanwhile = () => {}
      const [{ dueMs, attempts: failed }] = await deliveriesIn('due')
      assert.deepEqual([dueMs - clock.now(), failed], [5_000, 1])
      const [{ health }] = await store.channelsOf(ann)
      assert.equal(health.failingSinceMs, clock.now())
      await store.record({ made: [eventOf(ann, 2, { phase: 'active' })] })
      assert.deepEqual(await pass(0), ['event.started 1'])
      toEnds = 'done'
      assert.deepEqual(await pass(5_000), ['event.ended 2'])
      assert.deepEqual(await states(), ['done', 'done', 'done'])
    })

  it('does not change how long it has failed', async () => {
    const event = await attack()
    toEnds = 'failed'
    await end(event)
    await pass(0)
    const startedMs = (await store.channelsOf(ann))[0].health.failingSinceMs ?? 0
    meanwhile = () => clock.step(90 * minute)
    assert.deepEqual(await pass(6_000), ['event.ended 2'])
    assert.equal((await store.channelsOf(ann))[0].health.failingSinceMs, startedMs + 90 * minute)
  })
})

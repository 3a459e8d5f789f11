// What goes on is said again to channels that forget it: to those of one user however those of others fare.
import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { beforeEach, describe, it, type TestContext } from 'node:test'
import { eventOf } from '../../test/helpers/events.ts'
import { installationOf } from '../../test/helpers/labs/alerts.ts'
import { openFreshStore } from '../../test/helpers/store.ts'
import { until } from '../../test/helpers/until.ts'
import { channelOf, noticeOf, routingOf } from '../../test/store-contract/alerts/parts.ts'
import { ManualClock } from '../clock.ts'
import { reportExample } from '../contract/events/examples.ts'
import { createLogger } from '../log.ts'
import type { Store } from '../store/store.ts'
import { AcknowledgingLinks } from './acknowledging.ts'
import type { ChannelKind } from './channels/kind.ts'
import { webhook } from './channels/webhook.ts'
import { Delays } from './delays.ts'
import type { NewNotice } from './notice.ts'
import { HostNames } from './outgoing/host-names.ts'
import { listOf } from './outgoing/reach.ts'
import { Room } from './outgoing/room.ts'
import { Repeater } from './repeater.ts'

let store: Store
let clock: ManualClock
let repeater: Repeater
let ann: string
let bob: string
let place: number
/** How many messages each request had, by channel. */
let said: [channelId: string, messages: number][]
let answer: (channelId: string) => Promise<Awaited<ReturnType<ChannelKind['send']>>['outcome']>

beforeEach(async (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'floodgauge-repeater-'))
  clock = new ManualClock(1_000_000)
  store = await openFreshStore(join(folder, 'store.db'), { clock })
  const user = async (name: string) =>
    (await store.addUser({ email: `${name}@example.com`, siteQuota: 10, allowed: null })).id
  ;[ann, bob] = [await user('ann'), await user('bob')]
  said = []
  place = 0
  answer = async () => 'done'
  const repeat: ChannelKind['repeat'] = async (messages, { channelId }) => {
    said.push([channelId, messages.length])
    return { outcome: await answer(channelId), pauseMs: null, text: '' }
  }
  repeater = new Repeater({
    room: new Room(),
    ...{
      store,
      clock,
      delays: new Delays(),
      log: createLogger('silent'),
      allowed: listOf([]),
      hostNames: new HostNames(),
    },
    installation: installationOf(),
    kinds: new Map([
      [webhook.kind, webhook],
      ['forgets', { ...webhook, kind: 'forgets', repeat }],
    ]),
    secretsOf: () => ({}),
    ownerOf: async () => ({ reach: 'any', email: '' }),
    isAdmin: async () => false,
    links: new AcknowledgingLinks({ publicUrl: '', key: () => null }),
    present: ({ id }) => ({ id }),
    report: () => reportExample,
  })
  ;(t as TestContext).after(async () => {
    await store.close()
    rmSync(folder, { recursive: true })
  })
})

const add = (userId: string, id: string, kind = 'forgets') => store.addChannel(userId, { ...channelOf(id), kind }, 99)

/** Attacks that go on, and that the channels were told. */
async function told(userId: string, from: number, count: number, channelIds: readonly string[]): Promise<string[]> {
  const events = Array.from({ length: count }, (_, n) =>
    eventOf(userId, 70_000 + from + n, { endMs: null, phase: 'active' }),
  )
  await store.record({ made: events })
  const facts = { severity: 'high' as const, label: 'x', isOver: false, number: 1 }
  const notices = events.map(({ id }) => [noticeOf(userId, id), ...channelIds] satisfies [NewNotice, ...string[]])
  await store.route(routingOf(place++, notices, { told: new Map(events.map(({ id }) => [id, facts])) }))
  return events.map(({ id }) => id)
}

describe('what goes on', () => {
  it('is said again to channels of one user while those of another hang', async () => {
    const channels = ['b1', 'b2', 'b3', 'b4', 'b5', 'b6']
    for (const id of channels) await add(bob, id)
    await told(bob, 0, 1, channels)
    await add(ann, 'a1')
    await told(ann, 10, 1, ['a1'])
    const { promise: hanging, resolve: end } = Promise.withResolvers<'failed'>()
    answer = async (id) => (id.startsWith('b') ? hanging : 'done')
    const pass = repeater.task.run()
    await until('ann is told', async () => said.some(([id]) => id === 'a1'))
    assert.deepEqual(said.map(([id]) => id).toSorted(), ['a1', 'b1', 'b2', 'b3', 'b4'])
    end('failed')
    await pass
    assert.deepEqual([said.length, repeater.counts], [7, { done: 1, failed: 6 }])
  })

  it('is said in several requests, unless the receiver cannot be spoken to', async () => {
    await add(ann, 'a1')
    await told(ann, 0, 25, ['a1'])
    const pass = async (outcome: Awaited<ReturnType<typeof answer>>) => {
      answer = async () => outcome
      said = []
      await repeater.task.run()
      return said.map(([, messages]) => messages)
    }
    assert.deepEqual([await pass('done'), await pass('failed'), await pass('refused')], [[20, 5], [20], [20, 5]])
  })

  it('is read as far as such a channel knows about it', async (t) => {
    await add(ann, 'a1')
    await add(ann, 'a2', 'webhook')
    const [first] = await told(ann, 0, 1, ['a1'])
    await told(ann, 1, 3, ['a2'])
    const read = t.mock.method(store, 'eventsToTell')
    await repeater.task.run()
    assert.deepEqual([read.mock.calls.map(({ arguments: [ids] }) => ids), said], [[[first]], [['a1', 1]]])
  })
})

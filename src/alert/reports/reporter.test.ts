// Reports with store and receivers: what they say, to whom, and that each arrives over restarts and through receivers that fail.
import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { beforeEach, describe, it, type TestContext } from 'node:test'
import { Value } from 'typebox/value'
import { eventOf } from '../../../test/helpers/events.ts'
import { installationOf } from '../../../test/helpers/labs/alerts.ts'
import { openFreshStore } from '../../../test/helpers/store.ts'
import { until } from '../../../test/helpers/until.ts'
import { channelOf } from '../../../test/store-contract/alerts/parts.ts'
import { ManualClock } from '../../clock.ts'
import { webhookBodyShape, webhookTypes } from '../../contract/alerts/webhooks.ts'
import { reportExample } from '../../contract/events/examples.ts'
import type { EventDetail } from '../../events/records.ts'
import { createLogger } from '../../log.ts'
import type { Store } from '../../store/store.ts'
import { AcknowledgingLinks } from '../acknowledging.ts'
import type { ChannelKind, Message } from '../channels/kind.ts'
import { webhook, webhookBody } from '../channels/webhook.ts'
import { Delays } from '../delays.ts'
import { factLines, textOf } from '../messages/text.ts'
import { HostNames } from '../outgoing/host-names.ts'
import { listOf } from '../outgoing/reach.ts'
import { Room } from '../outgoing/room.ts'
import { blankReport } from '../own/blank-report.ts'
import { firstRule } from '../rules/rule.ts'
import { Reporter } from './reporter.ts'

const minute = 60_000
const hour = 60 * minute
const daily = { day: null, hour: 8, timeZone: 'UTC' }
let clock: ManualClock
let store: Store
let reporter: Reporter
let ann: string
let bob: string
let eve: string
/** Channels that take nothing. */
let refusing: Set<string>
/** What their receivers do first. */
let held: (channelId: string) => Promise<void>
let sent: { channelId: string; message: Message }[]

function begin(): void {
  const send: ChannelKind['send'] = async (message, { channelId }) => {
    await held(channelId)
    const isDone = !refusing.has(channelId)
    if (isDone) sent.push({ channelId, message })
    return { outcome: isDone ? 'done' : 'failed', pauseMs: null, text: '' }
  }
  reporter = new Reporter({
    room: new Room(300),
    ...{
      store,
      clock,
      delays: new Delays(),
      log: createLogger('silent'),
      allowed: listOf([]),
      hostNames: new HostNames(),
      installation: installationOf(),
    },
    kinds: new Map([
      [webhook.kind, { ...webhook, send }],
      ['pager', { ...webhook, send, incidentsOnly: true }],
    ]),
    secretsOf: () => ({}),
    ownerOf: async () => ({ reach: 'any', email: '' }),
    isAdmin: async () => true,
    links: new AcknowledgingLinks({ publicUrl: '', key: () => null }),
    present: () => assert.fail('there is no event'),
    report: () => assert.fail('there is no event'),
    blank: blankReport(reportExample),
  })
}

beforeEach(async (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'floodgauge-reports-'))
  clock = new ManualClock(Date.parse('2026-03-02T12:00:00Z'))
  store = await openFreshStore(join(folder, 'store.db'), { clock })
  const user = async (name: string) =>
    (await store.addUser({ email: `${name}@example.com`, siteQuota: 10, allowed: null })).id
  ;[ann, bob, eve] = [await user('ann'), await user('bob'), await user('eve')]
  await store.updateUser(eve, { role: 'admin' })
  for (const id of ['a1', 'a2']) await store.addChannel(ann, channelOf(id), 9)
  await store.addChannel(ann, { ...channelOf('a3'), kind: 'pager' }, 9)
  await store.addChannel(eve, channelOf('e1'), 9)
  refusing = new Set()
  held = async () => {}
  sent = []
  begin()
  ;(t as TestContext).after(async () => {
    await store.close()
    rmSync(folder, { recursive: true })
  })
})

const rule = (given: Partial<Parameters<Store['addRule']>[1]> = {}, userId = ann) =>
  store.addRule(userId, { ...firstRule, id: `r-${userId}`, name: 'Every morning', report: daily, ...given }, 9)
const heavy = (times: number) => ({ worst: { packetsPerSecond: 1_000 * times, bytesPerSecond: 1e6 * times } })
async function attack(userId: string, number: number, given: Partial<EventDetail> = {}): Promise<void> {
  const times = { createdMs: clock.now(), endMs: clock.now() + minute, phase: 'over' as const }
  await store.record({ made: [eventOf(userId, 70_000 + number, { ...times, ...heavy(1), ...given })] })
}
/** Looks at once, and at eight the next morning. */
async function untilMorning(): Promise<void> {
  await reporter.look()
  clock.advance(20 * hour)
  await reporter.look()
}
const told = () => sent.map(({ channelId }) => channelId).toSorted()
const bodyOf = ({ message }: { message: Message }) => JSON.parse(webhookBody(message)).data

describe('a report', () => {
  it('says each morning what attacks there were, by severity, the heaviest, and what goes on', async () => {
    await rule()
    for (let n = 1; n <= 6; n++) await attack(ann, n, heavy(n))
    await attack(ann, 7, { ...heavy(500), endMs: null, phase: 'active', site: 'shop.example.net' })
    await attack(ann, 8, { isTest: true })
    await attack(bob, 9)
    await untilMorning()
    assert.deepEqual(told(), ['a1', 'a2'])
    const [{ message }] = sent
    assert.ok(Value.Check(webhookBodyShape(message.type, webhookTypes[message.type]), JSON.parse(webhookBody(message))))
    const { count, open, more, bySeverity, heaviest, goingOn, since, until } = bodyOf(sent[0])
    assert.deepEqual([count, open, more, heaviest.length, goingOn.length], [7, 1, 0, 5, 1])
    assert.equal(bySeverity.critical, 1)
    assert.deepEqual([heaviest[0].site, goingOn[0].site], ['shop.example.net', 'shop.example.net'])
    assert.deepEqual([since, until], ['2026-03-02T08:00:00.000Z', '2026-03-03T08:00:00.000Z'])
    const text = textOf(message, {}, 'https://fg.example.net')
    assert.equal(text.title, '[REPORT] Every morning: 7 attacks, 1 going on')
    assert.match(
      factLines(text).join('\n'),
      /^Attacks: 7: 1 × Critical, .*\nHeaviest: shop\.example\.net .*\nGoing on: shop/,
    )
    assert.equal(text.link?.url, 'https://fg.example.net/events')
    assert.match(textOf(message, { language: 'zh' }, '').title, /^\[报告\] Every morning：7 次攻击，1 次仍在持续$/)
  })

  it('is looked for by reading the channels of a user once, however many rules report', async (t) => {
    for (const n of [1, 2, 3]) await rule({ id: `r-${n}`, name: `${n}` })
    const read = t.mock.method(store, 'channelsOf')
    await untilMorning()
    assert.deepEqual(
      read.mock.calls.map(({ arguments: [userId] }) => userId),
      [ann, ann],
    )
    assert.deepEqual(told(), ['a1', 'a1', 'a1', 'a2', 'a2', 'a2'])
  })

  it('is computed once, however often it is sent, which is ever less often', async (t) => {
    await rule()
    await attack(ann, 1)
    refusing.add('a2')
    const computed = t.mock.method(store, 'attacksBetween')
    await untilMorning()
    const wasMs = clock.now()
    clock.advance(minute)
    await reporter.look()
    for (const minutes of [4, 1, 14, 1, 29, 1, 29]) {
      clock.advance(minutes * minute)
      await reporter.look()
    }
    assert.deepEqual(reporter.counts, { told: 1, failed: 5 })
    refusing.clear()
    clock.advance(minute)
    await reporter.look()
    assert.deepEqual([told(), reporter.counts], [['a1', 'a2'], { told: 2, failed: 5 }])
    assert.deepEqual([computed.mock.callCount(), sent[1].message.atMs], [1, wasMs])
    clock.advance(24 * hour)
    await reporter.look()
    assert.equal(computed.mock.callCount(), 2)
  })

  it('goes to others, and the next ones too, while a channel takes long, which is sent it once', async () => {
    await rule()
    await attack(ann, 1)
    const { promise: isHeld, resolve: end } = Promise.withResolvers<void>()
    held = (channelId) => (channelId === 'a1' ? isHeld : Promise.resolve())
    await untilMorning()
    assert.deepEqual(told(), ['a2'])
    await rule({ id: 'r-later', name: 'later', send: ['a2'], report: { ...daily, hour: 9 } })
    await reporter.look()
    clock.advance(hour)
    await reporter.look()
    assert.deepEqual(told(), ['a2', 'a2'])
    end()
    await until('it is taken', async () => sent.length === 3)
    clock.advance(hour)
    await reporter.look()
    assert.deepEqual([told(), reporter.counts], [['a1', 'a2', 'a2'], { told: 3, failed: 0 }])
    assert.deepEqual(
      (await store.reports()).map(({ pending }) => pending),
      [null, null],
    )
  })

  it('goes to other users while the channels of one hang, of which four are sent to at a time', async () => {
    for (const id of ['a4', 'a5', 'a6', 'a7']) await store.addChannel(ann, channelOf(id), 9)
    await store.addChannel(bob, channelOf('b1'), 9)
    for (let n = 0; n < 8; n++) await rule({ id: `r-${n}`, name: `${n}` })
    await rule({}, bob)
    const { promise: hanging, resolve: end } = Promise.withResolvers<void>()
    let begun = 0
    held = async (channelId) => {
      if (!channelId.startsWith('a')) return
      begun++
      await hanging
    }
    const morning = untilMorning()
    await until('bob is told', async () => sent.length > 0)
    assert.deepEqual([told(), begun], [['b1'], 4])
    end()
    await morning
    assert.equal(begun, 8 * 6)
  })

  it('is planned again where a clock planned it that has been set back', async () => {
    const trueMs = clock.now()
    await rule()
    clock.advance(400 * 24 * hour)
    await reporter.look()
    clock.set(trueMs)
    await untilMorning()
    assert.deepEqual(told(), ['a1', 'a2'])
    assert.equal(bodyOf(sent[0]).until, '2026-03-03T08:00:00.000Z')
  })

  it('says that there was no attack, and that one from before goes on', async () => {
    await rule()
    await untilMorning()
    assert.equal(textOf(sent[0].message, {}, '').title, '[REPORT] Every morning: no attack')
    await attack(ann, 1, { endMs: null, phase: 'active' })
    clock.advance(24 * hour)
    await reporter.look()
    clock.advance(24 * hour)
    await reporter.look()
    assert.deepEqual(
      sent.filter(({ channelId }) => channelId === 'a1').map((each) => [bodyOf(each).count, bodyOf(each).open]),
      [
        [0, 0],
        [1, 1],
        [1, 1],
      ],
    )
  })

  it('is about what its rule is about, and goes where that sends to', async () => {
    await rule({ send: ['a2'], when: { ...firstRule.when, sites: ['*.example.net'], severities: ['low', 'medium'] } })
    await attack(ann, 1, { site: 'shop.example.net' })
    await attack(ann, 2, { site: 'shop.example.com' })
    await attack(ann, 3, { site: 'www.example.net', ...heavy(500) })
    await untilMorning()
    assert.deepEqual(told(), ['a2'])
    assert.deepEqual(
      bodyOf(sent[0]).heaviest.map(({ site }: { site: string }) => site),
      ['shop.example.net'],
    )
  })

  it('of the installation has each attack once, as long as its user is an admin', async () => {
    await rule({ reach: 'installation' }, eve)
    await attack(ann, 1, { incident: 'i1' })
    await attack(bob, 2, { incident: 'i1' })
    await attack(bob, 3)
    await untilMorning()
    assert.deepEqual([told(), bodyOf(sent[0]).count], [['e1'], 2])
    await store.updateUser(eve, { role: 'member' })
    clock.advance(24 * hour)
    await reporter.look()
    assert.equal(sent.length, 1)
  })

  it('arrives once at each channel, over restarts and through receivers that fail', async () => {
    await rule()
    refusing.add('a2')
    await untilMorning()
    await reporter.look()
    assert.deepEqual(told(), ['a1'])
    begin()
    refusing.clear()
    await reporter.look()
    begin()
    await reporter.look()
    assert.deepEqual(told(), ['a1', 'a2'])
    assert.equal(new Set(sent.map(({ message }) => message.id)).size, 1)
    assert.deepEqual((await store.reports())[0].pending, null)
  })

  it('is sent again after a while where it failed, and not at all once its rule says no more', async () => {
    await rule({ send: ['a1'] })
    refusing.add('a1')
    await untilMorning()
    refusing.clear()
    clock.advance(minute - 1)
    await reporter.look()
    assert.deepEqual([told(), reporter.counts], [[], { told: 0, failed: 1 }])
    await store.changeRule(ann, `r-${ann}`, { report: null })
    clock.advance(minute)
    await reporter.look()
    assert.deepEqual([told(), await store.reports()], [[], []])
    await store.changeRule(ann, `r-${ann}`, { report: daily })
    await reporter.look()
    assert.deepEqual(told(), [])
    clock.advance(24 * hour)
    await reporter.look()
    assert.deepEqual(told(), ['a1'])
  })
})

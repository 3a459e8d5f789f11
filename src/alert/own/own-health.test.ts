// What is told about the installation itself: each beginning and each end once to each channel, over restarts, through receivers that fail.
import assert from 'node:assert/strict'
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, it } from 'node:test'
import { installationOf } from '../../../test/helpers/labs/alerts.ts'
import { WebhookReceiver } from '../../../test/helpers/servers/webhook-receiver.ts'
import { openFreshStore } from '../../../test/helpers/store.ts'
import { until } from '../../../test/helpers/until.ts'
import { ManualClock } from '../../clock.ts'
import { reportExample } from '../../contract/events/examples.ts'
import { createLogger } from '../../log.ts'
import type { Store } from '../../store/store.ts'
import { AcknowledgingLinks } from '../acknowledging.ts'
import { exec } from '../channels/exec.ts'
import { webhook } from '../channels/webhook.ts'
import { Delays } from '../delays.ts'
import { HookRunner } from '../hooks/runner.ts'
import { HostNames } from '../outgoing/host-names.ts'
import { listOf } from '../outgoing/reach.ts'
import { Room } from '../outgoing/room.ts'
import { plainRule } from '../rules/rule.ts'
import type { Hook } from '../settings.ts'
import { blankReport } from './blank-report.ts'
import type { Problem } from './condition.ts'
import { OwnHealth } from './own-health.ts'

const minute = 60_000
const silent: Problem = {
  ...{ type: 'exporter.silent', subject: '192.0.2.1', detail: '', owner: null },
  ...{ sinceMs: 700_000, untilMs: null },
}
const lossy: Problem = { ...silent, type: 'exporter.problem', detail: 'loss: 12 %', sinceMs: null }

let folder: string
let clock: ManualClock
let store: Store
let receiver: WebhookReceiver
let problems: Problem[]
let whyOver: string
let own: OwnHealth
let hooks: Hook[] = []
let admin: string
let bob: string

function begin(): void {
  own = new OwnHealth({
    room: new Room(300),
    ...{
      store,
      clock,
      delays: new Delays(),
      log: createLogger('silent'),
      allowed: listOf([]),
      hostNames: new HostNames(),
      installation: installationOf({
        hooks: new HookRunner(hooks, { directory: join(folder, 'book'), log: createLogger('silent') }),
      }),
    },
    kinds: new Map([
      [webhook.kind, webhook],
      [exec.kind, exec],
      ['pager', { ...webhook, incidentsOnly: true, close: async () => assert.fail('its channel is there') }],
      ['forgetful', { ...webhook, repeat: async () => assert.fail('attacks alone are repeated') }],
    ]),
    secretsOf: () => ({}),
    ownerOf: async () => ({ reach: 'any', email: '' }),
    isAdmin: async () => true,
    links: new AcknowledgingLinks({ publicUrl: '', key: () => null }),
    present: () => assert.fail('there is no event'),
    report: () => assert.fail('there is no event'),
    problems: { find: async () => problems, whyOver: async () => whyOver },
    blank: blankReport(reportExample),
  })
}

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'floodgauge-own-'))
  clock = new ManualClock(1_000_000)
  store = await openFreshStore(join(folder, 'store.db'), { clock })
  receiver = await new WebhookReceiver().start()
  admin = (await store.addUser({ email: 'admin@example.com', siteQuota: 1, allowed: null, role: 'admin' })).id
  bob = (await store.addUser({ email: 'bob@example.com', siteQuota: 1, allowed: null })).id
  await add(admin, 'a1')
  await add(bob, 'b1')
  problems = []
  whyOver = ''
  begin()
})
afterEach(async () => {
  await own.stop()
  await store.close()
  receiver.stop()
  rmSync(folder, { recursive: true })
})

const add = (userId: string, id: string, kind = 'webhook') =>
  store.addChannel(
    userId,
    { id, kind, name: id, settings: { url: `${receiver.url}/${id}` }, sealed: new Uint8Array() },
    9,
  )

/** What came since the last time, after a look some seconds later. */
async function look(laterMs = 10_000): Promise<string[]> {
  clock.advance(laterMs)
  receiver.received.length = 0
  await own.look()
  return receiver.received.map(({ path, body }) => `${path.split('/').at(-1)} ${JSON.parse(body).type}`).toSorted()
}

describe('what is wrong with the installation', () => {
  it('is told to admins once, and its end; a user is not told', async () => {
    assert.deepEqual(await look(), [])
    problems = [silent]
    assert.deepEqual(await look(), ['a1 exporter.silent'])
    const { data } = JSON.parse(receiver.received[0].body)
    assert.deepEqual(
      [data.severity, data.subject, data.since, data.until],
      [...['high', '192.0.2.1', new Date(700_000).toISOString(), null]],
    )
    const id = receiver.received[0].headers['webhook-id']
    assert.deepEqual(await look(), [])
    problems = []
    assert.deepEqual(await look(), ['a1 exporter.recovered'])
    assert.equal(String(id).replace(/1$/, '2'), receiver.received[0].headers['webhook-id'])
    assert.equal(JSON.parse(receiver.received[0].body).data.until, new Date(clock.now()).toISOString())
    assert.deepEqual([await look(), await store.conditions()], [[], []])
  })

  it('survives a restart, and is tried again until it arrives', async () => {
    problems = [silent]
    receiver.answer = () => ({ status: 503 })
    assert.deepEqual(await look(), ['a1 exporter.silent'])
    begin()
    receiver.answer = () => ({ status: 204 })
    assert.deepEqual(await look(), ['a1 exporter.silent'])
    begin()
    assert.deepEqual(await look(), [])
    problems = []
    receiver.answer = () => ({ status: 503 })
    assert.deepEqual(await look(), ['a1 exporter.recovered'])
    assert.deepEqual(await look(), [], 'not before a minute')
    receiver.answer = () => ({ status: 204 })
    assert.deepEqual(await look(minute), ['a1 exporter.recovered'])
    assert.deepEqual(own.counts, { told: 1, failed: 1, refused: 0 })
    assert.deepEqual(await store.conditions(), [])
  })

  it('begins now where it was dated by a clock that has been set back', async () => {
    problems = [lossy]
    await look()
    clock.set(100_000)
    assert.deepEqual(await look(), [])
    assert.equal((await store.conditions())[0].sinceMs, clock.now())
    assert.deepEqual(await look(5 * minute), ['a1 exporter.problem'])
    receiver.answer = () => ({ status: 503 })
    problems = []
    await look()
    clock.set(100_000)
    receiver.answer = () => ({ status: 204 })
    assert.deepEqual(await look(minute), ['a1 exporter.recovered'])
  })

  it('that is over before anybody knows is told to nobody, and some only after five minutes', async () => {
    problems = [lossy]
    assert.deepEqual(await look(), [])
    problems = []
    assert.deepEqual([await look(), await store.conditions()], [[], []])
    problems = [lossy]
    await look()
    assert.deepEqual(await look(5 * minute - 1), [])
    assert.deepEqual(await look(1), ['a1 exporter.problem'])
    problems = [silent]
    assert.deepEqual(await look(), ['a1 exporter.recovered', 'a1 exporter.silent'])
  })

  it('goes by the rules of admins: severity, time and channels count, and a rule about sites is about attacks alone', async () => {
    await add(admin, 'a2')
    const [{ id }] = await store.rulesOf(admin)
    const when = { ...plainRule.when }
    await store.changeRule(admin, id, { send: ['a2'], when: { ...when, severities: ['high'] } })
    problems = [silent, { ...lossy, subject: '192.0.2.2' }]
    await look()
    assert.deepEqual(await look(5 * minute), [])
    assert.deepEqual(
      (await store.conditions()).map(({ told }) => told),
      [['a2'], []],
    )
    problems = []
    await look()
    await store.changeRule(admin, id, { send: null, when: { ...when, sites: ['*.example.net'] } })
    problems = [silent]
    assert.deepEqual(await look(), [])
    await store.changeRule(admin, id, { when })
    await store.changeChannel(admin, 'a2', { isDisabled: true })
    assert.deepEqual(await look(), ['a1 exporter.silent'])
  })

  it('waits for the end of quiet hours, unless it is critical', async () => {
    const quiet = { timeZone: 'UTC', days: [], hours: '00:00-06:00' }
    await store.changeChannel(admin, 'a1', { quiet })
    problems = [silent, { ...silent, type: 'flows.none', subject: '' }]
    assert.deepEqual(await look(), ['a1 flows.none'])
    assert.deepEqual(await look(6 * 60 * minute), ['a1 exporter.silent'])
  })

  it('is told about a channel to its owner on the others, and why it fails no more', async () => {
    await add(bob, 'b2')
    const owner = { userId: bob, exceptChannelId: 'b1' }
    problems = [{ ...silent, type: 'channel.failing', subject: 'Pager', detail: 'HTTP 503', owner }]
    assert.deepEqual(await look(), ['a1 channel.failing', 'b2 channel.failing'])
    whyOver = 'it was turned off'
    problems = []
    assert.deepEqual(await look(), ['a1 channel.recovered', 'b2 channel.recovered'])
    assert.equal(JSON.parse(receiver.received[0].body).data.detail, 'HTTP 503; it was turned off')
    assert.deepEqual(await store.conditions(), [])
  })

  it('is told to admins about one channel of a user at a time, and of the next after an hour', async () => {
    await add(bob, 'b2')
    const failing = (id: string): Problem => ({
      ...{ ...silent, type: 'channel.failing', subject: id },
      owner: { userId: bob, exceptChannelId: id },
    })
    problems = [failing('b8'), failing('b9')]
    const toBob = (type: string) => ['b1', 'b1', 'b2', 'b2'].map((id) => `${id} channel.${type}`)
    assert.deepEqual(await look(), ['a1 channel.failing', ...toBob('failing')])
    problems = []
    assert.deepEqual(await look(), ['a1 channel.recovered', ...toBob('recovered')])
    // It fails again and again.
    for (let n = 0; n < 3; n++) {
      problems = [failing('b8')]
      assert.deepEqual(await look(), ['b1 channel.failing', 'b2 channel.failing'])
      problems = []
      assert.deepEqual(await look(), ['b1 channel.recovered', 'b2 channel.recovered'])
    }
    problems = [failing('b9'), { ...failing('a9'), owner: { userId: admin, exceptChannelId: 'a9' } }]
    assert.deepEqual(await look(), ['a1 channel.failing', 'b1 channel.failing', 'b2 channel.failing'])
    assert.deepEqual(await look(60 * minute), ['a1 channel.failing'])
    assert.deepEqual(
      (await store.conditions()).map(({ subject, told }) => [subject, [...told].toSorted()]),
      [
        ['b9', ['a1', 'b1', 'b2']],
        ['a9', ['a1']],
      ],
    )
  })

  it('is told again to an admin who was none meanwhile', async () => {
    problems = [silent]
    await look()
    await store.updateUser(admin, { role: 'member' })
    assert.deepEqual([await look(), (await store.conditions())[0].told], [[], []])
    await store.updateUser(admin, { role: 'admin' })
    assert.deepEqual(await look(minute), ['a1 exporter.silent'])
  })

  it('is told about a proof to the owner of the site on all channels, and to no admin', async () => {
    const owner = { userId: bob, exceptChannelId: null }
    const missing = { ...silent, type: 'site.proof_missing', subject: 'www.example.com', owner } as const
    await add(bob, 'b2')
    problems = [missing]
    assert.deepEqual(await look(), ['b1 site.proof_missing', 'b2 site.proof_missing'])
    // An admin who has the same site misses a proof of their own.
    problems = [missing, { ...missing, owner: { ...owner, userId: admin } }]
    assert.deepEqual(await look(), ['a1 site.proof_missing'])
    problems = [missing]
    assert.deepEqual(await look(), ['a1 site.proof_found'])
    problems = []
    assert.deepEqual(await look(), ['b1 site.proof_found', 'b2 site.proof_found'])
  })

  it('is told once, and without an end, where it was over when it was known', async () => {
    problems = [{ ...silent, type: 'service.blind', subject: '', untilMs: 900_000 }]
    assert.deepEqual(await look(), ['a1 service.blind'])
    const { data } = JSON.parse(receiver.received[0].body)
    assert.deepEqual([data.since, data.until], [new Date(700_000).toISOString(), new Date(900_000).toISOString()])
    // It is shown for a day, and told to nobody who comes later.
    await add(admin, 'a9')
    const kept = (await store.conditions()).map(({ type, told }) => [type, told])
    assert.deepEqual([await look(), kept], [[], [['service.blind', ['a1']]]])
    problems = []
    assert.deepEqual([await look(), (await store.conditions()).length], [[], 1])
    assert.deepEqual([await look(1_441 * minute), await store.conditions()], [[], []])
  })

  it('is told to others while a program takes long, and its end to that program, too, as soon as it has begun', async (t) => {
    const [begun, go] = [join(folder, 'begun'), join(folder, 'go')]
    const script = `echo $1 >>${begun}; while [ ! -e ${go} ]; do sleep 0.1; done`
    hooks = [{ name: 'slow', command: ['/bin/sh', '-c', script, 'sh', '{type}'], timeoutSeconds: 60 }]
    t.after(() => {
      hooks = []
    })
    begin()
    await store.addChannel(
      admin,
      { id: 'a2', kind: 'exec', name: 'a2', settings: { hook: 'slow' }, sealed: new Uint8Array() },
      9,
    )
    const said = () => (existsSync(begun) ? readFileSync(begun, 'utf8').trim().split('\n') : [])
    problems = [silent]
    assert.deepEqual(await look(), ['a1 exporter.silent'])
    await until('the program has begun', async () => said().length === 1)
    problems = []
    assert.deepEqual(await look(), ['a1 exporter.recovered'])
    assert.deepEqual(
      (await store.conditions()).map(({ told }) => told),
      [[]],
    )
    assert.deepEqual(await look(minute), [])
    assert.deepEqual(said(), ['exporter.silent'])
    writeFileSync(go, '')
    await until('the program has ended', async () => own.counts.told === 3)
    await look()
    await until('the program knows that it is over', async () => own.counts.told === 4)
    assert.deepEqual(said(), ['exporter.silent', 'exporter.recovered'])
    await look()
    assert.deepEqual(await store.conditions(), [])
  })

  it('is over for a pager, too, that may have opened an incident though its answer never came', async () => {
    await add(admin, 'a2', 'pager')
    await store.changeChannel(admin, 'a1', { isDisabled: true })
    receiver.answer = () => 'break'
    problems = [silent]
    assert.deepEqual(await look(), ['a2 exporter.silent'])
    problems = []
    assert.deepEqual(await look(), ['a2 exporter.recovered'])
    receiver.answer = () => ({ status: 202 })
    assert.deepEqual(await look(minute), ['a2 exporter.recovered'])
    assert.deepEqual([await look(minute), await store.conditions()], [[], []])
    // Who was told that it takes nothing has opened nothing.
    receiver.answer = () => ({ status: 400 })
    problems = [silent]
    assert.deepEqual(await look(), ['a2 exporter.silent'])
    problems = []
    assert.deepEqual(await look(), [])
  })

  it('is over for a pager, too, whose answer to the beginning fails to come only after the end', async () => {
    await add(admin, 'a2', 'pager')
    await store.changeChannel(admin, 'a1', { isDisabled: true })
    receiver.answer = () => ({ status: 503, afterMs: 1_500 })
    problems = [silent]
    assert.deepEqual(await look(), ['a2 exporter.silent'])
    receiver.answer = () => ({ status: 202 })
    problems = []
    assert.deepEqual(await look(), [])
    await until('the pager has failed', async () => own.counts.failed === 1)
    assert.deepEqual(await look(), ['a2 exporter.recovered'])
    assert.deepEqual([await look(), await store.conditions()], [[], []])
  })

  it('is said again each minute to receivers that forget', async () => {
    await store.deleteChannel(admin, 'a1')
    await add(admin, 'a3', 'forgetful')
    problems = [silent]
    assert.deepEqual(await look(), ['a3 exporter.silent'])
    assert.deepEqual(await look(), [])
    assert.deepEqual(await look(minute), ['a3 exporter.silent'])
  })

  it('is bounded: of too many the earliest are kept, and the others counted', async () => {
    await store.deleteChannel(admin, 'a1')
    problems = Array.from({ length: 600 }, (_, n) => ({ ...silent, subject: `e${n}` }))
    await look()
    assert.deepEqual([(await store.conditions()).length, own.counts.refused], [500, 100])
  })

  it('has its place, however many channels of users fail', async () => {
    await store.deleteChannel(admin, 'a1')
    const failing = (user: number, n: number): Problem => ({
      ...{ type: 'channel.failing', subject: `c${n}`, detail: '', sinceMs: 0, untilMs: null },
      owner: { userId: `u${user}`, exceptChannelId: `${user} ${n}` },
    })
    problems = Array.from({ length: 100 }, (_, user) => Array.from({ length: 20 }, (_, n) => failing(user, n))).flat()
    await look()
    assert.deepEqual([(await store.conditions()).length, own.counts.refused], [500, 1_500])
    const owner = { userId: 'u0', exceptChannelId: null }
    const missing: Problem = { ...silent, type: 'site.proof_missing', subject: 'www.example.com', owner }
    problems = [...problems, silent, missing]
    await look()
    const last = (await store.conditions()).slice(-2).map(({ type }) => type)
    assert.deepEqual(last, ['exporter.silent', 'site.proof_missing'])
  })
})

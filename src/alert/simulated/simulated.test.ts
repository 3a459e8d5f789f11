// Simulated attacks that are to be told, with router and store: who is told, who never is, and what is said of it.
import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, beforeEach, describe, it } from 'node:test'
import { eventOf } from '../../../test/helpers/events.ts'
import { openFreshStore } from '../../../test/helpers/store.ts'
import { channelOf, settlementOf, takeAll } from '../../../test/store-contract/alerts/parts.ts'
import { ManualClock } from '../../clock.ts'
import { updateOf } from '../../events/event.ts'
import type { EventDetail } from '../../events/records.ts'
import { createLogger } from '../../log.ts'
import type { Store } from '../../store/store.ts'
import { Delays } from '../delays.ts'
import { Router } from '../router.ts'
import { firstRule, type RuleContent } from '../rules/rule.ts'
import { outcomesOf } from './outcomes.ts'

const second = 1_000
const minute = 60 * second
const log = createLogger('silent')
/** Critical: it passes quiet hours. */
const worst = { packetsPerSecond: 1e6, bytesPerSecond: 1e9 }
const clock = new ManualClock(Date.parse('2026-03-02T12:00:00Z'))
let folder: string
let store: Store
let router: Router
let user: string
let users = 0
/** Incidents that are to be told. */
let told: Set<string>

before(async () => {
  folder = mkdtempSync(join(tmpdir(), 'floodgauge-simulated-'))
  store = await openFreshStore(join(folder, 'store.db'), { clock })
})
after(async () => {
  await store.close()
  rmSync(folder, { recursive: true })
})

beforeEach(async () => {
  await newUser()
  told = new Set()
  begin()
  await look()
})

async function newUser(role: 'admin' | 'member' = 'member'): Promise<string> {
  users++
  user = (await store.addUser({ email: `${users}@example.com`, siteQuota: 10, allowed: null, role })).id
  return user
}

function begin(perHour = 30): void {
  const isToldTest = ({ incident }: { incident: string }) => told.has(incident)
  router = new Router({
    store,
    clock,
    log,
    delays: new Delays(),
    paces: { perHour, reopenMs: 10 * minute },
    isToldTest,
    onRouted: () => {},
  })
}
const look = () => router.tasks[0].run()
async function pass(ms: number): Promise<void> {
  clock.advance(ms)
  await look()
}
const idOf = (name: string) => Buffer.from(`${users}${name}`).toString('hex')
const addChannel = (name: string, kind = 'slack') =>
  store.addChannel(user, { ...channelOf(idOf(name)), name, kind }, 99)
const addRule = (name: string, given: Partial<RuleContent>) =>
  store.addRule(user, { ...firstRule, id: idOf(name), name, ...given }, 99)

async function attack(given: Partial<EventDetail> = {}, { isTold = true } = {}): Promise<EventDetail> {
  made++
  const now = { phase: 'active', createdMs: clock.now(), startMs: clock.now(), worst } as const
  const event = eventOf(user, 90_000 + made, { ...now, isTest: true, ...given })
  if (isTold) told.add(event.incident)
  await store.record({ made: [event] })
  await look()
  return event
}
let made = 0

async function end(event: EventDetail): Promise<void> {
  await store.record({ updates: [updateOf({ ...event, endMs: clock.now(), phase: 'over' })] })
  await look()
}

/** Everything that can be sent arrives. */
async function receive(): Promise<string[]> {
  const names = new Map((await store.channelsOf(user)).map(({ id, name }) => [id, name]))
  const said: string[] = []
  for (;;) {
    const taken = await takeAll(store, clock.now(), { leaseMs: 0 })
    if (taken.length === 0) return said.sort()
    for (const each of taken) {
      const others = each.others === null ? '' : ` and ${each.others.count}`
      said.push(`${names.get(each.channelId)}: ${each.notice.kind}${others}`)
      await store.settle(settlementOf(each))
    }
  }
}

const outcomes = async (event: EventDetail) =>
  (await outcomesOf(event, { store, nowMs: clock.now() })).map(({ channel, state, held, text }) =>
    [channel.name, state, held?.by, text].filter((each) => each !== undefined && each !== null).join(' '),
  )

describe('a simulated attack', () => {
  it('is told to nobody unless its user asked for it', async () => {
    await addChannel('chat')
    await attack({}, { isTold: false })
    await pass(minute)
    assert.deepEqual(await receive(), [])
  })

  it('is told like a real one, and so is its end, also by a process that knows nothing of it', async () => {
    await addChannel('chat')
    await addChannel('program', 'webhook')
    const event = await attack()
    assert.deepEqual(await outcomes(event), ['chat held group', 'program waiting'])
    await pass(5 * second)
    assert.deepEqual(await receive(), ['chat: started', 'program: started'])
    assert.deepEqual(await outcomes(event), ['chat done', 'program done'])
    told.clear()
    begin()
    await end(event)
    await pass(minute)
    assert.deepEqual(await receive(), ['chat: ended', 'program: ended'])
    assert.deepEqual(await outcomes(event), ['chat done', 'program done'])
  })

  it('is told to pagers by rules that say so alone', async () => {
    await addChannel('chat')
    await addChannel('pager', 'pagerduty')
    await addChannel('manager', 'alertmanager')
    const step = { afterMinutes: 1, unless: 'acknowledged' as const, send: [idOf('pager')] }
    await addRule('steps', { escalate: [step] })
    const quiet = await attack()
    assert.deepEqual(await outcomes(quiet), ['chat held group', 'manager pager', 'pager pager'])
    await pass(2 * minute)
    assert.deepEqual(await receive(), ['chat: started'])
    await addRule('tests', { send: [idOf('pager')], tests: true })
    const loud = await attack()
    assert.deepEqual(await outcomes(loud), ['chat held group', 'manager pager', 'pager held group'])
    await pass(5 * second)
    assert.deepEqual(await receive(), ['chat: started', 'pager: started'])
  })

  it('is told to nobody but its user', async () => {
    const ann = await newUser('admin')
    await addChannel('admin')
    const all = await addRule('all', { reach: 'installation' })
    await newUser()
    await addChannel('own')
    const event = await attack()
    await pass(minute)
    assert.deepEqual((await store.deliveriesOf(ann, { limit: 9 })).length, 0)
    assert.deepEqual(await receive(), ['own: started'])
    assert.deepEqual(await outcomes(event), ['own done'])
    await store.deleteRule(ann, all.id)
  })

  it('stands in no message about real attacks, whatever the cap', async () => {
    // Everything real goes to digests.
    begin(0)
    await addChannel('chat')
    await attack({ isTest: false })
    const event = await attack()
    await pass(5 * second)
    assert.deepEqual(await receive(), ['chat: started', 'chat: started'])
    assert.deepEqual(await outcomes(event), ['chat done'])
  })

  it('is not told any more when what held it back lasts longer', async () => {
    await addChannel('chat')
    await addChannel('program', 'webhook')
    const times = { fromMs: clock.now(), untilMs: clock.now() + minute }
    await store.addSilence(user, { id: idOf('s'), reason: 'x', sites: [], groups: [], vectors: [], ...times }, 9)
    const late = await attack()
    assert.deepEqual(await outcomes(late), ['chat held silence', 'program held silence'])
    await end(late)
    assert.deepEqual(await outcomes(late), ['chat dropped', 'program dropped'])
    const long = await attack()
    await pass(2 * minute)
    assert.deepEqual(await receive(), ['chat: started', 'program: started'])
    await end(long)
  })

  it('says of each channel why it is not told', async () => {
    for (const name of ['dead', 'disabled', 'failing']) await addChannel(name, 'webhook')
    await store.changeChannel(user, idOf('disabled'), { isDisabled: true })
    const event = await attack()
    for (const taken of await takeAll(store, clock.now())) {
      const state = taken.channelId === idOf('dead') ? ('dead' as const) : ('due' as const)
      const result = { atMs: clock.now(), tookMs: 5, isDone: false, text: `${state}: 500` }
      await store.settle({ ...settlementOf(taken), state, attempts: 1, dueMs: clock.now() + minute, result })
    }
    assert.deepEqual(await outcomes(event), ['dead dead dead: 500', 'disabled disabled', 'failing failing due: 500'])
    assert.deepEqual(await outcomesOf({ id: 'gone', userId: user }, { store, nowMs: 0 }), [])
  })

  it('names only channels of rules that fit', async () => {
    await addChannel('one')
    await addChannel('two')
    for (const { id } of await store.rulesOf(user)) await store.deleteRule(user, id)
    await addRule('elsewhere', { when: { ...firstRule.when, sites: ['b.example.org'] } })
    await addRule('here', { send: [idOf('two')] })
    assert.deepEqual(await outcomes(await attack()), ['two held group'])
  })
})

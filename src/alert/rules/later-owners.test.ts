// Owners who come to an attack that goes on: what those hear whose rules are about everybody's events, with router and store.
import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { beforeEach, describe, it, type TestContext } from 'node:test'
import { eventOf } from '../../../test/helpers/events.ts'
import { openFreshStore } from '../../../test/helpers/store.ts'
import { channelOf, settlementOf, takeAll } from '../../../test/store-contract/alerts/parts.ts'
import { ManualClock } from '../../clock.ts'
import { updateOf } from '../../events/event.ts'
import { partId } from '../../events/known-part.ts'
import type { EventDetail } from '../../events/records.ts'
import { createLogger } from '../../log.ts'
import type { Store } from '../../store/store.ts'
import { Delays } from '../delays.ts'
import { Router } from '../router.ts'
import { anyAttack, firstRule, type RuleContent } from './rule.ts'

const minute = 60_000
const whole = 'i1'
const part = partId(whole, 1_000)
let clock: ManualClock
let store: Store
let router: Router
let ann: string
let bob: string
let eve: string

beforeEach(async (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'floodgauge-later-'))
  clock = new ManualClock(Date.parse('2026-03-02T12:00:00Z'))
  store = await openFreshStore(join(folder, 'store.db'), { clock })
  const user = async (name: string, role: 'admin' | 'member' = 'member') =>
    (await store.addUser({ email: `${name}@example.com`, siteQuota: 10, allowed: null, role })).id
  ;[ann, bob, eve] = [await user('ann'), await user('bob'), await user('eve', 'admin')]
  await store.addChannel(eve, channelOf('program'), 9)
  await store.addChannel(eve, { ...channelOf('person'), kind: 'slack' }, 9)
  for (const { id } of await store.rulesOf(eve)) await store.deleteRule(eve, id)
  start()
  await look()
  ;(t as TestContext).after(async () => {
    await store.close()
    rmSync(folder, { recursive: true })
  })
})

function start(): void {
  const paces = { perHour: 30, reopenMs: 10 * minute }
  router = new Router({ store, clock, delays: new Delays(), log: createLogger('silent'), paces, onRouted: () => {} })
}

const look = () => router.tasks[0].run()
const rule = (given: Partial<RuleContent> = {}) =>
  store.addRule(eve, { ...firstRule, id: 'r', name: 'r', reach: 'installation', ...given }, 9)
const onSites = (...sites: string[]) => ({ when: { ...anyAttack, sites } })

/** An event of the attack, of its owner's site. */
function eventIn(incident: string, userId: string, number: number, given: Partial<EventDetail> = {}): EventDetail {
  const site = userId === ann ? 'ann.example.com' : 'bob.example.com'
  return eventOf(userId, 70_000 + number, { incident, site, phase: 'active', createdMs: clock.now(), ...given })
}
async function make(...made: EventDetail[]): Promise<void> {
  await store.record({ made })
  await look()
}
async function end(...events: EventDetail[]): Promise<void> {
  await store.record({
    updates: events.map((event) => updateOf({ ...event, endMs: clock.now(), phase: 'over' as const })),
  })
  await look()
}

/** What arrives within some minutes: the site and the kind, with how many others, and under which name. */
async function arrives(minutes: number): Promise<string[]> {
  const arrived: string[] = []
  for (let n = 0; n < minutes * 6; n++) {
    for (let taken = await takeAll(store, clock.now()); taken.length > 0; taken = await takeAll(store, clock.now()))
      for (const each of taken) {
        const { channelId, notice, others, thread } = each
        const siteOf = async (id: string) =>
          ((await store.eventById(ann, id)) ?? (await store.eventById(bob, id)))?.site.split('.')[0]
        const names = [...new Set([notice.eventId, thread])].map(siteOf)
        arrived.push(
          `${channelId}: ${(await Promise.all(names)).join(' in ')} ${notice.kind}${others === null ? '' : ` and ${others.count}`}`,
        )
        await store.settle(settlementOf(each))
      }
    clock.advance(10_000)
    await look()
  }
  return arrived
}

describe('rules of the installation', () => {
  for (const [what, incident] of [
    ['whose address is hit later', whole],
    ['who registers the site meanwhile', part],
  ]) {
    it(`tell of an owner ${what} once, with the end`, async () => {
      await rule({ send: ['program'] })
      const first = eventIn(whole, ann, 1)
      await make(first)
      assert.deepEqual(await arrives(2), ['program: ann started'])
      const later = eventIn(incident, bob, 2)
      await make(later)
      assert.deepEqual(await arrives(2), ['program: bob started'])
      start()
      await end(first, later)
      assert.deepEqual((await arrives(12)).toSorted(), ['program: ann ended', 'program: bob ended'])
    })

    it(`tell people of an owner ${what} with the attack that they know, however the rule gathers`, async () => {
      await rule({ send: ['person'], group: { ...firstRule.group, by: ['site'] } })
      const first = eventIn(whole, ann, 1)
      await make(first)
      assert.deepEqual(await arrives(2), ['person: ann started'])
      const later = eventIn(incident, bob, 2)
      await make(later)
      assert.deepEqual(await arrives(12), ['person: bob in ann started'])
      await end(first, later)
      const ended = await arrives(12)
      assert.equal(ended.length, 1)
      assert.match(ended[0], /^person: (ann|bob in ann) ended and 1$/)
    })

    it(`tell of an owner ${what} where they are about that owner’s sites alone`, async () => {
      await rule(onSites('bob.example.com'))
      await make(eventIn(whole, ann, 1))
      assert.deepEqual(await arrives(2), [])
      const later = eventIn(incident, bob, 2)
      await make(later)
      assert.deepEqual((await arrives(2)).toSorted(), ['person: bob started', 'program: bob started'])
      await end(later)
      assert.deepEqual((await arrives(12)).toSorted(), ['person: bob ended', 'program: bob ended'])
    })

    it(`tell of an owner ${what} who was there when it was told no second time`, async () => {
      await rule()
      // More owners than one look takes, of two attacks at once.
      const others = Array.from({ length: 220 }, (_, n) => eventIn(`other-${n}`, ann, 100 + n, { isTest: true }))
      const [first, second] = [eventIn(whole, ann, 1), eventIn(incident, bob, 999)]
      await make(first, ...others, second)
      assert.deepEqual((await arrives(2)).toSorted(), ['person: ann started', 'program: ann started'])
      await end(first, second)
      assert.deepEqual((await arrives(12)).toSorted(), ['person: ann ended', 'program: ann ended'])
    })
  }

  it('remind of an attack once, whoever comes to it', async () => {
    await rule({ send: ['program'], continuesMinutes: 10 })
    const first = eventIn(whole, ann, 1)
    await make(first)
    await make(eventIn(whole, bob, 2))
    const again = (await arrives(22)).filter((each) => each.endsWith('continues'))
    assert.deepEqual(again, ['program: ann continues', 'program: ann continues'])
  })

  it('escalate an attack once, whoever comes to it', async () => {
    const escalate = [{ afterMinutes: 5, unless: 'acknowledged' as const, send: ['program'] }]
    await rule({ send: ['person'], escalate })
    await make(eventIn(whole, ann, 1))
    await make(eventIn(whole, bob, 2))
    const arrived = await arrives(12)
    assert.deepEqual(
      arrived.filter((each) => each.startsWith('program')),
      ['program: ann escalated'],
    )
  })
})

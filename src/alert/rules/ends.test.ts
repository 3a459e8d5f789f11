// An end always goes where its beginning went: whatever rules, silences and quiet hours say, whatever is changed meanwhile and whoever is killed.
import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import fc from 'fast-check'
import { eventOf } from '../../../test/helpers/events.ts'
import { fuzzSeconds } from '../../../test/helpers/fuzz.ts'
import { openFreshStore } from '../../../test/helpers/store.ts'
import { channelOf, settlementOf, takeAll } from '../../../test/store-contract/alerts/parts.ts'
import { ManualClock } from '../../clock.ts'
import { eventId, updateOf } from '../../events/event.ts'
import type { EventDetail } from '../../events/records.ts'
import { severities } from '../../events/severity.ts'
import { createLogger } from '../../log.ts'
import type { Store } from '../../store/store.ts'
import { Delays } from '../delays.ts'
import { Router } from '../router.ts'
import { bundleFields, firstRule, ruleNotices } from './rule.ts'

const minute = 60_000
const paces = { perHour: 4, reopenMs: 10 * minute }
const sites = ['a.example.com', 'b.example.com']
const labels = ['udp@attack@amp_flood_target-NTP', 'tcp@attack@syn_flood', null]
const log = createLogger('silent')

const some = <Value>(values: readonly Value[]) => fc.subarray([...values])
const hours = fc.constantFrom('22:00-07:00', '08:00-18:00', '12:00-12:30', null)
const about = { sites: some(sites), vectors: some(['udp*', 'tcp*', 'unknown']) }
/** Steps of a rule. */
const stepsMax = 2
const step = fc.oneof(
  {
    arbitrary: fc.record({
      do: fc.constant('attack' as const),
      site: fc.constantFrom(...sites),
      label: fc.constantFrom(...labels),
    }),
    weight: 3,
  },
  { arbitrary: fc.record({ do: fc.constant('end' as const), which: fc.nat(9) }), weight: 3 },
  { arbitrary: fc.record({ do: fc.constant('resume' as const), which: fc.nat(9) }), weight: 2 },
  {
    arbitrary: fc.record({ do: fc.constant('worsen' as const), which: fc.nat(9), times: fc.constantFrom(20, 200) }),
    weight: 2,
  },
  {
    arbitrary: fc.record({ do: fc.constant('wait' as const), minutes: fc.constantFrom(0.1, 0.5, 1, 20, 400) }),
    weight: 4,
  },
  { arbitrary: fc.record({ do: fc.constant('deliver' as const) }), weight: 4 },
  fc.record({ do: fc.constant('acknowledge' as const), which: fc.nat(9) }),
  fc.record({ do: fc.constant('silence' as const), minutes: fc.constantFrom(5, 60, 1_000), ...about }),
  fc.record({ do: fc.constant('speak' as const) }),
  fc.record({ do: fc.constant('quiet' as const), channel: fc.nat(2), hours }),
  fc.record({
    do: fc.constant('rule' as const),
    when: fc.record({ severities: some(severities), notices: some(ruleNotices), groups: fc.constant([]), ...about }),
    continuesMinutes: fc.constantFrom(null, 5, 60),
    escalate: fc.array(
      fc.record({ afterMinutes: fc.constantFrom(1, 10, 60), channels: fc.subarray([0, 1, 2], { minLength: 1 }) }),
      { maxLength: stepsMax },
    ),
    group: fc.record({
      by: some(bundleFields),
      waitSeconds: fc.constantFrom(0, 10, 60),
      everyMinutes: fc.constantFrom(1, 5, 60),
    }),
    endDelaySeconds: fc.constantFrom(0, 60, 600),
    stop: fc.boolean(),
  }),
  fc.record({
    do: fc.constant('rerule' as const),
    which: fc.nat(3),
    send: fc.option(fc.subarray([0, 1, 2])),
    when: fc.record({ severities: some(severities), notices: some(ruleNotices), groups: fc.constant([]), ...about }),
    at: fc.option(hours.map((each) => each ?? '00:00-06:00')),
    endDelaySeconds: fc.constantFrom(0, 60, 600),
    by: some(bundleFields),
  }),
  fc.record({ do: fc.constant('unrule' as const), which: fc.nat(3) }),
  fc.record({ do: fc.constant('restart' as const) }),
  fc.record({ do: fc.constant('die' as const), writes: fc.nat(2), isWritten: fc.boolean() }),
  fc.record({ do: fc.constant('send' as const) }),
)
type Step = typeof step extends fc.Arbitrary<infer Value> ? Value : never

let folder: string
let store: Store
const clock = new ManualClock(Date.parse('2026-03-02T12:00:00Z'))
let users = 0

before(async () => {
  folder = mkdtempSync(join(tmpdir(), 'floodgauge-ends-'))
  store = await openFreshStore(join(folder, 'store.db'), { clock })
})
after(async () => {
  await store.close()
  rmSync(folder, { recursive: true })
})

/** A store that is gone after some writes of the router, the last of which is written or not. */
function dying({ writes, isWritten }: { writes: number; isWritten: boolean }): Store {
  let left = writes
  const mortal =
    <Given extends unknown[], Answer>(verb: (...given: Given) => Promise<Answer>) =>
    async (...given: Given): Promise<Answer> => {
      if (left-- > 0) return verb(...given)
      if (left === -1 && isWritten) await verb(...given)
      throw new Error('killed')
    }
  const { route, release, carryOut } = store
  return { ...store, route: mortal(route), release: mortal(release), carryOut: mortal(carryOut) }
}

/** One user's life: what happens, and what arrives. */
class Life {
  readonly #user: string
  readonly #channels: readonly string[]
  readonly #events: EventDetail[] = []
  #router = this.#start()
  #made = 0

  constructor(user: string, channels: readonly string[]) {
    this.#user = user
    this.#channels = channels
  }

  #start(on = store): Router {
    return new Router({ store: on, clock, delays: new Delays(), log, paces, onRouted: () => {} })
  }

  look(): Promise<void> {
    return this.#router.tasks[0].run()
  }

  async run(given: Step): Promise<void> {
    await this.#apply(given)
    if (given.do !== 'rule' && given.do !== 'restart') await this.look()
  }

  async #apply(given: Step): Promise<void> {
    const [user, nowMs] = [this.#user, clock.now()]
    if (given.do === 'attack') await this.#attack(given)
    if (given.do === 'end') await this.#end(given.which)
    if (given.do === 'resume') await this.#resume(given.which)
    if (given.do === 'worsen') await this.#worsen(given)
    if (given.do === 'wait') clock.advance(given.minutes * minute)
    if (given.do === 'deliver') await this.deliver()
    if (given.do === 'acknowledge') await this.#acknowledge(given.which)
    if (given.do === 'silence') {
      const times = { fromMs: nowMs, untilMs: nowMs + given.minutes * minute }
      const { sites: which, vectors } = given
      await store.addSilence(user, { id: this.#id(), reason: 'x', groups: [], sites: which, vectors, ...times }, 999)
    }
    if (given.do === 'speak') for (const { id } of await store.silencesOf(user)) await store.endSilence(user, id)
    if (given.do === 'quiet') {
      const quiet = given.hours === null ? null : { timeZone: 'UTC', days: [], hours: given.hours }
      await store.changeChannel(user, this.#channels[given.channel], { quiet })
    }
    if (given.do === 'rule') {
      const { do: _, escalate: steps, ...content } = given
      const escalate = steps.map(({ afterMinutes, channels }) => ({
        ...{ afterMinutes, unless: 'acknowledged' as const, send: channels.map((n) => this.#channels[n]) },
      }))
      await store.addRule(user, { ...firstRule, id: this.#id(), ...content, escalate }, 999)
    }
    if (given.do === 'unrule') {
      const rule = (await store.rulesOf(user))[given.which]
      if (rule !== undefined) await store.deleteRule(user, rule.id)
    }
    if (given.do === 'rerule') await this.#changeRule(given)
    if (given.do === 'restart') this.#router = this.#start()
    if (given.do === 'die') {
      this.#router = this.#start(dying(given))
      await this.look()
      this.#router = this.#start()
    }
    // Whoever sends is killed before it knows what came of it.
    if (given.do === 'send') await takeAll(store, clock.now(), { leaseMs: 0 })
  }

  async #changeRule({ which, send, when, at, by, endDelaySeconds }: Extract<Step, { do: 'rerule' }>): Promise<void> {
    const rule = (await store.rulesOf(this.#user))[which]
    if (rule === undefined) return
    await store.changeRule(this.#user, rule.id, {
      ...{ when, endDelaySeconds, group: { ...rule.group, by } },
      send: send?.map((n) => this.#channels[n]) ?? null,
      at: at === null ? null : { timeZone: 'UTC', days: [], hours: at },
    })
  }

  #id(): string {
    return `${this.#user}-${this.#made++}`
  }

  async #attack({ site, label }: { site: string; label: string | null }): Promise<void> {
    const number = users * 1_000 + this.#made++
    const id = eventId(clock.now(), Buffer.from(number.toString(16).padStart(16, '0'), 'hex'))
    const event = eventOf(this.#user, 1, { id, incident: id, site, label, createdMs: clock.now(), phase: 'active' })
    this.#events.push(event)
    await store.record({ made: [event] })
  }

  async #change(which: number, change: (event: EventDetail) => Partial<EventDetail> | null): Promise<void> {
    const index = which % Math.max(this.#events.length, 1)
    const event = this.#events[index]
    const changed = event === undefined ? null : change(event)
    if (event === undefined || changed === null) return
    this.#events[index] = { ...event, ...changed }
    await store.record({ updates: [updateOf(this.#events[index])] })
  }

  async #acknowledge(which: number): Promise<void> {
    const event = this.#events[which % Math.max(this.#events.length, 1)]
    const who = { by: 'ann@example.com', atMs: clock.now() }
    if (event !== undefined) await store.changeNote(this.#user, event.id, { acknowledged: true }, who)
  }

  #end(which: number): Promise<void> {
    return this.#change(which, ({ endMs }) => (endMs === null ? { endMs: clock.now(), phase: 'over' } : null))
  }

  #resume(which: number): Promise<void> {
    return this.#change(which, ({ endMs, episode }) =>
      endMs === null ? null : { endMs: null, phase: 'active', episode: { ...episode, number: episode.number + 1 } },
    )
  }

  #worsen({ which, times }: { which: number; times: number }): Promise<void> {
    return this.#change(which, ({ endMs }) =>
      endMs === null ? { worst: { packetsPerSecond: 1_000 * times, bytesPerSecond: 1e6 * times } } : null,
    )
  }

  /** Everything that can be sent arrives. */
  async deliver(): Promise<void> {
    for (;;) {
      const taken = await takeAll(store, clock.now(), { leaseMs: 0 })
      if (taken.length === 0) return
      for (const each of taken) await store.settle(settlementOf(each))
    }
  }

  async finish(): Promise<void> {
    for (const index of this.#events.keys()) await this.#end(index)
    await this.look()
    await this.deliver()
    clock.advance(11 * minute)
    await this.look()
    await this.deliver()
    await this.#nobodyWaitsForAnEnd()
    // Until every hold is over: at each hour of the day.
    for (let hour = 0; hour < 72; hour += 3) {
      clock.advance(180 * minute)
      await this.look()
      await this.deliver()
    }
  }

  /** What is held back by now was never told to begin. */
  async #nobodyWaitsForAnEnd(): Promise<void> {
    const deliveries = await store.deliveriesOf(this.#user, { limit: 500 })
    for (const { channelId, notice } of deliveries.filter(({ state }) => state === 'held')) {
      const latest = deliveries.find(
        (each) => each.channelId === channelId && each.notice.eventId === notice.eventId && each.state === 'done',
      )
      assert.equal(latest?.notice.kind ?? 'ended', 'ended', `${channelId} ${notice.eventId}`)
    }
  }

  /** The kinds of the messages that each channel has under one name, in the order in which they were sent. */
  async messages(): Promise<Map<string, string[]>> {
    const deliveries = await store.deliveriesOf(this.#user, { limit: 500 })
    const own = deliveries.filter(({ state, toldWith }) => state === 'done' && toldWith === null)
    const byThread = Map.groupBy(
      own.toSorted((a, b) => a.createdMs - b.createdMs || a.notice.sequence - b.notice.sequence),
      ({ channelId, thread }) => `${channelId} ${thread}`,
    )
    return new Map([...byThread].map(([key, all]) => [key, all.map(({ notice }) => notice.kind)]))
  }

  /** No step is taken twice. */
  async stepsAreTakenOnce(): Promise<void> {
    const deliveries = await store.deliveriesOf(this.#user, { limit: 500 })
    const escalated = deliveries.filter(({ notice }) => notice.kind === 'escalated')
    const steps = Map.groupBy(escalated, ({ channelId, ruleId, notice }) => `${channelId} ${ruleId} ${notice.eventId}`)
    for (const [key, all] of steps) assert.ok(all.length <= stepsMax, `${key}: ${all.length}`)
  }

  /** The kinds that arrived at each channel, by event, in order. */
  async arrived(): Promise<Map<string, string[]>> {
    const deliveries = (await store.deliveriesOf(this.#user, { limit: 500 })).toReversed()
    assert.deepEqual(
      deliveries.filter(({ state }) => state !== 'done' && state !== 'superseded').map(({ state }) => state),
      [],
    )
    const done = deliveries.filter(({ state }) => state === 'done')
    const byEvent = Map.groupBy(done, ({ channelId, notice }) => `${channelId} ${notice.eventId}`)
    return new Map([...byEvent].map(([key, all]) => [key, all.map(({ notice }) => notice.kind)]))
  }
}

test('whoever is told that an attack begins is told its end, once, and nothing after it', async () => {
  const property = fc.asyncProperty(fc.array(step, { minLength: 5, maxLength: 40 }), async (steps) => {
    const name = `user-${++users}`
    const { id: user } = await store.addUser({ email: `${name}@example.com`, siteQuota: 9, allowed: null })
    const channels = [`${name}-1`, `${name}-2`, `${name}-3`]
    const kinds = ['webhook', 'slack', 'slack']
    for (const [index, id] of channels.entries())
      await store.addChannel(user, { ...channelOf(id), kind: kinds[index] }, 9)
    const life = new Life(user, channels)
    await life.look()
    for (const each of steps) await life.run(each)
    await life.finish()
    await life.stepsAreTakenOnce()
    for (const [key, kinds] of await life.messages()) assert.equal(kinds.at(-1), 'ended', `${key}: ${kinds}`)
    for (const [key, kinds] of await life.arrived()) {
      assert.equal(kinds.at(-1), 'ended', `${key}: ${kinds}`)
      const ends = kinds.flatMap((kind, index) => (kind === 'ended' ? [index] : []))
      for (const index of ends) {
        const next = kinds[index + 1]
        assert.ok(
          next === undefined || ['resumed', 'escalated', 'ended', 'worsened', 'vector'].includes(next),
          `${key}: ${kinds}`,
        )
      }
    }
  })
  await fc.assert(property, { numRuns: Math.ceil(fuzzSeconds * 20), interruptAfterTimeLimit: 60_000 })
})

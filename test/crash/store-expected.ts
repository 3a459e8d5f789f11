// What a store must hold after its writer was killed: every acknowledged change; and of the one that was under way, all or nothing.
import assert from 'node:assert/strict'
import type { Store } from '../../src/store/store.ts'
import { eventOf } from '../helpers/events.ts'
import type { Change, Line } from './store-writer.ts'

type Sites = Map<string, boolean>

export class Expected {
  readonly email: string
  #sites: Sites = new Map()
  readonly #events = new Set<number>()
  #underWay: Change | null = null
  acknowledged = 0

  constructor(email: string) {
    this.email = email
  }

  /** The next number that no event has had. */
  nextNumber = 1

  /** Reads what the writer said; its last line may be cut off by the kill. */
  take(output: string): void {
    for (const text of output.split('\n').slice(0, -1)) {
      const line = parseLine(text)
      if ('begin' in line) {
        this.#underWay = line.begin
        if (line.begin.verb === 'append') this.nextNumber = Math.max(...line.begin.numbers) + 1
      } else if (this.#underWay !== null) {
        this.#sites = sitesAfter(this.#sites, this.#underWay)
        if (this.#underWay.verb === 'append') for (const number of this.#underWay.numbers) this.#events.add(number)
        this.#underWay = null
        this.acknowledged++
      }
    }
  }

  /** `listed`: ids that were seen in the list while the writer ran. */
  async check(store: Store, listed: Iterable<string>): Promise<void> {
    const user = await store.userByEmail(this.email)
    if (user === null) {
      assert.equal(this.acknowledged, 0, `${this.email} is gone, with ${this.acknowledged} acknowledged changes`)
      return
    }
    await this.#checkSites(store, user.id)
    await this.#checkEvents(store, user.id, listed)
    this.#underWay = null
  }

  async #checkSites(store: Store, userId: string): Promise<void> {
    const found: Sites = new Map((await store.listSites(userId)).map(({ host, enabled }) => [host, enabled]))
    const underWay = this.#underWay
    if (underWay !== null && sameSites(found, sitesAfter(this.#sites, underWay))) this.#sites = found
    assert.deepEqual(sorted(found), sorted(this.#sites))
  }

  async #checkEvents(store: Store, userId: string, listed: Iterable<string>): Promise<void> {
    const window = { fromMs: null, toMs: null, after: null, limit: 1_000_000 }
    const found = new Set((await store.eventsBetween(userId, window)).map(({ id }) => id))
    for (const id of listed) assert.ok(found.has(id), `event ${id} was listable and is gone`)
    if (this.#underWay?.verb === 'append') {
      const there = this.#underWay.numbers.filter((number) => found.has(idOf(number)))
      assert.ok(there.length === 0 || there.length === this.#underWay.numbers.length, 'a part of one batch is there')
      for (const number of there) this.#events.add(number)
    }
    assert.deepEqual([...found].toSorted(), [...this.#events].map(idOf).toSorted())
    for (const number of [...this.#events].slice(-20)) {
      const event = await store.eventById(userId, idOf(number))
      assert.deepEqual(event?.statistics, eventOf(userId, number).statistics)
    }
  }
}

const idOf = (number: number) => eventOf('', number).id
const sorted = (sites: Sites) => [...sites].toSorted()
const sameSites = (a: Sites, b: Sites) => JSON.stringify(sorted(a)) === JSON.stringify(sorted(b))

function sitesAfter(sites: Sites, change: Change): Sites {
  const after = new Map(sites)
  if (change.verb === 'append') return after
  for (const host of change.hosts) {
    if (change.verb === 'delete') after.delete(host)
    else if (change.verb === 'add') after.set(host, after.get(host) ?? true)
    else if (after.has(host)) after.set(host, change.verb === 'enable')
  }
  return after
}

/** The writer's lines have this type: both sides share it. */
function parseLine(text: string): Line {
  return JSON.parse(text) as Line
}

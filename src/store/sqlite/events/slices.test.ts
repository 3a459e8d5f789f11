import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { addEvents, eventOf } from '../../../../test/helpers/events.ts'
import { openFreshStore } from '../../../../test/helpers/store.ts'
import { ManualClock } from '../../../clock.ts'
import type { EventFilter, EventKey, EventSummary, Store } from '../../store.ts'

const count = 4_000
const everything = { fromMs: null, toMs: null }

let folder: string
let store: Store
let user: string
/** All events as they are listed. */
let all: EventSummary[]

before(async () => {
  folder = mkdtempSync(join(tmpdir(), 'slices-'))
  store = await openFreshStore(join(folder, 'test.db'), { clock: new ManualClock(0) })
  user = (await store.addUser({ email: 'ann@example.com', siteQuota: 1, allowed: null })).id
  const made = Array.from({ length: count }, (_, n) => {
    const site = n % 900 === 7 ? 'rare.example' : 'common.example'
    // Many of one moment: a slice may end among them.
    return eventOf(user, n, { createdMs: 1_000 * Math.floor(n / 50), site, sites: [site], isTest: n % 3 === 0 })
  })
  await addEvents(store, made)
  all = await store.eventsBetween(user, { ...everything, after: null, limit: count })
})
after(async () => {
  await store.close()
  rmSync(folder, { recursive: true })
})

const idsOf = (events: readonly EventSummary[]) => events.map(({ id }) => id)

async function pages(filter: EventFilter, isDescending: boolean, limit: number): Promise<string[]> {
  const found: string[] = []
  for (let after: EventKey | null = null; ; ) {
    const page: EventSummary[] = await store.eventsBetween(user, { ...everything, filter, isDescending, after, limit })
    found.push(...idsOf(page))
    if (page.length < limit) return found
    after = page[page.length - 1]
  }
}

describe('what looks through many events, a slice at a time', () => {
  const cases: [name: string, filter: EventFilter, fits: (event: EventSummary) => boolean][] = [
    ['a text that few have', { texts: ['rare'] }, ({ site }) => site === 'rare.example'],
    ['a text that none has', { texts: ['nowhere'] }, () => false],
    ['what two of three are', { isTest: false }, ({ isTest }) => !isTest],
    ['what is so at a site', { site: 'common.example', isTest: true }, (e) => e.site === 'common.example' && e.isTest],
    ['what goes on', { isOpen: true }, ({ endMs }) => endMs === null],
    ['what is over', { isOpen: false }, ({ endMs }) => endMs !== null],
  ]
  for (const [name, filter, fits] of cases) {
    it(`finds ${name}, in either order and by pages, and counts it`, async () => {
      const wanted = idsOf(all.filter(fits))
      assert.equal(all.length, count)
      assert.deepEqual(await pages(filter, false, 700), wanted)
      assert.deepEqual(await pages(filter, true, 700), wanted.toReversed())
      assert.equal(await store.countEvents(user, { ...everything, filter }), wanted.length)
      const window = { fromMs: 20_000, toMs: 60_000 }
      const within = all.filter((event) => fits(event) && event.createdMs >= 20_000 && event.createdMs < 60_000)
      for (const isDescending of [false, true]) {
        const found = await store.eventsBetween(user, { ...window, filter, isDescending, after: null, limit: count })
        assert.deepEqual(idsOf(found).toSorted(), idsOf(within).toSorted())
      }
      assert.equal(await store.countEvents(user, { ...window, filter }), within.length)
    })
  }

  it('finds what changed, in that order', async () => {
    const bySequence = all.toSorted((a, b) => a.sequence - b.sequence).filter(({ site }) => site === 'rare.example')
    const filter = { texts: ['rare'] }
    assert.deepEqual(
      idsOf(await store.eventsChangedSince(user, { sequence: 0, filter, limit: 10 })),
      idsOf(bySequence.slice(0, 10)),
    )
    const { sequence } = bySequence[2]
    assert.deepEqual(
      idsOf(await store.eventsChangedSince(user, { sequence, filter, limit: 10 })),
      idsOf(bySequence.slice(3)),
    )
  })

  it('adds up which sites and labels were hit most', async () => {
    const real = all.filter(({ isTest }) => !isTest)
    const rare = real.filter(({ site }) => site === 'rare.example').length
    assert.deepEqual(await store.mostAttacked(user, 0), {
      sites: [
        { site: 'common.example', events: real.length - rare },
        { site: 'rare.example', events: rare },
      ],
      labels: [{ label: real[0].label, events: real.length }],
    })
  })

  it('lets others work in between', async () => {
    let turns = 0
    const turning = setInterval(() => turns++, 0)
    await store.countEvents(user, { ...everything, filter: { texts: ['nowhere'] } })
    clearInterval(turning)
    assert.ok(turns > 0)
  })
})

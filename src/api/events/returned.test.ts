import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { createTestApi, eventOf, startMs, type TestApi, type TestCaller } from '../../../test/helpers/api.ts'
import { addEvents, courseOf, updateOf } from '../../../test/helpers/events.ts'
import { noStatistics, type Statistics } from '../../detect/incidents/incident-report.ts'
import type { EventDetail } from '../../store/store.ts'

let api: TestApi
let caller: TestCaller

before(async () => {
  api = await createTestApi({ settings: { ratePerMinute: 0 } })
  caller = await api.addCaller('ann@example.net')
})
after(() => api.close())

function listsOf(protocol: number): Statistics {
  return { ...noStatistics, protocol: [{ item: protocol, flows: 3, packets: 30, bytes: 300, protocols: [protocol] }] }
}

describe('an event that came back', () => {
  let first: EventDetail
  const entryId = 'abcdef'.repeat(4)

  before(async () => {
    const userId = caller.user.id
    const endMs = startMs + 10_000
    const [made] = await addEvents(api.store, [eventOf(userId, 20, { statistics: listsOf(17), course: courseOf(3) })])
    first = made
    await api.store.record({ updates: [updateOf({ ...made, endMs, phase: 'over' })] })
    const amount = { activeSeconds: 4, bytesPerSecond: 50, packetsPerSecond: 5, flowsPerSecond: 1 }
    const episode = { number: 1, startMs: startMs + 90_000, endMs: startMs + 94_000, ...amount, peak: made.peak }
    const back = {
      ...made,
      activeSeconds: 9,
      packetsPerSecond: 70 / 9,
      lastMs: episode.endMs,
      episode,
      ofEpisode: listsOf(6),
    }
    const entry = { incident: made.incident, eventId: made.id, userId, id: entryId, createdMs: startMs + 91_000 }
    await api.store.record({ updates: [updateOf(back)], returns: [entry] })
  })

  const read = async (url: string) => (await api.server.inject({ url, headers: caller.headers })).json()

  it('is two entries of the list, each with its own numbers and lists', async () => {
    const { data } = await read('/open/event/ddos?last=365')
    assert.deepEqual(
      data.map((each: { _id: string; curavg_pps: number }) => [each._id, each.curavg_pps]),
      [
        [first.id, 600],
        [entryId, 300],
      ],
    )
    for (const [id, protocol] of [
      [first.id, 17],
      [entryId, 6],
    ]) {
      const detail = (await read(`/open/event/ddos/detail/${id}`)).data
      assert.deepEqual([detail._id, detail.proto.map(({ Item }: { Item: number }) => Item)], [id, [protocol]])
    }
  })

  it('is one event with two episodes, by either id', async () => {
    const { events } = await read('/api/v1/events?last=365')
    assert.deepEqual(
      events.map((each: { id: string; phase: string; returns: number }) => [each.id, each.phase, each.returns]),
      [[first.id, 'returned', 1]],
    )
    for (const id of [first.id, entryId]) {
      const report = await read(`/api/v1/events/${id}`)
      assert.equal(report.id, first.id)
      assert.deepEqual(report.total.packets, 70)
      assert.deepEqual(
        report.episodes.map((each: { id: string; end: string | null; total: { packets: number } }) => [
          ...[each.id, each.end === null, each.total.packets],
        ]),
        [
          [first.id, false, 50],
          [entryId, true, 20],
        ],
      )
      assert.deepEqual(
        report.timeline.map(({ what }: { what: string }) => what).filter((what: string) => /ended|returned/.test(what)),
        ['ended', 'returned'],
      )
    }
  })
})

describe('what changed', () => {
  const read = async (query: string) => {
    const answer = await api.server.inject({ url: `/api/v1/events?${query}`, headers: caller.headers })
    return { status: answer.statusCode, link: answer.headers.link, ...answer.json() }
  }

  it('is found since any place, in the order of the changes', async () => {
    const [older, newer] = await addEvents(api.store, [eventOf(caller.user.id, 30), eventOf(caller.user.id, 31)])
    await api.store.record({ updates: [updateOf({ ...older, packetsPerSecond: 4 })] })
    const { events } = await read(`changedSince=${older.sequence}`)
    assert.deepEqual(
      events.map(({ id }: { id: string }) => id),
      [newer.id, older.id],
    )
    assert.ok(events[0].sequence < events[1].sequence)
    assert.deepEqual((await read(`changedSince=${events[1].sequence}`)).events, [])
    const page = await read(`changedSince=${older.sequence}&limit=1`)
    assert.equal(page.link, `</api/v1/events?limit=1&changedSince=${newer.sequence}>; rel="next"`)
  })

  it('has no window and no order of another kind', async () => {
    for (const query of ['last=3', 'order=desc', 'start=2026-01-01', 'severity=low'])
      assert.equal((await read(`changedSince=0&${query}`)).status, 400, query)
    assert.equal((await read('changedSince=-1')).status, 400)
  })
})

import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { createTestApi, eventOf, startMs, type TestApi, type TestCaller } from '../../../test/helpers/api.ts'
import { addEvents } from '../../../test/helpers/events.ts'
import { formatTime } from '../../contract/time.ts'
import type { EventWindow, Store } from '../../store/store.ts'

const eventsCount = 3_500

let api: TestApi
let caller: TestCaller
let other: TestCaller
let reads: EventWindow[] = []

/** Notes what is read of events. */
const watched = (store: Store): Store => ({
  ...store,
  entriesBetween: (userId, window) => {
    reads.push(window)
    return store.entriesBetween(userId, window)
  },
})

before(async () => {
  api = await createTestApi({ settings: { ratePerMinute: 0 }, wrap: watched })
  caller = await api.addCaller('ann@example.net')
  other = await api.addCaller('bob@example.net')
  // Two of each second, so that times alone do not order them.
  const events = Array.from({ length: eventsCount }, (_, n) =>
    eventOf(caller.user.id, n, { createdMs: startMs + Math.floor(n / 2) * 1000 }),
  )
  await addEvents(api.store, events)
  await addEvents(api.store, [eventOf(other.user.id, 100_000)])
  api.clock.advance(eventsCount * 1000)
})
after(() => api.close())

async function get(url: string, as = caller) {
  reads = []
  return api.server.inject({ url, headers: as.headers })
}

async function ids(url: string, as = caller): Promise<string[]> {
  const answer = await get(url, as)
  assert.equal(answer.statusCode, 200, answer.body)
  return answer.json().data.map((event: { _id: string }) => event._id)
}

const expectedIds = () => Array.from({ length: eventsCount }, (_, n) => eventOf('', n).id)
const at = (n: number) => encodeURIComponent(formatTime(startMs + n * 1000))

describe('the event list', () => {
  it('is the whole window, ascending, read page by page', async () => {
    const all = expectedIds().map((id, n) => ({ id, second: Math.floor(n / 2) }))
    all.sort((a, b) => a.second - b.second || (a.id < b.id ? -1 : 1))
    const url = '/open/event/ddos'
    assert.deepEqual(
      await ids(url),
      all.map(({ id }) => id),
    )
    assert.deepEqual(
      reads.map(({ limit }) => limit),
      Array.from({ length: Math.floor(all.length / 250) + 1 }, () => 250),
    )
  })

  it('is one valid body at the edges of pages', async () => {
    for (const count of [0, 1, 249, 250, 251, 500, 501, 1_000]) {
      const list = await ids(`/open/event/ddos?start=${at(0)}&end=${at(Math.floor(count / 2))}`)
      assert.equal(list.length, Math.floor(count / 2) * 2)
    }
  })

  it('holds start <= cts < end', async () => {
    assert.equal((await ids(`/open/event/ddos?start=${at(5)}&end=${at(6)}`)).length, 2)
    assert.equal((await ids(`/open/event/ddos?start=${at(5)}&end=${at(5)}`)).length, 0)
  })

  it('takes an offset whose plus sign was not encoded', async () => {
    const start = formatTime(startMs + 5_000)
    const end = '2026-01-15T13:00:06+01:00'
    assert.equal((await ids(`/open/event/ddos?start=${start}&end=${end}`)).length, 2)
  })

  it('is of the caller alone', async () => {
    assert.deepEqual(await ids('/open/event/ddos?last=365', other), [eventOf('', 100_000).id])
  })

  it('comes by pages that join to the whole, with the query kept', async () => {
    const gathered: string[] = []
    let url: string | undefined = `/open/event/ddos/?last=30&start=${at(10)}&limit=300`
    const first: string = url
    while (url !== undefined) {
      const answer = await get(url)
      assert.equal(answer.statusCode, 200, answer.body)
      const { data, ...rest } = answer.json()
      assert.deepEqual(rest, {})
      gathered.push(...data.map((event: { _id: string }) => event._id))
      const link = /^<([^>]+)>; rel="next"$/.exec(String(answer.headers.link ?? ''))
      url = link?.[1]
      if (url !== undefined) {
        assert.equal(data.length, 300)
        const query = new URL(url, 'http://x').searchParams
        assert.deepEqual([...query.keys()].sort(), ['cursor', 'last', 'limit', 'start'])
        assert.equal(query.get('start'), decodeURIComponent(at(10)))
      }
    }
    assert.deepEqual(gathered, await ids(first.replace('&limit=300', '')))
  })

  it('announces no page after the last', async () => {
    const answer = await get(`/open/event/ddos?start=${at(0)}&end=${at(5)}&limit=10`)
    assert.equal(answer.json().data.length, 10)
    assert.equal(answer.headers.link, undefined)
  })

  it('goes on from a cursor without a limit', async () => {
    const { headers } = await get('/open/event/ddos?limit=1000')
    const url = /<([^>]+)>/.exec(String(headers.link))?.[1].replace('limit=1000&', '')
    assert.equal((await ids(String(url))).length, eventsCount - 1_000)
  })

  it('is cheap to ask for the head of', async () => {
    reads = []
    const answer = await api.server.inject({ method: 'HEAD', url: '/open/event/ddos', headers: caller.headers })
    assert.deepEqual([answer.statusCode, answer.body], [200, ''])
    assert.equal(answer.headers['content-type'], 'application/json; charset=utf-8')
    assert.deepEqual(
      reads.map(({ limit }) => limit),
      [1],
    )
  })

  it('links to the public address where one is set', async () => {
    const proxied = await createTestApi({ settings: { publicUrl: 'https://ddos.example.net/api/' } })
    const ann = await proxied.addCaller('ann@example.net')
    await addEvents(proxied.store, [eventOf(ann.user.id, 1), eventOf(ann.user.id, 2)])
    const { headers } = await proxied.server.inject({ url: '/open/event/ddos?limit=1', headers: ann.headers })
    assert.match(String(headers.link), /^<https:\/\/ddos\.example\.net\/api\/open\/event\/ddos\?limit=1&cursor=/)
    await proxied.close()
  })
})

describe('the detail', () => {
  it('is of the event', async () => {
    const answer = await get(`/open/event/ddos/detail/${eventOf('', 7).id}`)
    const { data } = answer.json()
    assert.equal(data._id, eventOf('', 7).id)
    assert.deepEqual(Object.keys(data).length, 15)
  })

  it('is empty, and the same, for every id of which the caller has no event', async () => {
    const foreign = eventOf('', 100_000).id
    const unknown = [
      '0'.repeat(24),
      foreign,
      foreign.toUpperCase(),
      'x',
      '%00',

      'a'.repeat(5_000),
      '__proto__',
      '%F0%9F%92%A5',
    ]
    const answers = await Promise.all(unknown.map((id) => get(`/open/event/ddos/detail/${id}`)))
    for (const answer of answers) {
      assert.deepEqual([answer.statusCode, answer.body], [200, '{"data":{}}'])
      const names = (headers: object) => Object.keys(headers).sort()
      assert.deepEqual(names(answer.headers), names(answers[0].headers))
    }
  })
})

describe('a store that fails in the middle', () => {
  it('breaks the answer off, so that it is not taken for the whole', async () => {
    let calls = 0
    const failing = await createTestApi({
      wrap: (store) => ({
        ...store,
        entriesBetween: async (userId, window) => {
          if (calls++ > 0) throw new Error('disk')
          return store.entriesBetween(userId, window)
        },
      }),
    })
    const ann = await failing.addCaller('ann@example.net')
    await addEvents(
      failing.store,
      Array.from({ length: 1_500 }, (_, n) => eventOf(ann.user.id, n)),
    )
    const url = await failing.server.listen({ host: '127.0.0.1', port: 0 })
    const answer = await fetch(`${url}/open/event/ddos?last=365`, { headers: ann.headers })
    assert.equal(answer.status, 200)
    await assert.rejects(answer.text())
    await failing.close()
  })
})

import assert from 'node:assert/strict'
import { afterEach, beforeEach, describe, it } from 'node:test'
import { createTestApi, eventOf, type TestApi, type TestCaller } from '../../../test/helpers/api.ts'
import { addEvents } from '../../../test/helpers/events.ts'
import { streamReport } from '../../../test/helpers/exporters.ts'
import { until } from '../../../test/helpers/until.ts'
import { exportersOf } from '../../collect/health/exporter.ts'
import { createLogger } from '../../log.ts'
import { messages } from './stream.ts'
import { LiveWatch } from './watch.ts'

let api: TestApi
let url: string
let ann: TestCaller
const open: AbortController[] = []

beforeEach(async () => {
  api = await createTestApi()
  url = `${await api.server.listen({ host: '127.0.0.1', port: 0 })}/api/v1/stream`
  ann = await api.addCaller('ann@example.net')
})
afterEach(async () => {
  for (const each of open.splice(0)) each.abort()
  await api.close()
})

/** What has come so far; read in the background. */
async function listen(headers: Record<string, string>) {
  const controller = new AbortController()
  open.push(controller)
  const response = await fetch(url, { headers, signal: controller.signal })
  const stream = { response, text: '', isOver: false, close: () => controller.abort() }
  const read = async () => {
    for await (const chunk of response.body ?? []) stream.text += new TextDecoder().decode(chunk)
  }
  void read()
    .catch(() => {})
    .then(() => {
      stream.isOver = true
    })
  return stream
}

describe('the stream of changes', () => {
  it('tells what the caller changes, in the form of server-sent events, and what was missed', async () => {
    const first = await listen(ann.headers)
    assert.equal(first.response.headers.get('content-type'), 'text/event-stream')
    assert.equal(first.response.headers.get('cache-control'), 'no-store')
    await until('it', async () => first.text.startsWith('retry: 3000\n\n'))
    const payload = { hosts: ['192.0.2.1'] }
    const add = { method: 'POST' as const, url: '/open/site/add', headers: ann.headers, payload }
    await api.server.inject(add)
    await until('it', async () => first.text.includes('data: {}'))
    const [, id] = /id: ([0-9a-f]{12}-1)\nevent: sites\ndata: \{\}\n\n$/.exec(first.text) ?? []
    assert.ok(id, first.text)
    first.close()
    await until('it', async () => api.feed.listeners === 0)
    const [made] = await addEvents(api.store, [eventOf(ann.user.id, 1)])
    await api.feed.task.runAgain()
    const second = await listen({ ...ann.headers, 'last-event-id': id })
    await until('it', async () => second.text.includes(`event: event\ndata: {"id":"${made.id}","change":"made"}\n\n`))
    const third = await listen({ ...ann.headers, 'last-event-id': 'other-1' })
    await until('it', async () => third.text.includes('event: reset\ndata: {}\n\n'))
  })

  it('takes a session, and ends when that has ended', async () => {
    const headers = await api.signedIn(ann.user)
    const stream = await listen({ cookie: headers.cookie })
    await until('it', async () => stream.text !== '')
    await api.server.inject({ method: 'DELETE', url: '/api/v1/session', headers })
    api.feed.tellSites(ann.user.id)
    await until('it', async () => stream.isOver)
    assert.ok(!stream.text.includes('sites'))
    assert.equal((await listen({ cookie: headers.cookie })).response.status, 401)
  })

  it('ends when a token is revoked', async () => {
    const stream = await listen(ann.headers)
    await until('it', async () => stream.text !== '')
    await api.store.revokeToken(ann.tokenId)
    api.clock.advance(1_000)
    api.feed.tellSites(ann.user.id)
    await until('it', async () => stream.isOver)
    assert.ok(!stream.text.includes('sites'))
  })

  it('ends when the token is suspended, and when its user may do less than before', async () => {
    await api.store.bindIdentity(ann.user.id, { issuer: 'https://sso.example.net', subject: '1' })
    const bob = await api.addCaller('bob@example.net', { role: 'admin', scopes: ['read', 'admin'] })
    const eve = await api.addCaller('eve@example.net')
    const streams = await Promise.all([ann, bob, eve].map(({ headers }) => listen(headers)))
    for (const stream of streams) await until('it', async () => stream.text !== '')
    await api.store.refuseIdentities(ann.user.id)
    await api.store.updateUser(bob.user.id, { role: 'member' })
    api.clock.advance(1_000)
    for (const { user } of [ann, bob, eve]) api.feed.tellSites(user.id)
    await until('it', async () => streams[0].isOver && streams[1].isOver && streams[2].text.includes('sites'))
    assert.deepEqual(
      streams.map(({ isOver, text }) => [isOver, text.includes('sites')]),
      [
        [true, false],
        [true, false],
        [false, true],
      ],
    )
    assert.equal((await listen(ann.headers)).response.status, 401)
    await api.store.acceptIdentities(ann.user.id)
    assert.equal((await listen(ann.headers)).response.status, 200)
  })

  it('is refused when there are too many, and never left open by HEAD', async () => {
    const head = await fetch(url, { method: 'HEAD', headers: ann.headers })
    assert.deepEqual([head.status, api.feed.listeners], [200, 0])
    const streams = await Promise.all(Array.from({ length: 20 }, () => listen(ann.headers)))
    assert.ok(streams.every(({ response }) => response.status === 200))
    const refused = await listen(ann.headers)
    assert.deepEqual([refused.response.status, refused.response.headers.get('retry-after')], [429, '3'])
  })
})

it('says every 15 seconds that it is there, by a message that a page can see and that has no place', async (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] })
  const listening = api.feed.listen({ userId: ann.user.id, isAdmin: false, address: '192.0.2.1' }, null)
  assert.ok(listening !== null)
  const end = { signal: new AbortController().signal, isStillKnown: async () => true }
  const pieces = messages(listening, end)
  assert.equal((await pieces.next()).value, 'retry: 3000\n\n')
  const second = pieces.next()
  t.mock.timers.tick(15_000)
  assert.equal((await second).value, 'event: heartbeat\ndata: {}\n\n')
  await pieces.return()
})

it('a change of readiness, of what is heard, and of exporters is noticed while somebody listens', async () => {
  const told: string[] = []
  const exporters = exportersOf([streamReport({ address: '192.0.2.7' })], api.clock.now())
  const state = { ready: true, heardMs: api.clock.now(), hasExporter: true }
  let looks = 0
  const watch = new LiveWatch({
    feed: Object.assign(api.feed, {
      tellStatus: () => told.push('status'),
      tellExporters: (ids: string[]) => told.push(...ids),
    }),
    clock: api.clock,
    log: createLogger('silent'),
    health: () => {
      looks++
      return { ready: state.ready, checks: {} }
    },
    exporters: { each: () => (state.hasExporter ? exporters : []) },
    lastDatagramMs: () => state.heardMs,
  })
  await watch.look()
  assert.equal(looks, 0)
  api.feed.listen({ userId: 'root', isAdmin: true, address: '192.0.2.1' }, null)
  await watch.look()
  await watch.look()
  assert.deepEqual(told, [])
  state.ready = false
  await watch.look()
  api.clock.advance(121_000)
  await watch.look()
  state.hasExporter = false
  await watch.look()
  assert.deepEqual(told, ['status', 'status', '192.0.2.7'])
})

it('exporters by the thousand are looked at in slices, between which others have their turn', async () => {
  let turns = 0
  let isOver = false
  const turn = () => {
    turns++
    if (!isOver) setImmediate(turn)
  }
  const reports = Array.from({ length: 1_000 }, (_, i) => streamReport({ address: `10.0.${i >> 8}.${i & 255}` }))
  const watch = new LiveWatch({
    feed: api.feed,
    clock: api.clock,
    log: createLogger('silent'),
    health: () => ({ ready: true, checks: {} }),
    exporters: { each: () => exportersOf(reports, api.clock.now()) },
    lastDatagramMs: () => null,
  })
  api.feed.listen({ userId: 'root', isAdmin: true, address: '192.0.2.1' }, null)
  setImmediate(turn)
  await watch.look()
  isOver = true
  assert.ok(turns >= 5, `${turns} turns`)
})

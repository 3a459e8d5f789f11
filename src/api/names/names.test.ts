import assert from 'node:assert/strict'
import { after, before, beforeEach, describe, it } from 'node:test'
import { createTestApi, noNames, startMs, type TestApi, type TestCaller } from '../../../test/helpers/api.ts'
import { address } from '../../../test/helpers/flow-rows.ts'
import { AppError } from '../../errors.ts'
import type { Binding, NameOrAddress } from '../../names/bindings/bindings.ts'
import type { ImportReport } from '../../names/passive-dns/imports.ts'

const www = 'www.example.com'
const hour = 3_600_000
const seconds = startMs / 1_000
const report: ImportReport = {
  ...{ lines: 2, observations: 1, otherTypes: 0, otherNames: 1, omitted: 0, broken: 0 },
  errors: [],
}

let api: TestApi
let ann: TestCaller
let bob: TestCaller
let root: TestCaller
let received = ''
let importNames = async (chunks: AsyncIterable<Uint8Array>): Promise<ImportReport> => {
  for await (const chunk of chunks) received += Buffer.from(chunk).toString()
  return report
}
let known: Record<'asked' | 'observed', Binding[]>
const asked: NameOrAddress[] = []

const observation = (name: string, more: Partial<Binding> = {}): Binding => ({
  ...{ name, address: address('192.0.2.1'), chain: [], firstMs: startMs, fromMs: startMs, confirmedMs: startMs + hour },
  ...{ ttlSeconds: 60, count: 3, source: 'dnstap', sensor: 'ns1', validToMs: startMs + hour, ...more },
})

before(async () => {
  api = await createTestApi({
    names: {
      names: {
        ...noNames.names,
        known: (of) => {
          asked.push(of)
          return known
        },
        mayShow: (userId, { name }, isAsked) => userId === ann.user.id && (name !== 'hidden.example.com' || isAsked),
      },
      importNames: (chunks) => importNames(chunks),
    },
  })
  ann = await api.addCaller('ann@example.net', { scopes: ['read'] })
  bob = await api.addCaller('bob@example.net', { scopes: ['read', 'write'] })
  root = await api.addCaller('root@example.net', { scopes: ['admin'] })
  await api.store.addSites(ann.user.id, ['*.example.com'], startMs)
  await api.store.addSites(bob.user.id, ['192.0.2.0/24'], startMs - hour)
})
after(() => api.close())
beforeEach(() => {
  known = { asked: [], observed: [] }
  received = ''
})

async function query(question: string, caller = ann) {
  return api.server.inject({ url: `/pdns/query/${encodeURIComponent(question)}`, headers: caller.headers })
}

async function linesOf(question: string, caller = ann): Promise<Record<string, unknown>[]> {
  const answer = await query(question, caller)
  assert.equal(answer.statusCode, 200)
  assert.equal(answer.headers['content-type'], 'application/x-ndjson')
  return answer.body
    .split('\n')
    .slice(0, -1)
    .map((line) => JSON.parse(line))
}

describe('a question to passive DNS', () => {
  const record = { rrname: www, rrtype: 'A', rdata: '192.0.2.1', time_first: seconds, time_last: seconds + 3_600 }

  it('is answered by name and by address, from memory and from the store', async () => {
    known.observed.push(observation(www))
    await api.store.saveObservations([
      observation(www, { firstMs: startMs - 9 * hour, confirmedMs: startMs - 8 * hour, count: 9 }),
      observation(www, { address: address('192.0.2.7') }),
    ])
    assert.deepEqual(await linesOf('WWW.example.com.', root), [
      { ...record, time_first: seconds - 9 * 3_600, count: 9, sensor_id: 'ns1' },
      { ...record, rdata: '192.0.2.7', count: 3, sensor_id: 'ns1' },
    ])
    assert.deepEqual(asked.at(-1), { name: www })
    await linesOf('192.0.2.1', root)
    assert.deepEqual(asked.at(-1), { address: address('192.0.2.1') })
    assert.deepEqual(await linesOf('unknown.example.org', root), [
      { ...record, time_first: seconds, count: 3, sensor_id: 'ns1' },
    ])
  })

  it('shows a user the names of their own sites, from when these were added', async () => {
    known = {
      asked: [observation('example.com', { chain: ['edge.example.net'] })],
      observed: [
        observation('a.example.com', { firstMs: startMs - hour }),
        observation('old.example.com', { firstMs: startMs - 2 * hour, confirmedMs: startMs - hour }),
        observation('hidden.example.com'),
        observation('example.net'),
      ],
    }
    const address192 = '192.0.2.99'
    assert.deepEqual(await linesOf(address192), [
      { ...record, rrname: 'example.com', rrtype: 'CNAME', rdata: 'edge.example.net' },
      { ...record, rrname: 'edge.example.net' },
      { ...record, rrname: 'a.example.com' },
    ])
    assert.deepEqual(await linesOf(address192, bob), [])
    await api.store.setEnabled(ann.user.id, ['*.example.com'], false)
    assert.deepEqual(await linesOf(address192), [])
    await api.store.setEnabled(ann.user.id, ['*.example.com'], true)
  })

  it('is bounded, and must be a name or an address', async () => {
    known.observed = Array.from({ length: 10_001 }, (_, i) => observation(`${i}.example.com`))
    assert.equal((await linesOf('192.0.2.98', root)).length, 10_000)
    for (const wrong of ['a b', '192.0.2.0/24', '2001:db8::1', '*'])
      assert.equal((await query(wrong)).statusCode, 400, wrong)
  })
})

describe('an import over HTTP', () => {
  const post = (payload: string | undefined, more: { caller?: TestCaller; type?: string; coding?: string } = {}) =>
    api.server.inject({
      ...{ method: 'POST', url: '/api/v1/names/observations' },
      headers: {
        ...(more.caller ?? root).headers,
        ...(more.type !== '' && { 'content-type': more.type ?? 'application/x-ndjson' }),
        ...(more.coding !== undefined && { 'content-encoding': more.coding }),
      },
      ...(payload !== undefined && { payload }),
    })

  it('takes lines, however many, and says what became of them', async () => {
    const lines = '{}\n'.repeat(1_000_000)
    const answer = await post(lines)
    assert.equal(answer.statusCode, 200)
    assert.deepEqual(answer.json(), report)
    assert.equal(received, lines)
  })

  it('is for admin, and takes lines only, which nothing else does', async () => {
    assert.equal((await post('', { caller: bob })).statusCode, 403)
    for (const more of [{ type: 'application/json' }, { type: 'text/plain' }, { coding: 'gzip' }])
      assert.equal((await post('{}', more)).statusCode, 415, JSON.stringify(more))
    assert.equal((await post(undefined, { type: '' })).statusCode, 415)
    const elsewhere = await api.server.inject({
      ...{ method: 'POST', url: '/open/site/add', payload: '{"hosts":["a.example.com"]}' },
      headers: { ...bob.headers, 'content-type': 'application/x-ndjson' },
    })
    assert.equal(elsewhere.statusCode, 415)
  })

  it('is refused when it is too large, or another goes on', async () => {
    const before = importNames
    importNames = () => Promise.reject(new AppError('TOO_LARGE', ''))
    assert.equal((await post('{}\n')).statusCode, 413)
    importNames = () => Promise.reject(new AppError('TOO_MANY_REQUESTS', ''))
    const busy = await post('{}\n')
    assert.deepEqual([busy.statusCode, busy.headers['retry-after']], [429, '5'])
    importNames = before
  })
})

import assert from 'node:assert/strict'
import { after, before, beforeEach, describe, it } from 'node:test'
import { Value } from 'typebox/value'
import { createTestApi, startMs, type TestApi, type TestCaller } from '../../../test/helpers/api.ts'
import { streamReport } from '../../../test/helpers/exporters.ts'
import { exportersOf } from '../../collect/health/exporter.ts'
import { ExporterList } from '../../contract/exporters/endpoints.ts'
import { ExporterDetail } from '../../contract/exporters/exporter.ts'
import type { AdmissionState } from './present.ts'

const reports = [
  streamReport(),
  streamReport({ address: '2001:db8::7', protocol: 'sflow5', clockAheadMs: null, firstMs: startMs - 900_000 }),
  streamReport({ domain: 3, counters: { sequenceLost: 2_000, sequenceGaps: 3 }, clockAheadMs: 3_600_000 }),
  streamReport({
    domain: 1,
    protocol: 'ipfix',
    waiting: [{ template: 300, sets: 2 }],
    unknownElements: [{ enterprise: 9, id: 12_235 }],
    counters: { setsWithoutTemplate: 7, setsDecodedLate: 1, setsExpired: 1, setsCrowdedOut: 1, setsOutdated: 1 },
    sampling: {
      from: 'interface',
      rates: [
        { rate: 100, share: 2 / 3 },
        { rate: 0, share: 1 / 3 },
      ],
      told: [
        { scope: 'exporter', rate: 100 },
        { scope: 'interface', id: 3, rate: 0 },
        { scope: 'sequence', id: 1, sampler: 4 },
      ],
      doubts: ['byteOrder'],
      jumps: [
        {
          ...{ scope: 'exporter', id: 0, from: 1_000, to: 0, outcome: 'contradicted' },
          ...{ toldMs: startMs - 86_460_000, decidedMs: startMs - 86_400_000 },
        },
      ],
    },
  }),
  streamReport({ domain: 3, port: 2056, datagramsPerSecond: null, recordsPerSecond: null }),
]

let state: AdmissionState
const sets: [entries: readonly string[], changedBy: string | null][] = []
let api: TestApi
let admin: TestCaller

before(async () => {
  api = await createTestApi({
    admission: {
      state: () => state,
      set: async (entries, changedBy) => {
        sets.push([entries, changedBy])
        state = { ...state, source: 'here', entries, previous: state.entries, changedMs: startMs, changedBy }
      },
    },
    notices: {
      list: () => [{ kind: 'restart', address: '192.0.2.7', firstMs: startMs, lastMs: startMs, count: 2, text: 'x' }],
    },
    exporters: {
      list: () => exportersOf(reports, startMs),
      each: () => exportersOf(reports, startMs),
      find: (address) => exportersOf(reports, startMs).find((each) => each.address === address) ?? null,
      reception: () => ({
        socketDrops: 1,
        notExports: 2,
        refused: 3,
        refusedSenders: [{ address: '203.0.113.9', datagrams: 3, lastMs: startMs, workedBefore: true }],
      }),
    },
  })
  admin = await api.addCaller('admin@example.net', { scopes: ['admin'] })
})

after(() => api.close())

beforeEach(() => {
  sets.length = 0
  const senders = ['192.0.2.7', '2001:db8::7']
  state = { source: 'anybody', entries: [], previous: null, changedMs: null, changedBy: null, senders }
})

const get = (url: string, headers: Record<string, string> = admin.headers) => api.server.inject({ url, headers })

describe('the list of exporters', () => {
  it('has each in the order in which they came, with its state, and what is received beside', async () => {
    const answer = await get('/api/v1/exporters')
    assert.equal(answer.statusCode, 200)
    const list = answer.json()
    assert.ok(Value.Check(ExporterList, list), JSON.stringify([...Value.Errors(ExporterList, list)]))
    assert.deepEqual(
      list.exporters.map(({ id, state, streamCount }: { [name: string]: unknown }) => [id, state, streamCount]),
      [
        ['2001:db8::7', 'ok', 1],
        ['192.0.2.7', 'error', 4],
      ],
    )
    const { protocols, lostShare, samplingRates, clockAheadSeconds, datagramsPerSecond, findings } = list.exporters[1]
    assert.deepEqual(
      { protocols, lostShare, samplingRates, clockAheadSeconds, datagramsPerSecond },
      {
        protocols: ['ipfix', 'netflow9'],
        lostShare: 0.25,
        samplingRates: [100],
        clockAheadSeconds: 3600,
        datagramsPerSecond: 30,
      },
    )
    const rules = findings.map(({ rule }: { rule: string }) => rule)
    const errors = ['loss', 'no-template', 'sets-given-up']
    const warnings = ['clock-zone', 'sampling-swapped']
    assert.deepEqual(rules.slice(0, 3).sort(), errors)
    assert.deepEqual(rules.slice(3, 5).sort(), warnings)
    assert.deepEqual(rules.slice(5).sort(), ['late-template', 'shared-address', 'unknown-elements'])
    assert.deepEqual(list.reception, {
      socketDrops: 1,
      notExports: 2,
      refused: 3,
      refusedSenders: [
        { address: '203.0.113.9', datagrams: 3, lastSeen: '2026-01-15T12:00:00+00:00', workedBefore: true },
      ],
    })
  })
})

describe('who may send flows', () => {
  const put = (payload: object, headers = admin.headers) =>
    api.server.inject({ method: 'PUT', url: '/api/v1/allowed-exporters', payload, headers })

  it('is told with the exporters, as is what happened to them', async () => {
    const { allowed, notices } = (await get('/api/v1/exporters')).json()
    assert.deepEqual([allowed.source, allowed.senders], ['anybody', ['192.0.2.7', '2001:db8::7']])
    const at = '2026-01-15T12:00:00+00:00'
    assert.deepEqual(notices, [{ kind: 'restart', address: '192.0.2.7', first: at, last: at, count: 2, text: 'x' }])
  })

  it('is set by an admin, with each entry once', async () => {
    const answer = await put({ entries: ['192.0.2.0/24', '2001:db8::7', '192.0.2.0/24'] })
    assert.equal(answer.statusCode, 200)
    const { source, entries, previous, changedBy, changedAt } = answer.json()
    assert.deepEqual([source, entries, previous], ['here', ['192.0.2.0/24', '2001:db8::7'], []])
    assert.deepEqual([changedBy, changedAt], ['admin@example.net', '2026-01-15T12:00:00+00:00'])
    assert.deepEqual(sets, [[['192.0.2.0/24', '2001:db8::7'], 'admin@example.net']])
  })

  it('is nothing but addresses and prefixes', async () => {
    const answer = await put({ entries: ['192.0.2.7', 'router.example', '192.0.2.0/33'], mayLeaveOut: true })
    assert.equal(answer.statusCode, 400)
    assert.deepEqual(
      answer.json().errors.map(({ pointer }: { pointer: string }) => pointer),
      ['/entries/1', '/entries/2'],
    )
    assert.equal((await put({ entries: Array.from({ length: 10_001 }, () => '192.0.2.7') })).statusCode, 400)
    assert.deepEqual(sets, [])
  })

  it('leaves out nobody who sends, unless that is said', async () => {
    const answer = await put({ entries: ['192.0.2.7'] })
    assert.equal(answer.statusCode, 409)
    assert.match(answer.json().detail, /would be left out: 2001:db8::7\. /)
    assert.equal(answer.json().reason, 'exporters-left-out')
    assert.equal((await put({ entries: ['192.0.2.7'], mayLeaveOut: true })).statusCode, 200)
    assert.equal((await put({ entries: [] })).statusCode, 200, 'an empty list lets everybody')
  })

  it('cannot be set here where the configuration says it', async () => {
    state = { ...state, source: 'configuration', entries: ['192.0.2.7'] }
    const answer = await put({ entries: ['192.0.2.7', '2001:db8::7'] })
    assert.equal(answer.statusCode, 409)
    assert.match(answer.json().detail, /ingest\.exporters/)
    assert.deepEqual(sets, [])
  })

  it('is for admins alone', async () => {
    const owner = await api.addCaller('other@example.net', { scopes: ['read', 'write'] })
    assert.equal((await put({ entries: [] }, owner.headers)).statusCode, 403)
    assert.deepEqual(sets, [])
  })
})

describe('an exporter', () => {
  it('has its streams by domain and port', async () => {
    const answer = await get('/api/v1/exporters/192.0.2.7')
    assert.equal(answer.statusCode, 200)
    const exporter = answer.json()
    assert.ok(Value.Check(ExporterDetail, exporter), JSON.stringify([...Value.Errors(ExporterDetail, exporter)]))
    assert.deepEqual(
      exporter.streams.map(({ domain, port }: { domain: number; port: number }) => [domain, port]),
      [
        [1, 2055],
        [3, 2055],
        [3, 2056],
        [9, 2055],
      ],
    )
    assert.deepEqual(exporter.streams[1].sequence, { unit: 'datagrams', gaps: 3, lost: 2000, lostShare: 0.25 })
    assert.deepEqual([exporter.streams[2].datagramsPerSecond, exporter.streams[2].flowsPerSecond], [null, null])
  })

  it('tells what waits, what the exporter said of sampling, and what is not known', async () => {
    const [stream] = (await get('/api/v1/exporters/192.0.2.7')).json().streams
    const { waitingSets, setsWithoutTemplate, setsDecodedLate, setsGivenUp, sampling, unknownElements } = stream
    assert.deepEqual(
      [waitingSets, setsWithoutTemplate, setsDecodedLate, setsGivenUp],
      [[{ template: 300, sets: 2 }], 7, 1, 3],
    )
    assert.deepEqual(unknownElements, [{ enterprise: 9, id: 12_235 }])
    assert.deepEqual(sampling, {
      from: 'interface',
      rates: [
        { rate: 100, share: 0.6667 },
        { rate: null, share: 0.3333 },
      ],
      told: [
        { scope: 'exporter', id: 0, rate: 100 },
        { scope: 'interface', id: 3, rate: null },
      ],
      doubts: ['byteOrder'],
      jumps: [
        {
          ...{ scope: 'exporter', id: 0, from: 1_000, to: null, outcome: 'contradicted' },
          ...{ toldAt: '2026-01-14T11:59:00+00:00', decidedAt: '2026-01-14T12:00:00+00:00' },
        },
      ],
    })
  })

  it('may have an address of IPv6, encoded or not', async () => {
    for (const id of ['2001:db8::7', '2001%3Adb8%3A%3A7', '2001:db8::7/']) {
      const answer = await get(`/api/v1/exporters/${id}`)
      assert.deepEqual([answer.statusCode, answer.json().id], [200, '2001:db8::7'])
    }
  })

  it('that is not known is answered with 404', async () => {
    for (const id of ['192.0.2.8', 'x', '__proto__', '%00', '192.0.2.7%20']) {
      const { statusCode, headers, body } = await get(`/api/v1/exporters/${id}`)
      assert.equal(statusCode, 404, id)
      assert.match(String(headers['content-type']), /^application\/problem\+json/)
      assert.ok(headers.ratelimit)
      assert.equal(JSON.parse(body).status, 404)
    }
  })
})

describe('the findings that there are', () => {
  it('are for everybody, and those of exporters among them, with the same words', async () => {
    const owner = await api.addCaller('reader@example.net', { scopes: ['read'] })
    const { rules } = (await get('/api/v1/findings', owner.headers)).json()
    const { exporters } = (await get('/api/v1/exporters')).json()
    const found = exporters.flatMap(({ findings }: ExporterList['exporters'][number]) => findings)
    assert.ok(found.length > 0)
    for (const { rule, severity, advice } of found) {
      const listed = rules.find((each: { rule: string }) => each.rule === rule)
      assert.deepEqual([listed?.severity, listed?.advice], [severity, advice])
    }
  })
})

describe('who may see exporters', () => {
  const paths = ['/api/v1/exporters', '/api/v1/exporters/192.0.2.7', '/api/v1/exporters/192.0.2.8']

  it('is whoever has a token for `admin`, and nobody else: they are not of one user', async () => {
    const owner = await api.addCaller('owner@example.net', { scopes: ['read', 'write'] })
    for (const path of paths) {
      const { statusCode, body } = await get(path, owner.headers)
      assert.equal(statusCode, 403)
      assert.match(body, /scope `admin`/)
      assert.equal((await get(path, {})).statusCode, 401)
    }
  })

  it('does not depend on the method', async () => {
    for (const path of paths) {
      const { statusCode, headers } = await api.server.inject({ method: 'DELETE', url: path, headers: admin.headers })
      assert.deepEqual([statusCode, headers.allow], [405, 'GET, HEAD, OPTIONS'])
    }
  })
})

import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { Value } from 'typebox/value'
import { createClient } from '../../../client/index.ts'
import { createTestApi, noTargets, startMs, type TestApi, type TestCaller } from '../../../test/helpers/api.ts'
import { defaultSettings } from '../../../test/helpers/detection.ts'
import { address } from '../../../test/helpers/flow-rows.ts'
import { Target, TargetParams, targetEndpoints, VectorList } from '../../contract/targets.ts'
import { SettingsTable } from '../../detect/targets/target-settings.ts'
import type { TargetState } from '../../detect/targets/target-state.ts'
import { AppError } from '../../errors.ts'
import type { Way } from '../../names/bindings/attribution.ts'
import { matchText } from '../../vectors/match-text.ts'
import { vectors } from '../../vectors/vectors.ts'

const settings = {
  ...defaultSettings(),
  packetsPerSecond: 0,
  excludeSources: ['203.0.113.5'],
  prefixes: [{ prefix: '192.0.2.0/24', flowsPerSecond: 5 }],
  sites: [{ site: 'www.example.com', sensitivity: 'low' as const, excludePorts: ['udp/53'] }],
}
const own = address('192.0.2.10')
const state: TargetState = {
  settings: new SettingsTable(settings, [[own]]).of(own),
  learning: { sinceSecond: startMs / 1000, secondsLeft: 12.5, seasonHours: 3 },
  ageSeconds: 40,
  classes: [
    {
      label: null,
      matches: null,
      packets: 12.345,
      bytes: -1e-9,
      flows: 1,
      normal: null,
      lines: { whole: Number.POSITIVE_INFINITY, partial: Number.POSITIVE_INFINITY },
    },
    {
      label: 'tcp@attack@syn_flood_target',
      matches: null,
      packets: 1,
      bytes: 60,
      flows: 1,
      normal: { level: 3, spread: 0.5 },
      lines: { whole: 300, partial: 2_000 },
    },
    {
      label: 'icmp@attack@simple_flood_target',
      matches: 'x',
      packets: 1,
      bytes: 60,
      flows: 1,
      normal: null,
      lines: null,
    },
  ],
  incidents: [
    { id: 'abc', label: null, isNetwork: false },
    { id: 'def', label: null, isNetwork: true },
  ],
}

let api: TestApi
let admin: TestCaller
let ann: TestCaller
let isBusy = false
const byName = { site: 'www.example.com', sinceMs: 3_000 }
let ways = [byName]
const asked: { address: number; knownFromMs: number }[] = []

before(async () => {
  api = await createTestApi({
    targets: {
      ...noTargets,
      stateOf: async (of, knownFromMs) => {
        if (isBusy) throw new AppError('DETECTION_BUSY', 'secret')
        asked.push({ address: of, knownFromMs })
        return state
      },
      ratesOf: async () => [],
      waysTo: (userId, of) => (userId === ann.user.id && of === own ? ways : []),
    },
  })
  admin = await api.addCaller('admin@example.net', { scopes: ['admin'] })
  ann = await api.addCaller('ann@example.net', { scopes: ['read'] })
  await api.store.addSites(ann.user.id, ['www.example.com'], 2_000)
  await api.store.addSites(ann.user.id, ['192.0.2.0/28'], 1_000)
  await api.store.addSites(ann.user.id, ['192.0.2.0/25', '192.0.2.11'], 500)
  await api.store.setEnabled(ann.user.id, ['192.0.2.0/25'], false)
})

after(() => api.close())

const get = (of: string, headers: Record<string, string>) =>
  api.server.inject({ url: `/api/v1/targets/${of}`, headers })

describe('what is known of an address', () => {
  it('is its settings with their sources, its learning, traffic and attacks', async () => {
    const answer = await get('192.0.2.10', admin.headers)
    assert.equal(answer.statusCode, 200)
    const target = answer.json()
    assert.ok(Value.Check(Target, target), JSON.stringify([...Value.Errors(Target, target)]))
    assert.deepEqual(asked.at(-1), { address: own, knownFromMs: 0 })
    assert.deepEqual(target.settings, {
      enabled: { value: true, source: 'default' },
      packetsPerSecond: { value: 0, source: 'all' },
      bytesPerSecond: { value: 125_000_000, source: 'default' },
      flowsPerSecond: { value: 5, source: 'prefix 192.0.2.0/24' },
      sensitivity: { value: 0.5, source: 'site www.example.com' },
      excludePorts: { value: ['udp/53'], source: 'site www.example.com' },
      excludeSources: { value: ['203.0.113.5'], source: 'all' },
    })
    assert.deepEqual(
      [target.knownSince, target.learnSecondsLeft, target.seasonHours],
      ['2026-01-15T12:00:00+00:00', 13, 3],
    )
    const [all, syn, icmp] = target.classes
    assert.deepEqual(all, {
      attackType: null,
      matches: null,
      packetsPerSecond: 12.35,
      bytesPerSecond: 0,
      flowsPerSecond: 1,
      normal: null,
      line: null,
      partialLine: null,
    })
    assert.deepEqual([syn.normal, syn.line, syn.partialLine], [{ packetsPerSecond: 3, spread: 0.5 }, 300, 2_000])
    assert.deepEqual([icmp.line, icmp.partialLine], [null, null])
    assert.deepEqual(target.incidents, [
      { id: 'abc', attackType: null },
      { id: 'def', attackType: null },
    ])
  })

  it('is told to its owner as if nobody had watched it before, and without what belongs to others', async () => {
    const answer = await get('192.0.2.10', ann.headers)
    assert.equal(answer.statusCode, 200)
    const { settings, incidents } = answer.json()
    assert.deepEqual(incidents, [
      { id: 'abc', attackType: null },
      { id: null, attackType: null },
    ])
    assert.equal(settings.sensitivity.source, 'site')
    assert.equal(settings.flowsPerSecond.source, 'prefix 192.0.2.0/24')
    assert.ok(!answer.body.includes('203.0.113.5') && !answer.body.includes('www.example.com'))
  })

  it('is told from when the first of the sites of its owner led there', async () => {
    const cases: [ways: Way[], knownFromMs: number][] = [
      [[byName], 3_000],
      [[{ ...byName, sinceMs: 1_500 }], 2_000],
      [[byName, { site: '192.0.2.0/28', sinceMs: 0 }], 1_000],
      [[byName, { site: '192.0.2.0/25', sinceMs: 0 }], 3_000],
    ]
    for (const [given, knownFromMs] of cases) {
      ways = given
      assert.equal((await get('192.0.2.10', ann.headers)).statusCode, 200)
      assert.deepEqual(asked.at(-1), { address: own, knownFromMs })
    }
    ways = [{ site: '192.0.2.0/25', sinceMs: 0 }]
    assert.equal((await get('192.0.2.10', ann.headers)).statusCode, 404)
    ways = [byName]
  })

  it('is not told to others: whether there is anything can not be seen', async () => {
    const bob = await api.addCaller('bob@example.net', { scopes: ['read', 'write'] })
    await api.store.addSites(bob.user.id, ['192.0.2.10'], 1)
    const before = asked.length
    const answers = await Promise.all([
      get('192.0.2.10', bob.headers),
      get('192.0.2.11', ann.headers),
      get('203.0.113.77', ann.headers),
    ])
    assert.deepEqual(
      answers.map(({ statusCode }) => statusCode),
      [404, 404, 404],
    )
    assert.equal(new Set(answers.map(({ body }) => body)).size, 1)
    assert.equal(asked.length, before)
  })

  it('needs a token for `read` or `admin`, and an address', async () => {
    const writer = await api.addCaller('writer@example.net', { scopes: ['write'] })
    const refused = await get('192.0.2.10', writer.headers)
    assert.equal(refused.statusCode, 403)
    assert.match(refused.body, /`read` or `admin`/)
    assert.equal((await get('192.0.2.10', {})).statusCode, 401)
    const taken = await get('255.249.199.0', admin.headers)
    assert.equal(taken.statusCode, 200)
    assert.ok(Value.Check(TargetParams, { address: '255.249.199.0' }))
    for (const text of ['x', '00', '192.0.2', '192.0.2.010', '192.0.2.256', '192.0.2.10/32', '2001:db8::1']) {
      assert.equal((await get(encodeURIComponent(text), admin.headers)).statusCode, 400, text)
      assert.ok(!Value.Check(TargetParams, { address: text }), text)
    }
  })

  it('is answered with 503 when detection has no time', async () => {
    isBusy = true
    const { statusCode, headers, body } = await get('192.0.2.10', admin.headers)
    assert.deepEqual([statusCode, headers['retry-after']], [503, '1'])
    assert.ok(!body.includes('secret'))
  })
})

describe('the list of vectors', () => {
  /** The client of a user, over the server of this test. */
  const clientOf = ({ user, secret }: TestCaller) =>
    createClient({
      ...{ baseUrl: 'http://service.test', email: user.email, token: secret },
      fetch: async (input, init) => {
        const headers = Object.fromEntries(new Headers(init?.headers))
        const answer = await api.server.inject({ url: new URL(String(input)).pathname, headers })
        return new Response(answer.body, { status: answer.statusCode })
      },
    })

  it('has every row of the table once, under its label, with its floors', async () => {
    const list = await clientOf(ann).call('listVectors')
    const labels = list.vectors.map(({ attackType }) => attackType)
    assert.deepEqual(labels, [...new Set(vectors.map(({ label }) => label))])
    assert.equal(list.vectors.flatMap(({ rows }) => rows).length, vectors.length)
    for (const { label, match, raise, signature } of vectors) {
      const rows = list.vectors.find(({ attackType }) => attackType === label)?.rows ?? []
      const { sourcesMin, packetBytes, matches, ...floors } = rows.find((row) => row.matches === matchText(match)) ?? {}
      assert.deepEqual(floors, raise, `${label} ${matches}`)
      assert.deepEqual(
        [sourcesMin, packetBytes?.min, packetBytes?.max],
        [signature.sourcesMin, ...signature.packetBytes],
      )
    }
  })

  it('is of the form and the example that the contract has', async () => {
    const list = await clientOf(ann).call('listVectors')
    assert.ok(Value.Check(VectorList, list), JSON.stringify([...Value.Errors(VectorList, list)]))
    const [{ attackType, rows }] = targetEndpoints.listVectors.example.response.vectors
    assert.deepEqual(list.vectors.find((each) => each.attackType === attackType)?.rows, rows)
  })

  it('needs credentials', async () => {
    assert.equal((await api.server.inject('/api/v1/vectors')).statusCode, 401)
  })
})

import assert from 'node:assert/strict'
import { after, before, beforeEach, describe, it } from 'node:test'
import {
  createTestApi,
  noNames,
  noProofs,
  noSiteWatch,
  noSources,
  startMs,
  type TestApi,
  type TestCaller,
} from '../../../test/helpers/api.ts'
import { address } from '../../../test/helpers/flow-rows.ts'
import { newProof, type SavedProof } from '../../access/proof.ts'
import type { Binding, NameOrAddress } from '../../names/bindings/bindings.ts'
import type { Outcome } from '../../names/resolve/schedule.ts'

const hour = 3_600_000
const nowMs = startMs + 10 * hour
let api: TestApi
let ann: TestCaller
let bob: TestCaller
let root: TestCaller
let known: { asked: Binding[]; observed: Binding[] } = { asked: [], observed: [] }
let outcomes: Record<string, Outcome> = {}
let crowdedOut = new Set<string>()
let proofs: SavedProof[] = []
let isCovered = true
const unproved = 'www.example.com'
const suggestion = { name: 'shop.example.org', address: address('192.0.2.7'), confirmedMs: startMs }

const binding = (name: string, more: Partial<Binding> = {}): Binding => ({
  ...{ name, address: address('192.0.2.1'), chain: [], firstMs: startMs, fromMs: startMs, confirmedMs: startMs + hour },
  ...{ ttlSeconds: 60, count: 3, source: 'dnstap', sensor: 'ns1', validToMs: 0, ...more },
})
const among = (bindings: Binding[], of: NameOrAddress) =>
  bindings.filter((each) => ('name' in of ? each.name === of.name : each.address === of.address))

before(async () => {
  api = await createTestApi({
    names: {
      ...noNames,
      names: {
        known: (of) => ({ asked: among(known.asked, of), observed: among(known.observed, of) }),
        mayShow: (userId, { name }) => userId === ann.user.id && name !== 'hidden.example.com',
        outcomeOf: (_userId, name) => outcomes[name] ?? null,
        isCrowdedOut: (name) => crowdedOut.has(name),
        sources: () => ({ ...noSources, dnstap: { ...noSources.dnstap, sensors: [{ name: 'ns1', lastMs: startMs }] } }),
      },
    },
    siteWatch: {
      ...noSiteWatch,
      suggestionsFor: (userId) => (userId === ann.user.id ? [suggestion] : []),
      mayWatch: (_, { host }) => host !== unproved || isCovered,
    },
    proofs: { ...noProofs, all: () => proofs },
  })
  ann = await api.addCaller('ann@example.net', { scopes: ['read'] })
  bob = await api.addCaller('bob@example.net', { scopes: ['read'] })
  root = await api.addCaller('root@example.net', { scopes: ['admin'] })
  await api.store.addSites(ann.user.id, ['*.example.com', 'www.example.com', 'old.example.com'], startMs)
  await api.store.addSites(ann.user.id, ['192.0.2.0/24', '192.0.2.0/28', 'new.example.com'], startMs)
  await api.store.addSites(bob.user.id, ['www.example.com'], startMs)
  api.clock.set(nowMs)
})
after(() => api.close())
beforeEach(() => {
  known = { asked: [], observed: [] }
  crowdedOut = new Set()
})

const get = async (path: string, { headers } = ann) => api.server.inject({ url: `/api/v1/names${path}`, headers })
const recordsOf = async (path: string, caller = ann) => (await get(`/records/${path}`, caller)).json().records

describe('a look-up of names', () => {
  it('tells each pair of a name and an address once, the current ones first, and who said so', async () => {
    const live = { validToMs: api.clock.now() + hour, confirmedMs: api.clock.now() }
    known = {
      asked: [binding('www.example.com', { ...live, chain: ['edge.example.net'] })],
      observed: [
        // What a sender calls itself says nothing about what it is.
        ...(
          [
            ['dnstap', 'import'],
            ['found', 'resolver'],
            ['zone', 'zone example.com'],
            ['import', 'ns1'],
            ['told', 'ns7'],
          ] as const
        ).map(([source, sensor], n) => binding(`${n}.example.com`, { source, sensor })),
        binding('4.example.com', {
          source: 'told',
          sensor: 'ns7',
          firstMs: startMs - hour,
          confirmedMs: startMs + 2 * hour,
        }),
      ],
    }
    const records = await recordsOf('192.0.2.1')
    assert.deepEqual(
      records.map(({ name, source, isCurrent }: Record<string, string>) => [name, source, isCurrent]),
      [
        ['www.example.com', 'resolver', true],
        ['4.example.com', 'told', false],
        ['0.example.com', 'dnstap', false],
        ['1.example.com', 'found', false],
        ['2.example.com', 'zone', false],
        ['3.example.com', 'import', false],
      ],
    )
    assert.deepEqual(records[0].aliases, ['edge.example.net'])
    // Nothing from before the site was added is shown.
    assert.equal(Date.parse(records[1].firstAt), startMs)
    assert.ok(records.every(({ sensor }: { sensor: string | null }) => sensor === null))
    const [, all] = await recordsOf('192.0.2.1', root)
    assert.deepEqual([all.sensor, Date.parse(all.firstAt)], ['ns7', startMs - hour])
    assert.deepEqual(await recordsOf('192.0.2.1', bob), [])
  })

  it('is as of a moment, if one is given', async () => {
    known.observed = [binding('a.example.com'), binding('b.example.com', { validToMs: api.clock.now() + hour })]
    const at = async (ms: number) =>
      (await recordsOf(`192.0.2.1?at=${encodeURIComponent(new Date(ms).toISOString())}`)).map(
        ({ name }: { name: string }) => name,
      )
    assert.deepEqual(await at(startMs - 1_000), [])
    assert.deepEqual(await at(startMs), ['b.example.com', 'a.example.com'])
    assert.deepEqual(await at(startMs + hour + 1_000), ['b.example.com'])
    assert.deepEqual(await at(api.clock.now() + hour), [])
  })

  it('says when addresses of the name had no place, to whom it belongs', async () => {
    crowdedOut = new Set(['www.example.com', 'www.example.org'])
    const isRefused = async (name: string, caller = ann) => (await get(`/records/${name}`, caller)).json().isRefused
    assert.deepEqual(await Promise.all(['www.example.com', 'old.example.com'].map((name) => isRefused(name))), [
      true,
      false,
    ])
    assert.deepEqual([await isRefused('www.example.org'), await isRefused('www.example.org', root)], [false, true])
    assert.equal(await isRefused('192.0.2.1'), false)
    isCovered = false
    assert.equal(await isRefused('www.example.com', bob), false)
    isCovered = true
  })

  it('shows nobody what is not theirs, is bounded, and must be a name or an address', async () => {
    known.observed = [binding('hidden.example.com'), binding('www.example.org')]
    assert.deepEqual(await recordsOf('192.0.2.1'), [])
    known.observed = Array.from({ length: 1_001 }, (_, n) => binding(`${n}.example.com`))
    const { records, omitted } = (await get('/records/192.0.2.1')).json()
    assert.deepEqual([records.length, omitted], [1_000, 1])
    for (const wrong of ['192.0.2.0%2F24', 'a%20b', '192.0.2.1?at=noon'])
      assert.equal((await get(`/records/${wrong}`)).statusCode, 400, wrong)
  })
})

describe('what is to be done about names', () => {
  it('has sites that lead nowhere, by reason; suggestions; proofs that are missing; of the caller', async () => {
    outcomes = { 'www.example.com': 'answered', 'old.example.com': 'failing', 'new.example.com': 'waiting' }
    const expected = async () => (await get('')).json()
    known.asked = [binding('old.example.com')]
    const absent = await expected()
    assert.deepEqual(absent.problems, [
      { host: 'old.example.com', reason: 'failing', confirmedAt: '2026-01-15T13:00:00+00:00' },
      { host: 'www.example.com', reason: 'absent', confirmedAt: null },
    ])
    assert.deepEqual(absent.suggestions.length, 1)
    assert.deepEqual([absent.suggestions[0].name, absent.suggestions[0].address], ['shop.example.org', '192.0.2.7'])
    outcomes = { 'www.example.com': 'answered', 'old.example.com': 'answered' }
    known.asked = ['www.example.com', 'old.example.com'].map((name) =>
      binding(name, { validToMs: api.clock.now() + hour }),
    )
    api.clock.advance(10_000)
    assert.deepEqual((await expected()).problems, [{ host: 'new.example.com', reason: 'refused', confirmedAt: null }])
    crowdedOut = new Set(['www.example.com'])
    api.clock.advance(10_000)
    assert.deepEqual(
      (await expected()).problems.map(({ host, reason }: Record<string, string>) => [host, reason]),
      [
        ['new.example.com', 'refused'],
        ['www.example.com', 'refused'],
      ],
    )
    const mine = { kind: 'host', text: 'www.example.com' } as const
    proofs = [
      newProof(ann.user.id, mine, { token: 'a', nowMs: startMs }),
      newProof(bob.user.id, mine, { token: 'b', nowMs: startMs }),
      { ...newProof(ann.user.id, { kind: 'domain', text: 'example.com' }, { token: 'c', nowMs }), confirmedMs: nowMs },
    ]
    assert.deepEqual((await expected()).proofs, [])
    isCovered = false
    const missing = (await expected()).proofs
    isCovered = true
    assert.equal(missing.length, 1)
    assert.deepEqual([missing[0].host, missing[0].state], ['www.example.com', 'pending'])
    assert.match(missing[0].record.text, /^token=a /)
    assert.equal((await get('', bob)).json().suggestions.length, 0)
  })

  it('is bounded, and says so', async () => {
    const hosts = Array.from({ length: 250 }, (_, n) => `${n}.example.net`)
    await api.store.addSites(bob.user.id, hosts, startMs)
    api.clock.advance(10_000)
    const { problems, omitted } = (await get('', bob)).json()
    assert.deepEqual([problems.length, omitted.problems], [200, 51])
  })
})

it('who reports names is shown to admins', async () => {
  assert.equal((await get('/sources')).statusCode, 403)
  const { dnstap } = (await get('/sources', root)).json()
  assert.deepEqual(dnstap.sensors, [{ name: 'ns1', lastAt: '2026-01-15T12:00:00+00:00' }])
})

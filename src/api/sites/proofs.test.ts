import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { Value } from 'typebox/value'
import { createTestApi, startMs, type TestApi, type TestCaller } from '../../../test/helpers/api.ts'
import { newProof, type SavedProof } from '../../access/proof.ts'
import { ProofList, SiteReport } from '../../contract/sites/report.ts'

const www = 'www.example.com'
const day = 86_400_000

let api: TestApi
let ann: TestCaller
let bob: TestCaller
let admin: TestCaller
let proof: SavedProof
let checks = 0

before(async () => {
  api = await createTestApi({
    access: { policy: 'verified', sharedNetworks: [], sharedDomains: 3 },
    siteWatch: {
      addressesOf: () => ({ addresses: [], omitted: 0 }),
      mayWatch: () => proof.confirmedMs !== null,
      suggestionsFor: () => [],
      lastDatagramMs: () => null,
    },
    proofs: {
      of: async (user) => (user.id === ann.user.id ? proof : null),
      check: async () => {
        checks++
        proof = { ...proof, checkedMs: startMs, confirmedMs: startMs, expiresMs: startMs + 90 * day }
        return proof
      },
      all: () => [proof, { ...proof, userId: bob.user.id, subject: { kind: 'network', text: '192.0.2.0/24' } }],
    },
  })
  ann = await api.addCaller('ann@example.net')
  bob = await api.addCaller('bob@example.net')
  admin = await api.addCaller('root@example.net', { scopes: ['admin'] })
  await api.store.addSites(ann.user.id, [www], startMs)
  proof = newProof(ann.user.id, { kind: 'host', text: www }, { token: 'abc', nowMs: startMs })
})
after(() => api.close())

const get = (url: string, caller = ann) => api.server.inject({ url, headers: caller.headers })
const verify = (host: string, caller = ann) =>
  api.server.inject({ method: 'POST', url: `/api/v1/sites/${host}/verify`, headers: caller.headers })

describe('the proof of a site', () => {
  it('is shown with the record that it takes, and looked for on request', async () => {
    const before: SiteReport = (await get(`/api/v1/sites/${www}`)).json()
    const none = { confirmedAt: null, checkedAt: null, expiresAt: null, watchedUntil: null, misses: 0 }
    const record = { name: `_floodgauge-host-challenge.${www}`, type: 'TXT', text: 'token=abc expiry=2027-01-15' }
    assert.deepEqual([before.isWatched, before.proof], [false, { state: 'pending', ...none, record }])

    const answer = await verify('WWW.example.com')
    assert.equal(answer.statusCode, 200, answer.body)
    const site = answer.json()
    assert.ok(Value.Check(SiteReport, site), JSON.stringify([...Value.Errors(SiteReport, site)]))
    assert.deepEqual(
      [site.isWatched, site.proof?.state, site.proof?.expiresAt],
      [true, 'verified', '2026-04-15T12:00:00+00:00'],
    )
    assert.equal(site.proof?.record.text, 'token=abc expiry=2026-04-15')
  })

  it('is looked for ten times a minute at most, of each user', async () => {
    api.clock.advance(60_000)
    checks = 0
    const statuses: number[] = []
    for (let i = 0; i < 12; i++) statuses.push((await verify(www)).statusCode)
    assert.deepEqual([statuses.filter((status) => status === 200).length, checks], [10, 10])
    const refused = await verify(www)
    assert.deepEqual([refused.statusCode, refused.headers['retry-after']], [429, '60'])
  })

  it('is nothing of what is no site of the caller', async () => {
    const answers = await Promise.all([verify(www, bob), verify('none.example.com', bob), verify('no host', bob)])
    for (const { statusCode } of answers) assert.equal(statusCode, 404)
    assert.equal(new Set(answers.map(({ body }) => body)).size, 1)
  })

  it('needs leave to write; all of them are for admin alone, without their tokens', async () => {
    const reader = await api.addCaller('ann@example.net', { scopes: ['read'] })
    assert.equal((await verify(www, reader)).statusCode, 403)
    assert.equal((await get('/api/v1/proofs')).statusCode, 403)
    const answer = await get('/api/v1/proofs', admin)
    const list = answer.json()
    assert.ok(Value.Check(ProofList, list), JSON.stringify([...Value.Errors(ProofList, list)]))
    assert.deepEqual(
      list.proofs.map(({ userEmail, kind, subject, recordName }: ProofList['proofs'][number]) => [
        userEmail,
        kind,
        subject,
        recordName,
      ]),
      [
        ['ann@example.net', 'host', www, `_floodgauge-host-challenge.${www}`],
        ['bob@example.net', 'network', '192.0.2.0/24', '_floodgauge-challenge.2.0.192.in-addr.arpa'],
      ],
    )
    assert.ok(!answer.body.includes('abc'))
  })
})

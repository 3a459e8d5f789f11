import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { createTestApi, type TestApi, type TestCaller } from '../../../test/helpers/api.ts'
import type { AuditEntry } from '../../contract/audit.ts'

let api: TestApi
let admin: TestCaller

before(async () => {
  api = await createTestApi()
  admin = await api.addCaller('admin@example.net', { scopes: ['read', 'admin'] })
  const actor = { kind: 'session' as const, userId: 'u1', name: '=cmd()', credential: 's1', address: '192.0.2.1' }
  for (let n = 0; n < 7; n++) {
    const outcome = n % 3 === 0 ? ('FORBIDDEN' as const) : ('done' as const)
    await api.store.noteAudit([{ kind: `k${n % 2}`, actor, object: `o${n}`, outcome, count: 1, detail: { n } }])
    api.clock.advance(60_000)
  }
})
after(() => api.close())

const get = (path: string, { headers } = admin) => api.server.inject({ url: `/api/v1/audit${path}`, headers })
const objectsOf = async (query: string) => {
  const answer = await get(query)
  assert.equal(answer.statusCode, 200, answer.body)
  const entries: AuditEntry[] = answer.json().entries
  return entries.map(({ object }) => object)
}

describe('the audit log under /api/v1', () => {
  it('is for admins', async () => {
    const member = await api.addCaller('member@example.net')
    for (const path of ['', '/csv']) {
      assert.equal((await get(path, member)).statusCode, 403)
      assert.equal((await api.server.inject({ url: `/api/v1/audit${path}` })).statusCode, 401)
    }
  })

  it('is read by pages and by filters', async () => {
    const first = (await get('?q=cmd&limit=3')).json()
    assert.deepEqual(
      first.entries.map(({ object }: AuditEntry) => object),
      ['o6', 'o5', 'o4'],
    )
    assert.deepEqual(first.entries[0].detail, { n: 6 })
    assert.deepEqual(await objectsOf(`?q=cmd&limit=9&before=${first.next}`), ['o3', 'o2', 'o1', 'o0'])
    assert.deepEqual(await objectsOf('?user=u1&kind=k1&outcome=done'), ['o5', 'o1'])
    assert.deepEqual(await objectsOf('?user=u1&outcome=refused'), ['o6', 'o3', 'o0'])
    const start = new Date(api.clock.now() - 2 * 60_000).toISOString().slice(0, 19)
    assert.deepEqual(await objectsOf(`?user=u1&start=${start}Z`), ['o6', 'o5'])
    assert.deepEqual(await objectsOf('?user=nobody'), [])
  })

  it('refuses what is no filter', async () => {
    for (const wrong of ['limit=0', 'limit=501', 'before=x', 'outcome=maybe', 'start=soon', `q=${'x'.repeat(101)}`])
      assert.equal((await get(`?${wrong}`)).statusCode, 400, wrong)
  })

  it('is a table that runs nothing in a spreadsheet', async () => {
    const answer = await get('/csv?user=u1&kind=k1')
    assert.match(String(answer.headers['content-type']), /^text\/csv/)
    const lines = answer.body.trimEnd().split('\r\n')
    assert.equal(lines.length, 4)
    assert.match(lines[0], /^sequence,at,kind,actor,/)
    assert.match(lines[1], /,k1,session,u1,'=cmd\(\),s1,192\.0\.2\.1,o5,done,1,"\{""n"":5\}",[0-9a-f]{64}$/)
  })
})

import assert from 'node:assert/strict'
import { beforeEach, describe, it } from 'node:test'
import { createTestApi, type TestApi } from '../../../test/helpers/api.ts'
import { formatTime } from '../../contract/time.ts'

let api: TestApi
let ann: Awaited<ReturnType<TestApi['addCaller']>>
let bob: Awaited<ReturnType<TestApi['addCaller']>>

beforeEach(async (t) => {
  api = await createTestApi()
  ;(t as import('node:test').TestContext).after(() => api.close())
  ann = await api.addCaller('ann@example.com', { role: 'admin', scopes: ['read', 'write', 'admin'] })
  bob = await api.addCaller('bob@example.com')
})

const call = async (method: 'GET' | 'POST' | 'PATCH' | 'DELETE', path: string, payload?: object, caller = ann) => {
  const url = `/api/v1/alerts/${path}`
  const answer = await api.server.inject({ method, url, headers: caller.headers, ...(payload && { payload }) })
  return { status: answer.statusCode, body: answer.json() }
}
const inHours = (hours: number) => formatTime(api.clock.now() + hours * 3_600_000)

describe('silences', () => {
  it('are made, listed and ended', async () => {
    const given = { reason: 'a move', sites: ['Shop.Example.net'], until: inHours(2) }
    const { status, body: made } = await call('POST', 'silences', given)
    assert.equal(status, 200)
    const { id, ...rest } = made
    const about = { sites: ['shop.example.net'], groups: [], vectors: [] }
    assert.deepEqual(rest, { ...given, ...about, from: inHours(0), attacks: 0, openAttacks: 0 })
    assert.deepEqual((await call('GET', 'silences')).body, { silences: [made] })
    assert.deepEqual((await call('GET', 'silences', undefined, bob)).body, { silences: [] })
    assert.equal((await call('DELETE', `silences/${id}`, undefined, bob)).status, 404)
    assert.equal((await call('DELETE', `silences/${id}`)).body.deleted, true)
    assert.equal((await call('DELETE', `silences/${id}`)).status, 404)
    assert.equal((await call('GET', 'silences')).body.silences[0].until, inHours(0))
  })

  it('are refused where something is wrong, with its place', async () => {
    for (const [given, pointer] of [
      [{ until: inHours(0) }, '/until'],
      [{ until: inHours(720.1) }, '/until'],
      [{ from: inHours(3) }, '/until'],
      [{ sites: ['a.example.com', 'nowhere'] }, '/sites/1'],
      [{ reason: '' }, '/reason'],
    ] as const) {
      const { status, body } = await call('POST', 'silences', { reason: 'x', until: inHours(2), ...given })
      assert.deepEqual([status, body.errors[0].pointer], [400, pointer], JSON.stringify(given))
    }
    const planned = { reason: 'x', from: inHours(1_000), until: inHours(1_720) }
    assert.equal((await call('POST', 'silences', planned)).status, 200)
  })

  it('and quiet hours show in the preview', async () => {
    const channel = { name: 'Pager', kind: 'webhook', settings: { url: 'http://127.0.0.1:9/' } }
    // The clock of the test stands in the morning.
    const quiet = { timeZone: 'UTC', days: [], hours: '00:00-23:59' }
    const { id } = (await call('POST', 'channels', { ...channel, quiet })).body.channel
    assert.deepEqual((await call('GET', 'channels')).body.channels[0].quiet, quiet)
    const told = async (given: object) => (await call('POST', 'preview', given)).body.told
    const [held] = await told({})
    assert.deepEqual([held.heldBy, held.at.slice(11, 19)], ['quiet', '23:59:00'])
    assert.equal((await told({ severity: 'critical' }))[0].heldBy, null)
    await call('POST', 'silences', { reason: 'a move', sites: ['*.example.net'], until: inHours(48) })
    const silent = { host: 'a.example.net', severity: 'critical' }
    assert.deepEqual(
      (await told(silent)).map(({ heldBy, at }: Record<string, string>) => [heldBy, at]),
      [['silence', inHours(48)]],
    )
    const wrong = await call('PATCH', `channels/${id}`, { quiet: { ...quiet, timeZone: 'Mars/Olympus' } })
    assert.deepEqual([wrong.status, wrong.body.errors[0].pointer], [400, '/quiet/timeZone'])
    assert.equal((await call('PATCH', `channels/${id}`, { quiet: null })).body.quiet, null)
    assert.equal((await told({}))[0].heldBy, null)
  })
})

import assert from 'node:assert/strict'
import { beforeEach, describe, it, type TestContext } from 'node:test'
import { createTestApi, type TestApi, type TestCaller } from '../../../test/helpers/api.ts'

let api: TestApi
let ann: TestCaller

beforeEach(async (t) => {
  api = await createTestApi()
  ;(t as TestContext).after(() => api.close())
  ann = await api.addCaller('ann@example.com')
})

const hook = (name: string, given: object = {}) => ({
  ...{ name, kind: 'webhook', settings: { url: `https://hooks.example.com/${name.replace(' ', '-')}` }, ...given },
})
async function put(payload: object, caller = ann) {
  const url = '/api/v1/alerts/import'
  const answer = await api.server.inject({ method: 'POST', url, headers: caller.headers, payload })
  return { status: answer.statusCode, body: answer.json() }
}
const state = async () => ({
  channels: (await api.store.channelsOf(ann.user.id)).map(({ name, settings, sealed }) => [name, settings, sealed]),
  rules: (await api.store.rulesOf(ann.user.id)).map(({ name, send, stop }) => [name, send, stop]),
})

describe('an import of channels and rules', () => {
  it('makes what is not there, with references by name, and no rule that nobody asked for', async () => {
    const group = await api.store.addGroup(ann.user.id, 'Shops')
    const { status, body } = await put({
      channels: [hook('Night shift'), hook('Off', { isDisabled: true })],
      rules: [{ name: 'Shops', send: ['NIGHT shift'], when: { groups: ['shops'] } }],
    })
    assert.equal(status, 200, JSON.stringify(body))
    const [{ id, secret }] = body.channels
    assert.match(secret, /^whsec_/)
    const [rule, ...others] = await api.store.rulesOf(ann.user.id)
    assert.deepEqual([rule.send, rule.when.groups, others], [[id], [group.id], []])
    const channels = await api.store.channelsOf(ann.user.id)
    assert.deepEqual(
      channels.map(({ name, health }) => [name, health.isDisabled]),
      [
        ['Night shift', false],
        ['Off', true],
      ],
    )
  })

  it('changes what has the name, keeps its secrets, and puts rules before those that it does not have', async () => {
    await put({ channels: [hook('a')], rules: [{ name: 'One' }, { name: 'Two' }] })
    const before = await state()
    const { body } = await put({
      channels: [hook('A', { settings: { url: 'https://b.example/' } })],
      rules: [{ name: 'Two', stop: true }],
    })
    assert.deepEqual(
      [...body.channels, ...body.rules].map(({ name, isNew }) => [name, isNew]),
      [
        ['A', false],
        ['Two', false],
      ],
    )
    assert.deepEqual(await state(), {
      channels: [['A', { url: 'https://b.example/' }, before.channels[0][2]]],
      rules: [
        ['Two', null, true],
        ['One', null, false],
      ],
    })
  })

  it('changes nothing when something is wrong anywhere, and says where', async () => {
    await put({ channels: [hook('a')], rules: [{ name: 'One' }] })
    const before = await state()
    const wanted = { channels: [hook('b')], rules: [{ name: 'One', stop: true }, { name: 'Two' }] }
    for (const [given, pointer] of [
      [{ channels: [hook('b'), hook('c', { settings: {} })] }, '/channels/1/settings'],
      [{ channels: [hook('a', { kind: 'slack' })] }, '/channels/0/kind'],
      [{ channels: [hook('b'), hook('B')] }, '/channels/1/name'],
      [{ channels: [hook('b', { quiet: { timeZone: 'X', days: [], hours: null } })] }, '/channels/0/quiet/timeZone'],
      [{ rules: [...wanted.rules, { name: 'Three', send: ['c'] }] }, '/rules/2/send/0'],
      [{ rules: [...wanted.rules, { name: 'Two' }] }, '/rules/2/name'],
    ] as const) {
      const { status, body } = await put({ ...wanted, ...given })
      assert.deepEqual([status, body.errors?.[0].pointer], [400, pointer])
    }
    assert.equal(
      (await put({ ...wanted, rules: [...wanted.rules, { name: 'All', reach: 'installation' }] })).status,
      403,
    )
    assert.deepEqual(await state(), before)
  })

  it('looks nothing up when two have one name, and ends looking up before the request gets long', async (t) => {
    let nowMs = 0
    const now = t.mock.method(performance, 'now', () => nowMs)
    const lookUps = t.mock.method(api.alerts.channels, 'make', async () => {
      nowMs += 500
      return []
    })
    const many = Array.from({ length: 30 }, (_, n) => hook(`Hook ${n}`))
    const twice = await put({ channels: [...many, hook('hook 0')] })
    assert.deepEqual([twice.status, lookUps.mock.callCount()], [400, 0])
    const { status, body } = await put({ channels: many })
    assert.deepEqual([status, lookUps.mock.callCount()], [400, 10])
    assert.match(body.detail, /took too long/)
    now.mock.restore()
    assert.deepEqual(await state(), { channels: [], rules: [] })
  })

  it('is undone as a whole when the store refuses the last of it', async () => {
    await put({ channels: [hook('a')], rules: Array.from({ length: 99 }, (_, n) => ({ name: `Rule ${n}` })) })
    const before = await state()
    const { status, body } = await put({
      channels: [hook('b'), hook('a', { settings: { url: 'https://c.example/' } })],
      rules: [{ name: 'Rule 0', stop: true }, { name: 'One' }, { name: 'One too many' }],
    })
    assert.deepEqual([status, body.detail], [409, 'A user has at most 100 rules'])
    assert.deepEqual(await state(), before)
  })
})

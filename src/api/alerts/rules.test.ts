import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { beforeEach, describe, it } from 'node:test'
import { createTestApi, type TestApi } from '../../../test/helpers/api.ts'
import { addEvents, eventOf } from '../../../test/helpers/events.ts'
import { fencedBlocks } from '../../../test/helpers/markdown.ts'

let api: TestApi
let ann: Awaited<ReturnType<TestApi['addCaller']>>
let bob: Awaited<ReturnType<TestApi['addCaller']>>

beforeEach(async (t) => {
  api = await createTestApi()
  ;(t as import('node:test').TestContext).after(() => api.close())
  ann = await api.addCaller('ann@example.com', { role: 'admin', scopes: ['read', 'write', 'admin'] })
  bob = await api.addCaller('bob@example.com')
  for (const [{ user }, id] of [
    [ann, 'c1'],
    [bob, 'c2'],
  ] as const)
    await api.store.addChannel(user.id, { id, kind: 'webhook', name: id, settings: {}, sealed: new Uint8Array() }, 9)
})

const call = async (
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE',
  path: string,
  payload?: object,
  caller = bob,
) => {
  const url = `/api/v1/alerts/${path}`
  const answer = await api.server.inject({ method, url, headers: caller.headers, ...(payload && { payload }) })
  return { status: answer.statusCode, body: answer.json() }
}

const night = {
  name: 'Night',
  when: { severities: ['high', 'critical'], sites: ['Shop.Example.net'] },
  at: { timeZone: 'Europe/Berlin', days: [], hours: '18:00-08:00' },
  send: ['c2'],
  continuesMinutes: 30,
  escalate: [{ afterMinutes: 10, unless: 'acknowledged', send: ['c2'] }],
  report: { day: 'mon', hour: 8, timeZone: 'Europe/Berlin' },
  group: { by: ['site'], waitSeconds: 5, everyMinutes: 5 },
  endDelaySeconds: 30,
  tests: true,
  stop: true,
}

describe('rules', () => {
  it('are made, changed, ordered and deleted', async () => {
    const { rules } = (await call('GET', 'rules')).body
    assert.deepEqual(
      rules.map(({ name, send, stop }: Record<string, unknown>) => [name, send, stop]),
      [['Everything', null, false]],
    )
    const { status, body: made } = await call('POST', 'rules', night)
    assert.equal(status, 200)
    const when = {
      ...night.when,
      sites: ['shop.example.net'],
      groups: [],
      vectors: [],
      notices: ['started', 'worsened'],
    }
    assert.deepEqual(made, { ...night, id: made.id, reach: 'own', when })
    const ordered = await call('PUT', 'rules/order', { ids: [made.id, rules[0].id] })
    assert.deepEqual(ordered.body, { rules: [made, rules[0]] })
    assert.equal((await call('PUT', 'rules/order', { ids: [made.id] })).status, 409)
    const changed = await call('PATCH', `rules/${made.id}`, { name: 'Dark', at: null })
    assert.deepEqual(changed.body, { ...made, name: 'Dark', at: null })
    const parts = { when: { severities: [] }, group: { waitSeconds: 7 } }
    const { body: merged } = await call('PATCH', `rules/${made.id}`, parts)
    assert.deepEqual(merged.when, { ...when, severities: [] })
    assert.deepEqual(merged.group, { ...made.group, waitSeconds: 7 })
    assert.equal((await call('DELETE', `rules/${made.id}`)).body.deleted, true)
    assert.equal((await call('DELETE', `rules/${made.id}`)).status, 404)
    assert.equal((await call('PATCH', `rules/${made.id}`, {})).status, 404)
  })

  it('are their user’s alone', async () => {
    const [{ id }] = (await call('GET', 'rules')).body.rules
    for (const [method, path, payload] of [
      ['PATCH', `rules/${id}`, { name: 'x' }],
      ['DELETE', `rules/${id}`, undefined],
    ] as const)
      assert.equal((await call(method, path, payload, ann)).status, 404, path)
    assert.equal((await call('PUT', 'rules/order', { ids: [id] }, ann)).status, 409)
  })

  it('are refused where something is wrong, with its place', async () => {
    for (const [given, status, pointer] of [
      [{ send: ['c2', 'c1'] }, 400, '/send/1'],
      [{ when: { sites: ['a.example.com', 'nowhere'] } }, 400, '/when/sites/1'],
      [{ at: { ...night.at, timeZone: 'Mars/Olympus' } }, 400, '/at/timeZone'],
      [{ at: { ...night.at, hours: '18:00-24:00' } }, 400, '/at/hours'],
      [{ when: { severities: ['worst'] } }, 400, '/when/severities/0'],
      [{ continuesMinutes: 1 }, 400, '/continuesMinutes'],
      [{ escalate: [{ afterMinutes: 10, send: ['c2', 'c1'] }] }, 400, '/escalate/0/send/1'],
      [{ escalate: [{ afterMinutes: 10, send: [] }] }, 400, '/escalate/0/send'],
      [{ escalate: [{ afterMinutes: 0, send: ['c2'] }] }, 400, '/escalate/0/afterMinutes'],
      [{ escalate: Array(6).fill(night.escalate[0]) }, 400, '/escalate'],
      [{ report: { day: null, hour: 8, timeZone: 'Mars/Olympus' } }, 400, '/report/timeZone'],
      [{ report: { day: null, hour: 24, timeZone: 'UTC' } }, 400, '/report/hour'],
      [{ name: '' }, 400, '/name'],
    ] as const) {
      const { status: answered, body } = await call('POST', 'rules', { ...night, ...given })
      assert.equal(answered, status, JSON.stringify(given))
      const pointers = body.errors.map((each: { pointer: string }) => each.pointer)
      assert.ok(pointers.includes(pointer), `${pointers} for ${JSON.stringify(given)}`)
    }
  })

  it('of the installation are for admins', async () => {
    assert.equal((await call('POST', 'rules', { name: 'All', reach: 'installation' })).status, 403)
    const [{ id }] = (await call('GET', 'rules')).body.rules
    assert.equal((await call('PATCH', `rules/${id}`, { reach: 'installation' })).status, 403)
    const made = await call('POST', 'rules', { name: 'All', reach: 'installation' }, ann)
    assert.deepEqual([made.status, made.body.reach], [200, 'installation'])
  })
})

it('do what the documentation says', async () => {
  const blocks = fencedBlocks(readFileSync(new URL('../../../docs/alerts.md', import.meta.url), 'utf8'))
  const marked = (mark: string) =>
    blocks.filter(({ marks }) => marks.includes(mark)).map(({ text }) => JSON.parse(text))
  await api.store.changeChannel(bob.user.id, 'c2', { name: 'Night shift' })
  for (const given of marked('silence')) assert.equal((await call('POST', 'silences', given)).status, 200)
  const settings = { url: 'http://127.0.0.1:9/' }
  for (const given of marked('quiet'))
    assert.equal((await call('PATCH', 'channels/c1', { ...given, settings }, ann)).status, 200)
  for (const rule of marked('rule')) assert.equal((await call('POST', 'rules', rule)).status, 200, rule.name)
  const said = await Promise.all(marked('preview').map(async (given) => (await call('POST', 'preview', given)).body))
  const shown = said.map(({ told, rules }) => ({
    told: told.map(({ channel }: { channel: string }) => channel),
    rules: Object.fromEntries(rules.map(({ name, unmet }: { name: string; unmet: string }) => [name, unmet])),
  }))
  assert.ok(shown.length > 0)
  assert.deepEqual(shown, marked('previewed'))
  const [escalation] = marked('escalation')
  const id = escalation.escalate[0].send[0]
  await api.store.addChannel(
    bob.user.id,
    { id, kind: 'webhook', name: 'Phone', settings: {}, sealed: new Uint8Array() },
    9,
  )
  assert.deepEqual((await call('POST', 'rules', escalation)).body.escalate, escalation.escalate)
  const [report] = marked('report')
  assert.deepEqual((await call('POST', 'rules', report)).body.report, report.report)
  const [group] = marked('group')
  const { status, body } = await call('POST', 'rules', group)
  assert.deepEqual([status, body.group, body.endDelaySeconds], [200, group.group, group.endDelaySeconds])
})

describe('the preview', () => {
  const preview = async (given: object, caller = bob) => {
    const { status, body } = await call('POST', 'preview', given, caller)
    assert.equal(status, 200, JSON.stringify(body))
    const told = body.told.map(({ channel, at }: { channel: string; at: string }) => `${channel} ${at}`)
    return { told, rules: body.rules.map(({ name, unmet }: { name: string; unmet: string }) => `${name} ${unmet}`) }
  }

  it('says of a made-up attack who would be told, and what each rule says', async () => {
    await call('POST', 'rules', night)
    const at = '2026-03-02T20:00:00+00:00'
    assert.deepEqual(await preview({ at, host: 'shop.example.net' }), {
      told: [`c2 ${at}`],
      rules: ['Everything null', 'Night null'],
    })
    assert.deepEqual((await preview({ at: '2026-03-02T12:00:00+00:00', host: 'shop.example.net' })).rules, [
      'Everything null',
      'Night time',
    ])
    assert.deepEqual((await preview({ at, host: 'a.example.com' })).rules, ['Everything null', 'Night site'])
    assert.deepEqual((await preview({ at, severity: 'low' })).rules, ['Everything null', 'Night severity'])
    assert.deepEqual((await preview({ at, notice: 'vector' })).told, [])
  })

  it('says who would be told later, unless it is acknowledged', async () => {
    const steps = [60, 10].map((afterMinutes) => ({ afterMinutes, send: ['c2'] }))
    await call('POST', 'rules', { ...night, send: [], escalate: steps })
    const given = { at: '2026-03-02T20:00:00+00:00', host: 'shop.example.net' }
    const { rules, escalated } = (await call('POST', 'preview', given)).body
    const said = { channelId: 'c2', channel: 'c2', ruleId: rules[1].ruleId }
    assert.deepEqual(escalated, [
      { ...said, at: '2026-03-02T20:10:00+00:00' },
      { ...said, at: '2026-03-02T21:00:00+00:00' },
    ])
    for (const other of [{ host: 'a.example.com' }, { notice: 'ended' }])
      assert.deepEqual((await call('POST', 'preview', { ...given, ...other })).body.escalated, [])
  })

  it('knows the groups of a site', async () => {
    const { id: groupId } = await api.store.addGroup(bob.user.id, 'Shops')
    await api.store.addSites(bob.user.id, ['a.example.com', 'b.example.com'], 1)
    await api.store.setGroup(bob.user.id, ['a.example.com'], groupId)
    await call('POST', 'rules', { name: 'Shops', when: { groups: [groupId] } })
    assert.equal((await preview({ host: 'a.example.com' })).rules[1], 'Shops null')
    assert.equal((await preview({ host: 'b.example.com' })).rules[1], 'Shops site')
  })

  it('takes an event of the caller, and of nobody else', async () => {
    const event = eventOf(bob.user.id, 70_001, { label: 'udp@attack@amp_flood_target-NTP' })
    await addEvents(api.store, [event])
    await call('POST', 'rules', { name: 'Amplified', when: { vectors: ['udp@attack@amp*'] } })
    await call('POST', 'rules', { name: 'Severe', when: { severities: ['critical'] } })
    assert.deepEqual((await preview({ eventId: event.id })).rules, [
      'Everything null',
      'Amplified null',
      'Severe severity',
    ])
    assert.deepEqual((await preview({ eventId: event.id, severity: 'critical', vector: null })).rules, [
      'Everything null',
      'Amplified vector',
      'Severe null',
    ])
    assert.deepEqual((await preview({ eventId: event.id, notice: 'ended' })).told, [])
    assert.equal((await call('POST', 'preview', { eventId: event.id }, ann)).status, 404)
    assert.equal((await call('POST', 'preview', { eventId: 'gone' })).status, 404)
  })

  it('sends nothing and writes nothing', async () => {
    await preview({})
    assert.deepEqual(await api.store.deliveriesOf(bob.user.id, { limit: 9 }), [])
  })
})

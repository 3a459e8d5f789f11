import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import {
  createTestApi,
  eventOf,
  noSiteWatch,
  startMs,
  type TestApi,
  type TestCaller,
} from '../../../test/helpers/api.ts'
import { addEvents } from '../../../test/helpers/events.ts'
import type { AttackSpan } from '../../contract/overview.ts'
import { Turns } from '../limits/fair-turns.ts'

const web = 0xc000020a
const shop = web + 1
const foreign = web + 2
const dayMs = 86_400_000
const nowMs = startMs + 4 * dayMs
const movedMs = nowMs - 2 * 3_600_000
let api: TestApi
let ann: TestCaller
let bob: TestCaller

const led = (address: number, given: { sinceMs?: number; isOwn?: boolean } = {}) => ({
  ...{ address, names: [], sinceMs: null, confirmedMs: null, sharedWith: [], domains: 0, domainsOfOthers: 0 },
  ...{ isOwn: true, ...given },
})
const leads: Record<string, ReturnType<typeof led>[]> = {
  '192.0.2.10': [led(web)],
  '192.0.2.0/24': [led(web), led(shop, { sinceMs: movedMs })],
  'www.example.com': [led(foreign, { isOwn: false })],
}

before(async () => {
  api = await createTestApi({
    siteWatch: { ...noSiteWatch, addressesOf: (_, { host }) => ({ addresses: leads[host] ?? [], omitted: 0 }) },
  })
  ann = await api.addCaller('ann@example.net')
  bob = await api.addCaller('bob@example.net')
  await api.store.addSites(ann.user.id, Object.keys(leads), startMs)
  await api.store.addSites(ann.user.id, ['192.0.2.99'], startMs)
  await api.store.setEnabled(ann.user.id, ['192.0.2.99'], false)
  const minute = (hoursAgo: number) => (nowMs - hoursAgo * 3_600_000) / 1_000
  const point = { bytes: 6_000, packets: 60, flows: 6 }
  await api.store.appendSeries(
    [web, shop, foreign].flatMap((address) =>
      [1, 3, 30].map((hoursAgo) => ({ address, minute: minute(hoursAgo), ...point })),
    ),
  )
  const at = (hoursAgo: number) => 4 * 86_400 - hoursAgo * 3_600
  await addEvents(api.store, [
    eventOf(ann.user.id, at(60), { endMs: nowMs - 59 * 3_600_000 }),
    eventOf(ann.user.id, at(26), { endMs: nowMs - 23 * 3_600_000, site: '192.0.2.10' }),
    eventOf(ann.user.id, at(50), { endMs: null, sites: ['192.0.2.0/24', '192.0.2.10'] }),
    eventOf(bob.user.id, at(2), { endMs: null }),
  ])
  api.clock.set(nowMs)
})
after(() => api.close())

const get = (query = '', { headers } = ann) => api.server.inject({ url: `/api/v1/traffic${query}`, headers })
const sum = (values: number[]) => values.reduce((all, value) => all + value, 0)

describe('traffic over time', () => {
  it('is that of the last day by the minute, of addresses that are the caller’s, from when they were', async () => {
    const { from, to, stepSeconds, total, parts, previous, ...rest } = (await get()).json()
    assert.deepEqual([Date.parse(from), Date.parse(to), stepSeconds], [nowMs - dayMs, nowMs, 60])
    assert.deepEqual([total.bytesPerSecond.length, total.bytesPerSecond.at(-60)], [1440, 200])
    assert.deepEqual([total.packetsPerSecond.at(-180), total.flowsPerSecond.at(-180)], [1, 0.1])
    assert.equal(sum(total.bytesPerSecond), 300)
    assert.deepEqual([parts, previous], [null, null])
    assert.deepEqual([rest.addresses, rest.addressesOmitted, Date.parse(rest.countedFrom)], [2, 0, startMs])
    const others = (await get('', bob)).json()
    assert.deepEqual([sum(others.total.bytesPerSecond), others.addresses, others.countedFrom], [0, 0, null])
  })

  it('is taken apart, each address with the narrowest of its sites; and has the time before', async () => {
    const { parts, previous } = (await get('?by=site&previous=true')).json()
    assert.deepEqual(
      parts.map(({ name, bytesPerSecond }: { name: string; bytesPerSecond: number[] }) => [name, sum(bytesPerSecond)]),
      [
        ['192.0.2.10', 200],
        ['192.0.2.0/24', 100],
      ],
    )
    assert.deepEqual([previous.bytesPerSecond.length, sum(previous.bytesPerSecond)], [1440, 100])
    const ofNetwork = (await get('?by=address&site=192.0.2.0/24')).json()
    assert.deepEqual(
      ofNetwork.parts.map(({ name }: { name: string }) => name),
      ['192.0.2.10', '192.0.2.11'],
    )
    const ofName = (await get('?site=WWW.example.com')).json()
    assert.deepEqual([sum(ofName.total.bytesPerSecond), ofName.addresses], [0, 0])
    assert.equal((await get('?site=192.0.2.99')).json().addresses, 0)
  })

  it('has steps of whole minutes, of which the last is over', async () => {
    const at = (ms: number) => encodeURIComponent(new Date(ms).toISOString())
    const week = (await get(`?start=${at(nowMs - 7 * dayMs)}`)).json()
    assert.deepEqual([week.stepSeconds, week.total.bytesPerSecond.length], [600, 1008])
    assert.equal(sum(week.total.bytesPerSecond) * 600, 60 * 400)
    const odd = (await get(`?start=${at(nowMs - dayMs - 90_000)}&end=${at(nowMs + 30_000)}`)).json()
    assert.deepEqual([odd.stepSeconds, Date.parse(odd.to), odd.total.bytesPerSecond.length], [120, nowMs, 721])
    assert.equal(Date.parse(odd.from), nowMs - 721 * 120_000)
  })

  it('has the attacks of that time, those that go on however long', async () => {
    const starts = async (query: string) =>
      (await get(query))
        .json()
        .attacks.map(({ start }: { start: string }) => Math.floor((nowMs - Date.parse(start)) / 3_600_000))
    assert.deepEqual(await starts(''), [26, 50])
    // The other one hit it, too, though it is named after the network.
    assert.deepEqual(await starts('?site=192.0.2.10'), [26, 50])
    assert.deepEqual(await starts('?site=www.example.com'), [])
  })

  it('says of each attack how severe it is, and what people said that it was', async () => {
    const [{ id }] = (await get()).json().attacks
    await api.store.changeNote(ann.user.id, id, { classification: 'false_positive' }, { by: '', atMs: 1 })
    assert.deepEqual(
      (await get()).json().attacks.map(({ severity, classification }: AttackSpan) => [severity, classification]),
      [
        ['low', 'false_positive'],
        ['low', null],
      ],
    )
  })

  it('has the same peak over a day as over two weeks, and says what the least and the most busy minutes had', async () => {
    const carl = await api.addCaller('carl@example.net')
    await api.store.addSites(carl.user.id, ['192.0.2.10'], startMs - 20 * dayMs)
    const peakMinute = (nowMs - 5 * 3_600_000) / 1_000
    await api.store.appendSeries([
      {
        address: web,
        minute: peakMinute,
        ...{ bytes: 600_000, packets: 6_000, flows: 60 },
        busiest: { bytes: 90_000, packets: 900, flows: 9 },
      },
    ])
    const start = (days: number) => `?start=${encodeURIComponent(new Date(nowMs - days * dayMs).toISOString())}`
    const [ofDay, ofWeeks] = [(await get(start(1), carl)).json(), (await get(start(14), carl)).json()]
    assert.deepEqual([ofDay.stepSeconds, ofWeeks.stepSeconds], [60, 900])
    for (const { total } of [ofDay, ofWeeks]) {
      assert.equal(Math.max(...total.max.bytesPerSecond), 10_000)
      assert.equal(Math.max(...total.max.packetsPerSecond), 100)
      assert.deepEqual(total.peak, { bytesPerSecond: 90_000, packetsPerSecond: 900, flowsPerSecond: 9 })
      assert.equal(Math.min(...total.min.bytesPerSecond), 0)
    }
    assert.deepEqual(ofDay.total.max.bytesPerSecond, ofDay.total.bytesPerSecond)
    assert.equal(Math.max(...ofWeeks.total.bytesPerSecond), 666.67)
  })

  it('has a mark for every attack, also where they are more than are given one by one', async () => {
    const dora = await api.addCaller('dora@example.net')
    await api.store.addSites(dora.user.id, ['192.0.2.10'], startMs)
    const [first, count] = [20 * 3_600, 299]
    await addEvents(
      api.store,
      Array.from({ length: count }, (_, n) => {
        const startedMs = startMs + (first + n * 600) * 1_000
        return eventOf(dora.user.id, first + n * 600 + 5, { startMs: startedMs, endMs: startedMs + 120_000 })
      }),
    )
    const query = `?start=${encodeURIComponent(new Date(startMs).toISOString())}`
    const { attacks, attackCount, attacksByStep, stepSeconds, from } = (await get(query, dora)).json()
    assert.deepEqual([attacks.length, attackCount, attacksByStep.length], [200, count, (96 * 3_600) / stepSeconds])
    assert.equal(Date.parse(attacks[0].start), startMs + (first + (count - 1) * 600) * 1_000)
    // Long before the first of those that are given.
    const step = Math.floor((startMs + first * 1_000 - Date.parse(from)) / (stepSeconds * 1_000))
    assert.ok(attacksByStep[step] >= 1)
    assert.equal(sum(attacksByStep.slice(0, step)), 0)
    assert.ok(sum(attacksByStep) >= count)
  })

  it('tells what the parts leave over', async () => {
    const finn = await api.addCaller('finn@example.net')
    const hosts = Array.from({ length: 9 }, (_, n) => `198.51.100.${n + 1}`)
    await api.store.addSites(finn.user.id, hosts, startMs)
    for (const [n, host] of hosts.entries()) leads[host] = [led(0xc6336401 + n)]
    const minute = (nowMs - 7_200_000) / 1_000
    await api.store.appendSeries(
      hosts.map((_, n) => ({ address: 0xc6336401 + n, minute, bytes: 600 * (n + 1), packets: 1, flows: 1 })),
    )
    const { parts, rest, total } = (await get('?by=address', finn)).json()
    assert.deepEqual([parts.length, Math.max(...rest.max.bytesPerSecond)], [7, 30])
    assert.deepEqual([sum(total.bytesPerSecond), sum(rest.bytesPerSecond)], [450, 30])
    assert.equal((await get('?by=address&site=198.51.100.1', finn)).json().rest, null)
  })

  it('refuses what cannot be asked', async () => {
    const at = (ms: number) => encodeURIComponent(new Date(ms).toISOString())
    for (const [query, status] of [
      ['?by=protocol', 400],
      ['?site=x', 400],
      ['?site=192.0.2.1', 404],
      [`?start=${at(nowMs)}`, 400],
      [`?start=${at(nowMs + dayMs)}`, 400],
      [`?start=${at(nowMs - 93 * dayMs)}`, 400],
      [`?start=${at(nowMs - dayMs)}&end=${at(nowMs - 2 * dayMs)}`, 400],
    ] as const)
      assert.equal((await get(query)).statusCode, status, query)
    assert.equal((await get('?site=192.0.2.10', bob)).statusCode, 404)
  })
})

it('a user’s turns come one after the other, whatever becomes of them; few may wait, and others are not held up', async () => {
  const turns = new Turns()
  const order: string[] = []
  let open = () => {}
  const gate = new Promise<void>((resolve) => {
    open = resolve
  })
  const first = turns.take('ann', () => gate.then(() => Promise.reject(new Error('no'))))
  const waiting = Array.from({ length: 5 }, (_, n) => turns.take('ann', async () => order.push(`ann ${n}`)))
  assert.equal(
    turns.take('ann', async () => 0),
    null,
  )
  await turns.take('bob', async () => order.push('bob'))
  assert.deepEqual(order, ['bob'])
  open()
  await assert.rejects(first ?? Promise.resolve(), /no/)
  await Promise.all(waiting)
  assert.deepEqual(order.slice(1), ['ann 0', 'ann 1', 'ann 2', 'ann 3', 'ann 4'])
  assert.notEqual(
    turns.take('ann', async () => 0),
    null,
  )
})

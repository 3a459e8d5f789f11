import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { Value } from 'typebox/value'
import { createTestApi, eventOf, startMs, type TestApi, type TestCaller } from '../../../test/helpers/api.ts'
import { addEvents, courseOf, plainNumbers } from '../../../test/helpers/events.ts'
import { endpoints } from '../../contract/endpoints.ts'
import { eventNumberNames } from '../../contract/events/numbers.ts'
import { noStatistics, type SampleRecord, type Statistics } from '../../detect/incidents/incident-report.ts'

const victim = 0xc000_020a

const sample: SampleRecord = {
  startMs,
  endMs: startMs + 2_000,
  source: 0x0101_0101,
  victim,
  sourcePort: 123,
  destinationPort: 443,
  protocol: 17,
  tcpFlags: 0,
  packets: 1_000,
  bytes: 468_000,
  samplingRate: 1_000,
  exporter: '2001:db8::1',
}

const entry = { item: 0x0101_0101, flows: 3, packets: 30, bytes: 300, protocols: [6, 200] }

const statistics: Statistics = {
  ...noStatistics,
  sourceAddress: [entry],
  protocol: [{ ...entry, item: 17 }],
  flags: [{ ...entry, item: 27 }],
  length: [{ ...entry, item: 468 }],
  exporter: [
    { address: '2001:db8::1', flows: 2, packets: 20, bytes: 200 },
    { address: '', flows: 1, packets: 10, bytes: 100 },
  ],
  sourceAs: [{ ...entry, item: 64_496 }],
  ingress: [
    { address: '2001:db8::1', index: 17, flows: 2, packets: 20, bytes: 200 },
    { address: '', index: 4_294_967_295, flows: 1, packets: 10, bytes: 100 },
  ],
  egress: [{ address: '2001:db8::1', index: 3, flows: 2, packets: 20, bytes: 200 }],
  flowsMissedMax: { ...noStatistics.flowsMissedMax, sourceAddress: 7 },
  sources: { distinct: 90_000, error: 0.016_25 },
  samples: [
    sample,
    { ...sample, victim: victim + 256, samplingRate: 0 },
    { ...sample, victim: victim + 1, samplingRate: 0 },
  ],
}

const vectors = [{ label: 'tcp@attack@syn_flood_target', share: 0.75, packetsPerSecond: 7.5 }]
const victims = [victim, victim + 1, victim + 256].map((address) => ({
  address,
  packetsPerSecond: 3,
  bytesPerSecond: 180,
}))

let api: TestApi
let ann: TestCaller
let admin: TestCaller
let bob: TestCaller

before(async () => {
  api = await createTestApi({ settings: { ratePerMinute: 0 } })
  ann = await api.addCaller('ann@example.net', { role: 'admin' })
  admin = await api.addCaller('ann@example.net', { scopes: ['read', 'admin'] })
  bob = await api.addCaller('bob@example.net')
  const why = [
    {
      metric: 'packets',
      value: 10,
      threshold: 5,
      normal: null,
      band: null,
      error: 0.25,
      source: 'absolute',
      unlearnt: null,
    },
  ]
  const dns = [{ domain: 'www.example.com', a: { '192.0.2.10': startMs }, cname: { 'edge.example.net': startMs } }]
  await addEvents(api.store, [
    eventOf(ann.user.id, 1, { statistics, vectors, victims, why, dns, course: courseOf(3), domain: 'www.example.com' }),
    eventOf(ann.user.id, 2, { label: null, endMs: startMs + 9_000, lastMs: startMs + 9_000, deviation: 2 }),
    eventOf(ann.user.id, 3, {
      site: 'www.example.com',
      sites: ['www.example.com', '*.example.com', '192.0.2.11'],
      statistics,
      victims,
    }),
    eventOf(bob.user.id, 4),
  ])
  api.clock.advance(60_000)
})
after(() => api.close())

const get = (url: string, as = ann) => api.server.inject({ url, headers: as.headers })
const id = (n: number) => eventOf('', n).id

async function body(url: string, as = ann) {
  const answer = await get(url, as)
  assert.equal(answer.statusCode, 200, answer.body)
  return answer.json()
}

async function found(search: string): Promise<number[]> {
  const { events } = await body(`/api/v1/events${search}`)
  return events.map((event: { id: string }) => [1, 2, 3, 4].find((n) => id(n) === event.id))
}

describe('events are found', () => {
  it("as the caller's own, by filter and window", async () => {
    assert.deepEqual(await found(''), [1, 2, 3])
    assert.deepEqual(await found('?state=open'), [1, 3])
    assert.deepEqual(await found('?state=ended'), [2])
    assert.deepEqual(await found('?site=WWW.example.com'), [3])
    assert.deepEqual(await found('?site=*.example.com'), [3])
    assert.deepEqual(await found('?site=*.example.com&state=ended'), [])
    assert.deepEqual(await found('?address=192.0.2.11'), [])
    assert.deepEqual(await found('?attackType=unknown'), [2])
    assert.deepEqual(await found('?deviationMin=3&last=1'), [1, 3])
    assert.deepEqual(await found('?end=2020-01-01'), [])
    assert.equal((await get('/api/v1/events?state=shut')).statusCode, 400)
  })

  it('by a source in their lists, and by texts of which one will do', async () => {
    assert.deepEqual(await found('?q=1.1.1.1'), [1, 3])
    assert.deepEqual(await found('?q=192.0.2.10'), [1, 2, 3])
    assert.deepEqual(await found('?q=1.1.1.2'), [])
    assert.deepEqual(await found('?q=SYN%20flood'), [])
    assert.deepEqual(await found('?q=SYN%20flood&qAlso=udp@attack@,tcp@attack@syn_'), [1, 3])
    assert.deepEqual(await found('?q=spike&qAlso=Unknown'), [2])
    assert.deepEqual(await found('?q=www.example.com&qAlso='), [1, 3])
    assert.equal((await get(`/api/v1/events?q=a&qAlso=${'x,'.repeat(40)}`)).statusCode, 400)
    assert.equal((await get(`/api/v1/events?q=a&qAlso=${'x'.repeat(101)}`)).statusCode, 400)
    assert.equal((await get(`/api/v1/events?q=a&qAlso=${`${'x'.repeat(99)},`.repeat(19)}`)).statusCode, 200)
    assert.equal((await get(`/api/v1/events?q=a&qAlso=${`${'x'.repeat(99)},`.repeat(21)}`)).statusCode, 400)
  })

  it('by how severe they are, on pages too', async () => {
    const carl = await api.addCaller('carl@example.net')
    const severe = { packetsPerSecond: 200_000 }
    const events = Array.from({ length: 1_103 }, (_, n) => eventOf(carl.user.id, 100 + n, n % 550 === 1 ? severe : {}))
    await addEvents(api.store, events)
    const ids = async (search: string) => {
      const answer = await get(`/api/v1/events?last=365&severity=${search}`, carl)
      const next = /<([^>]+)>/.exec(String(answer.headers.link))?.[1]
      return { ids: answer.json().events.map((event: { id: string }) => event.id), next }
    }
    const all = [1, 551, 1_101].map((n) => events[n].id)
    assert.deepEqual((await ids('critical')).ids, all)
    assert.equal((await ids('low&limit=1000')).ids.length, 1_000)
    const first = await ids('critical&limit=2&order=desc')
    assert.deepEqual(first.ids, [all[2], all[1]])
    assert.deepEqual(
      (await body(first.next ?? '', carl)).events.map((event: { id: string }) => event.id),
      [all[0]],
    )
    assert.deepEqual((await ids('high')).ids, [])
    assert.equal((await get('/api/v1/events?severity=dire')).statusCode, 400)
  })

  it('by pages whose links keep the filter', async () => {
    const answer = await get('/api/v1/events?state=open&limit=1')
    const link = /^<([^>]+)>; rel="next"$/.exec(String(answer.headers.link))?.[1] ?? ''
    assert.match(link, /^\/api\/v1\/events\?.*state=open/)
    assert.deepEqual(
      (await body(link)).events.map((event: { id: string }) => event.id),
      [id(3)],
    )
    assert.equal((await get(link)).headers.link, undefined)
  })

  it('with times, state and average', async () => {
    const { events } = await body('/api/v1/events')
    assert.deepEqual(events[1], {
      id: id(2),
      createdAt: '2026-01-15T12:00:02+00:00',
      updatedAt: '2026-01-15T12:00:00+00:00',
      sequence: events[1].sequence,
      state: 'ended',
      phase: 'over',
      start: '2026-01-15T11:59:57+00:00',
      lastSeen: '2026-01-15T12:00:09+00:00',
      end: '2026-01-15T12:00:09+00:00',
      returns: 0,
      address: '192.0.2.10',
      site: '192.0.2.0/24',
      domain: '',
      view: 'all',
      attackType: null,
      activeSeconds: 12,
      average: { bytesPerSecond: 1_000, packetsPerSecond: 10, flowsPerSecond: 1 },
      peak: { bytesPerSecond: 2_000, packetsPerSecond: 20, flowsPerSecond: 2, at: '2026-01-15T12:00:02+00:00' },
      total: { bytes: 12_000, packets: 120, flows: 12 },
      acknowledged: null,
      classification: null,
      severity: 'low',
      ...plainNumbers,
      deviation: 2,
      isTest: false,
      network: null,
    })
  })
})

describe('the report of an event', () => {
  it('has everything, with units in its names', async () => {
    const report = await body(`/api/v1/events/${id(1)}`)
    assert.ok(Value.Check(endpoints.getEventReport.shapes.response, report))
    assert.deepEqual([report.state, report.end, report.lastSeen], ['open', null, '2026-01-15T12:00:01+00:00'])
    assert.deepEqual(report.total, { bytes: 5_000, packets: 50, flows: 5 })
    assert.equal(report.peak.packetsPerSecond, 20)
    assert.deepEqual(report.why, [
      {
        metric: 'packets',
        valuePerSecond: 10,
        linePerSecond: 5,
        normalPerSecond: null,
        band: null,
        standardError: 0.25,
        source: 'absolute',
      },
    ])
    assert.deepEqual(report.vectors, [
      { attackType: 'tcp@attack@syn_flood_target', share: 0.75, packetsPerSecond: 7.5 },
    ])
    const { sources, protocols, tcpFlags, packetLengths, distinctSources } = report.statistics
    assert.equal(sources.flowsMissedMax, 7)
    assert.deepEqual(sources.entries, [
      {
        ...{ item: 16_843_009, text: '1.1.1.1', flows: 3, packets: 30, bytes: 300, protocols: ['TCP', '200'] },
        ...{ country: null, as: null },
      },
    ])
    assert.deepEqual(
      [protocols, tcpFlags, packetLengths].map(({ entries }) => entries[0].text),
      ['UDP', '...AP.SF', '468'],
    )
    assert.deepEqual(distinctSources, { count: 90_000, standardError: 0.016_25 })
    assert.deepEqual(report.dns, [
      {
        domain: 'www.example.com',
        addresses: [{ address: '192.0.2.10', confirmedAt: '2026-01-15T12:00:00+00:00' }],
        aliases: [{ name: 'edge.example.net', confirmedAt: '2026-01-15T12:00:00+00:00' }],
      },
    ])
  })

  it('names every site of the caller that is hit, and shows records and victims of these alone', async () => {
    const sitesOf = async (n: number) => (await body(`/api/v1/events/${id(n)}`)).sites
    assert.deepEqual(await sitesOf(1), ['192.0.2.0/24'])
    assert.deepEqual(await sitesOf(3), ['www.example.com', '*.example.com', '192.0.2.11'])
    const destinations = async (n: number) =>
      (await body(`/api/v1/events/${id(n)}`)).statistics.samples.map(
        ({ destination, samplingRate }: { destination: string; samplingRate: number | null }) => [
          destination,
          samplingRate,
        ],
      )
    assert.deepEqual(await destinations(1), [
      ['192.0.2.10', 1_000],
      ['192.0.2.11', null],
    ])
    assert.deepEqual(await destinations(3), await destinations(1))
    const victimsOf = async (n: number) =>
      (await body(`/api/v1/events/${id(n)}`)).victims.map(({ address }: { address: string }) => address)
    assert.deepEqual(await victimsOf(1), ['192.0.2.10', '192.0.2.11'])
    assert.deepEqual((await body(`/api/v1/events/${id(1)}`)).networks, [
      { network: '192.0.2.0/24', addresses: 2, packetsPerSecond: 6, bytesPerSecond: 360 },
    ])
    assert.deepEqual(await victimsOf(3), ['192.0.2.10', '192.0.2.11'])
  })

  it('shows exporters to tokens for `admin` alone', async () => {
    const { statistics: seen } = await body(`/api/v1/events/${id(1)}`, admin)
    assert.deepEqual(
      seen.exporters.entries.map(({ address }: { address: string | null }) => address),
      ['2001:db8::1', null],
    )
    assert.equal(seen.samples[0].exporter, '2001:db8::1')
    const { statistics: hidden } = await body(`/api/v1/events/${id(1)}`)
    assert.equal(hidden.exporters, null)
    assert.equal(hidden.samples[0].exporter, null)
  })

  it('shows interfaces to tokens for `admin` alone, and the systems of the sources to whoever sees sources', async () => {
    const amounts = { flows: 2, packets: 20, bytes: 200 }
    const { statistics: seen } = await body(`/api/v1/events/${id(1)}`, admin)
    assert.deepEqual(seen.ingressInterfaces.entries, [
      { exporter: '2001:db8::1', interface: 17, ...amounts },
      { exporter: null, interface: 4_294_967_295, flows: 1, packets: 10, bytes: 100 },
    ])
    assert.deepEqual(seen.egressInterfaces.entries, [{ exporter: '2001:db8::1', interface: 3, ...amounts }])
    const { statistics: hidden } = await body(`/api/v1/events/${id(1)}`)
    assert.deepEqual([hidden.ingressInterfaces, hidden.egressInterfaces], [null, null])
    assert.deepEqual(hidden.sourceSystems, {
      flowsMissedMax: 0,
      entries: [{ as: { number: 64_496, name: '' }, flows: 3, packets: 30, bytes: 300 }],
    })
    for (const caller of [ann, admin]) {
      const table = (await get(`/api/v1/events/${id(1)}/csv`, caller)).body
      assert.equal(table.includes('ingressInterfaces,17,2001:db8::1,2,20,200,'), caller === admin)
      assert.ok(table.includes('sourceSystems,64496,,3,30,300,'))
      const report = JSON.parse((await get(`/api/v1/events/${id(1)}`, caller)).body)
      for (const name of eventNumberNames)
        assert.ok(table.includes(`\r\nevent,${name},${report[name] ?? ''},,,,`), name)
    }
  })

  it("is not there for an unknown, a malformed and another's id, all alike", async () => {
    const answers = await Promise.all([id(9), 'zz', id(4)].map((each) => get(`/api/v1/events/${each}`)))
    assert.deepEqual([...new Set(answers.map(({ statusCode, body: text }) => `${statusCode} ${text}`))].length, 1)
    assert.equal(answers[0].statusCode, 404)
    assert.equal((await get(`/api/v1/events/${id(4)}/series`)).statusCode, 404)
  })
})

describe('the course of an event', () => {
  it('has rates in steps, and what is normal', async () => {
    const series = await body(`/api/v1/events/${id(1)}/series`)
    assert.ok(Value.Check(endpoints.getEventSeries.shapes.response, series))
    assert.deepEqual([series.from, series.stepSeconds], ['1970-01-01T00:00:00+00:00', 1])
    assert.deepEqual(series.total.packetsPerSecond, [1_000.5, 2_001, 3_001.5])
    assert.deepEqual(series.normal?.attack, { lowPacketsPerSecond: 0, highPacketsPerSecond: 3 })
  })

  it('has null where nothing is known', async () => {
    const event = eventOf(bob.user.id, 9_000)
    const rates = { packetsPerSecond: [5, null, 0], bytesPerSecond: [500, null, 0], flowsPerSecond: [1, null, 0] }
    const [made] = await addEvents(api.store, [{ ...event, course: { ...courseOf(3), total: rates, attack: rates } }])
    const series = await body(`/api/v1/events/${made.id}/series`, bob)
    assert.ok(Value.Check(endpoints.getEventSeries.shapes.response, series))
    assert.deepEqual([series.total, series.attack], [rates, rates])
  })

  it('is empty while nothing is known', async () => {
    const series = await body(`/api/v1/events/${id(2)}/series`)
    assert.deepEqual(
      [series.total.packetsPerSecond, series.normal, series.from],
      [[], null, '2026-01-15T11:59:57+00:00'],
    )
  })
})

// Whoever floods the tables of streams, templates and waiting sets pays with places of their own: exporters that worked before go on as if nothing were.
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { exportedMs, viewOf } from '../../test/helpers/decoded.ts'
import { optionsOf, recordOf, templateOf } from '../../test/helpers/encode/records.ts'
import { encodeMessage, type MessageHeader, type MessageParts } from '../encode/messages.ts'
import { Decoder } from './decoder.ts'

const limits = {
  ...{ streamsMax: 256, templatesMax: 1_024, samplersMax: 256 },
  ...{ waitingBytesMax: 1 << 16, waitingBytesPerStreamMax: 1 << 15 },
}
const minuteMs = 60_000
const exporters = 20

const ipfix = (parts: MessageParts, header: Partial<MessageHeader> = {}) =>
  viewOf(encodeMessage({ version: 10, nowMs: exportedMs, ...header }, parts))

const flows = templateOf(256, [1, 4])
const data = ipfix({ records: [recordOf(flows, 1)] })
const definition = ipfix({ templates: [flows] })
/** Templates of which each is another, as many as a datagram of a router carries. */
const manyTemplates = ipfix({ templates: Array.from({ length: 180 }, (_, i) => templateOf(300 + i, [1, 4])) })

/** Exporters that have worked for some minutes, their templates sent once, and who floods them. */
function working(minutes = 4) {
  let nowMs = exportedMs
  const decoder = new Decoder({ ...limits, sink: () => {} })
  const send = (view: DataView, address: string, port = 2_055) =>
    decoder.decode(view, { address, port, receivedMs: nowMs })
  const honest = (view: DataView) => {
    for (let i = 0; i < exporters; i++) send(view, `192.0.2.${i}`)
  }
  honest(definition)
  for (let minute = 0; minute < minutes; minute++) {
    honest(data)
    nowMs += minuteMs
  }
  /** The honest send a record each; gives how many of them are read. */
  const read = () => {
    const count = () => {
      let records = 0
      for (const { counters } of decoder.streams.evicted.sums(decoder.streams.list)) records += counters.records
      return records
    }
    const before = count()
    honest(data)
    return count() - before
  }
  const wait = (ms: number) => {
    nowMs += ms
  }
  return { decoder, send, read, wait }
}

const forged = (i: number) => `10.${i >> 16}.${(i >> 8) & 255}.${i & 255}`

/** Sends the i-th datagram of a flood. */
type Flood = (send: ReturnType<typeof working>['send'], i: number) => void

const floods: Record<string, Flood> = {
  'templates from made-up addresses': (send, i) => send(manyTemplates, forged(i)),
  'templates from one address': (send, i) => send(manyTemplates, '10.0.0.1', i),
  'empty messages of one address, each of another domain': (send, i) => send(ipfix({}, { domain: i }), '10.0.0.1'),
  'empty messages of made-up addresses': (send, i) => send(ipfix({}), forged(i)),
  'streams with a valid record each, of made-up addresses': (send, i) => {
    send(definition, forged(i))
    send(data, forged(i))
  },
  'streams with a valid record each, of the address of an exporter': (send, i) => {
    send(definition, '192.0.2.1', i + 10_000)
    send(data, '192.0.2.1', i + 10_000)
  },
  'data without templates, of made-up addresses': (send, i) => send(data, forged(i)),
}

describe('a flood of', () => {
  for (const [name, flood] of Object.entries(floods)) {
    it(`${name} costs no exporter that worked before a record`, () => {
      const { decoder, send, read } = working()
      for (let i = 0; i < 2_000; i++) flood(send, i)
      assert.equal(read(), exporters)
      assert.ok(decoder.streams.size <= limits.streamsMax)
      assert.ok(decoder.streams.templates <= limits.templatesMax)
      const { streams, templates } = decoder.streams.crowding()
      assert.equal(streams.provenGaveWay + templates.provenGaveWay, 0)
      assert.ok(streams.gaveWay + templates.gaveWay > 0, 'the flood was one')
    })
  }

  it('streams of one address costs no newcomer a record either', () => {
    const { send, read } = working(0)
    for (let i = 0; i < 2_000; i++) send(ipfix({}, { domain: i }), '10.0.0.1')
    assert.equal(read(), exporters)
  })

  it('templates costs a newcomer of the same address no record, as long as it sends', () => {
    const { decoder, send, wait } = working(0)
    let lost = 0
    for (let i = 0; i < 2_000; i++) {
      send(manyTemplates, '192.0.2.1', 10_000 + i)
      wait(10)
      send(data, '192.0.2.1')
    }
    for (const { counters } of decoder.streams.evicted.sums(decoder.streams.list)) lost += counters.setsWithoutTemplate
    assert.equal(lost, 0)
  })

  it('streams that work for minutes, of one address, leaves half of an even share to others', () => {
    const { decoder, send, read, wait } = working(0)
    const crowds = '10.0.0.1'
    for (let minute = 0; minute < 5; minute++) {
      for (let port = 1; port <= 250; port++) {
        send(definition, crowds, port)
        send(data, crowds, port)
      }
      wait(minuteMs)
    }
    for (let minute = 0; minute < 5; minute++) {
      assert.equal(read(), exporters)
      wait(minuteMs)
    }
    const { streams } = decoder.streams.crowding()
    assert.equal(streams.holder, crowds)
    const honest = decoder.streams.list.filter((stream) => stream?.place?.isProven && stream.address !== crowds)
    assert.equal(honest.length, exporters, 'those that came later have proved themselves as well')
  })

  it('streams of thousands of addresses and of its own costs a newcomer no record, once it has sent for half a minute', () => {
    const { send, read, wait } = working(0)
    let lost = 0
    for (let second = 0, harm = 0; second < 32; second++) {
      // Until then the flood is a small one, for which there is room.
      for (const until = harm + (second < 30 ? 1 : 1_500); harm < until; harm++) {
        for (const [address, port] of [[forged(harm)], ['192.0.2.1', 10_000 + harm]] as const) {
          send(definition, address, port)
          send(data, address, port)
        }
      }
      lost += exporters - read()
      wait(1_000)
    }
    assert.equal(lost, 0)
  })

  it('data without templates costs no other address the sets that wait', () => {
    const { decoder, send } = working()
    const late = templateOf(400, [1, 4])
    send(ipfix({ records: [recordOf(late, 7)] }), '192.0.2.1')
    for (let i = 0; i < 2_000; i++) send(data, '10.0.0.1', 1 + (i % 60_000))
    send(ipfix({ templates: [late] }), '192.0.2.1')
    const [honest] = decoder.streams.list.filter((stream) => stream?.address === '192.0.2.1')
    assert.equal(honest?.counters.setsDecodedLate, 1)
    assert.ok(decoder.streams.waiting.bytes <= limits.waitingBytesMax)
  })
})

describe('samplers', () => {
  const bounds = { samplersMax: 256, samplersPerStreamMax: 64 }
  const sampler = (id: number, rate: number) => optionsOf(300, 10, [48, 4, id], [50, 4, rate])
  const flow = (id: number) => recordOf(templateOf(256, [48, 4]), id)

  it('of all streams are bounded, and a flood of them takes none from an exporter that worked before', () => {
    const rates: number[] = []
    const decoder = new Decoder({
      ...{ ...limits, ...bounds },
      sink: ({ columns, rows }) => void rates.push(...columns.samplingRate.subarray(0, rows)),
    })
    const send = (parts: MessageParts, address: string, domain: number, minute: number) =>
      decoder.decode(ipfix(parts, { domain }), { address, port: 1, receivedMs: exportedMs + minute * minuteMs })
    const definitions = { templates: [flow(1).template, sampler(1, 1).template] }
    const honest = Array.from({ length: 20 }, (_, i) => sampler(i + 1, 1_000 + i))
    send({ ...definitions, records: honest }, '192.0.2.1', 1, 0)
    for (let minute = 0; minute < 4; minute++) send({ records: [flow(1)] }, '192.0.2.1', 1, minute)
    for (let i = 0; i < 500; i++) {
      const many = Array.from({ length: 60 }, (_, id) => sampler(1 + id, 5))
      send({ ...definitions, records: many }, i % 2 === 0 ? '192.0.2.1' : forged(i), 100 + i, 4)
    }
    const { samplers } = decoder.streams.crowding()
    assert.deepEqual([samplers.max, samplers.provenGaveWay], [bounds.samplersMax, 0])
    assert.ok(samplers.size <= bounds.samplersMax && samplers.gaveWay > 10_000)
    const kept = decoder.streams.list.reduce((sum, stream) => sum + (stream?.sampling.entries().length ?? 0), 0)
    assert.ok(kept <= bounds.samplersMax, 'those that made room are no more')
    assert.equal(decoder.counters.samplersEvicted, samplers.gaveWay)
    decoder.flush()
    rates.length = 0
    send({ records: Array.from({ length: 20 }, (_, i) => flow(i + 1)) }, '192.0.2.1', 1, 5)
    decoder.flush()
    assert.deepEqual(
      rates,
      Array.from({ length: 20 }, (_, i) => 1_000 + i),
    )
  })

  it('of a stream that is forgotten leave their places', () => {
    const decoder = new Decoder({ ...limits, ...bounds, sink: () => {} })
    for (let i = 0; i < 2_000; i++) {
      const parts = { templates: [sampler(1, 1).template], records: [sampler(1, 5)] }
      decoder.decode(ipfix(parts), { address: forged(i), port: 1, receivedMs: exportedMs })
    }
    assert.equal(decoder.streams.crowding().samplers.size, decoder.streams.size)
  })

  it('of domain 0 are kept once for all domains that count by them', () => {
    const decoder = new Decoder({ ...limits, ...bounds, sink: () => {} })
    const key = { protocol: 'ipfix' as const, address: '192.0.2.1', port: 1, domain: 0 }
    const times = { seenMs: exportedMs, bootMs: 0, exportMs: 0, uptimeMs: 0, isProven: false }
    const sampling = [{ scope: 'exporter' as const, rate: 100 }]
    decoder.streams.restore([{ ...key, ...times, sampling, templates: [] }])
    for (const domain of [1, 2]) decoder.decode(ipfix({}, { domain }), { ...key, receivedMs: exportedMs })
    const [one, other] = decoder.streams.list.map((stream) => stream?.sampling.parent)
    assert.ok(one?.rate === 100 && one === other)
  })
})

describe('a stream that made room', () => {
  it('goes on with the templates that records came by', () => {
    const { decoder, send } = working(1)
    for (let i = 0; i < 300; i++) send(ipfix({}), forged(i))
    assert.equal(
      decoder.streams.list.some((stream) => stream?.address === '192.0.2.1'),
      false,
      'it had to go',
    )
    send(data, '192.0.2.1')
    const [back] = decoder.streams.list.filter((stream) => stream?.address === '192.0.2.1')
    assert.deepEqual([back?.counters.records, back?.counters.setsWithoutTemplate], [1, 0])
  })
})

import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { decodeAll, exportedMs, viewOf } from '../../../test/helpers/decoded.ts'
import { optionsOf, recordOf, templateOf } from '../../../test/helpers/encode/records.ts'
import { encodeMessage, type MessageHeader, type MessageParts } from '../../encode/messages.ts'
import type { StreamCounters } from '../counters.ts'
import { Decoder } from '../decoder.ts'

const ipfix = (parts: MessageParts, header: Partial<MessageHeader> = {}) =>
  encodeMessage({ version: 10, nowMs: exportedMs, ...header }, parts)
const netflow9 = (parts: MessageParts, header: Partial<MessageHeader> = {}) => ipfix(parts, { version: 9, ...header })
const countersOf = ({ decoder }: { decoder: Decoder }) => decoder.streams.list[0]?.counters ?? ({} as StreamCounters)

const bytesFirst = templateOf(256, [1, 4], [2, 4])
const packetsFirst = templateOf(256, [2, 4], [1, 4])

describe('templates belong to their stream', () => {
  const define = ipfix({ templates: [bytesFirst] })
  const data = (header: Partial<MessageHeader> = {}) => ipfix({ records: [recordOf(bytesFirst, 100, 1)] }, header)

  it('of the same exporter, socket and domain', () => {
    assert.deepEqual(
      decodeAll([define, data()]).records.map(({ bytes, packets }) => [bytes, packets]),
      [[100, 1]],
    )
  })

  it('not of another domain, port or address', () => {
    for (const [other, from] of [
      [data({ domain: 1 }), {}],
      [data(), { port: 40_001 }],
      [data(), { address: '192.0.2.9' }],
    ] as const) {
      const decoded = decodeAll([define])
      decodeAll([other], { ...from, into: decoded })
      assert.equal(decoded.records.length, 0)
      assert.equal(decoded.decoder.streams.list[1]?.counters.setsWithoutTemplate, 1)
    }
  })

  it('NetFlow v9 source ids as well', () => {
    const decoded = decodeAll([
      netflow9({ templates: [bytesFirst] }, { domain: 1 }),
      netflow9({ templates: [packetsFirst] }, { domain: 2 }),
      netflow9({ records: [recordOf(bytesFirst, 100, 1)] }, { domain: 1 }),
      netflow9({ records: [recordOf(packetsFirst, 1, 100)] }, { domain: 2 }),
    ])
    assert.deepEqual(
      decoded.records.map(({ bytes, packets }) => [bytes, packets]),
      [
        [100, 1],
        [100, 1],
      ],
    )
  })
})

describe('a template', () => {
  it('is replaced by a later one of the same id', () => {
    const decoded = decodeAll([
      ipfix({ templates: [bytesFirst] }),
      ipfix({ templates: [packetsFirst], records: [recordOf(packetsFirst, 1, 100)] }),
    ])
    assert.deepEqual(
      decoded.records.map(({ bytes, packets }) => [bytes, packets]),
      [[100, 1]],
    )
    assert.equal(countersOf(decoded).templates, 2)
  })

  it('that comes again is no new one', () => {
    const decoded = decodeAll([ipfix({ templates: [bytesFirst] }), ipfix({ templates: [bytesFirst] })])
    assert.equal(countersOf(decoded).templates, 1)
  })

  it('is withdrawn, by its id or with all others, and can come again', () => {
    const data = ipfix({ records: [recordOf(bytesFirst, 100, 1)] })
    for (const withdrawals of [[256], [2]]) {
      const decoded = decodeAll([ipfix({ templates: [bytesFirst] }), ipfix({ withdrawals }), data])
      assert.equal(decoded.records.length, 0)
      assert.equal(countersOf(decoded).templatesWithdrawn, 1)
      // What came after the withdrawal has waited.
      decodeAll([ipfix({ templates: [bytesFirst] }), data], { into: decoded })
      assert.equal(decoded.records.length, 2)
    }
  })

  it('whose records would be empty, or that is too long, is refused', () => {
    const empty = { id: 256, fields: [{ id: 12, length: 0 }] }
    const long = { id: 257, fields: Array.from({ length: 513 }, () => ({ id: 12, length: 4 })) }
    const decoded = decodeAll([ipfix({ templates: [empty, long], records: [{ template: empty, values: [0] }] })])
    assert.equal(countersOf(decoded).templatesRefused, 2)
    assert.equal(decoded.decoder.streams.templates, 0)
  })

  it('ends the message when it is malformed, and leaves what came before', () => {
    const whole = ipfix({ templates: [bytesFirst], records: [recordOf(bytesFirst, 100, 1)] })
    const broken = ipfix({ templates: [bytesFirst, templateOf(257, [1, 4])], records: [recordOf(bytesFirst, 7, 1)] })
    // The field count of the second template: 16 of header, a set of 20, and 6 into the next.
    viewOf(broken).setUint16(16 + 20 + 6, 400)
    const decoded = decodeAll([broken, whole])
    assert.deepEqual(
      decoded.records.map(({ bytes }) => bytes),
      [100],
    )
    assert.equal(countersOf(decoded).badSets, 1)
  })

  it('of NetFlow v9 has no variable lengths to hang in, and sets of odd lengths end', () => {
    const data = netflow9({ templates: [bytesFirst], records: [recordOf(bytesFirst, 100, 1)] })
    const view = viewOf(data)
    for (let length = 0; length < 4; length++) {
      view.setUint16(20 + 2, length)
      assert.equal(decodeAll([data]).records.length, 0)
    }
  })
})

describe('bounds', () => {
  it('on templates of a stream: the one defined longest ago makes room', () => {
    const templates = [256, 257, 258].map((id) => templateOf(id, [1, 4]))
    const [first, second, third] = templates.map((template) => ipfix({ records: [recordOf(template, template.id)] }))
    const define = templates.map((template) => ipfix({ templates: [template] }))
    const decoded = decodeAll([...define.slice(0, 2), define[0], define[2], first, second, third], {
      templatesPerStreamMax: 2,
    })
    assert.deepEqual(
      decoded.records.map(({ bytes }) => bytes),
      [256, 258],
    )
    assert.equal(decoded.decoder.counters.templatesEvicted, 1)
    assert.equal(decoded.decoder.streams.templates, 2)
  })

  it('on streams: those silent for longest make room', () => {
    const decoded = decodeAll([])
    const decoder = new Decoder({ sink: () => {}, streamsMax: 16 })
    const datagram = viewOf(ipfix({ templates: [bytesFirst] }))
    for (let port = 0; port < 1_000; port++) {
      decoder.decode(datagram, { address: '192.0.2.1', port, receivedMs: exportedMs + port })
      decoder.decode(datagram, { address: '192.0.2.2', port: 1, receivedMs: exportedMs + port })
    }
    assert.ok(decoder.streams.size <= 16)
    assert.equal(decoder.streams.templates, decoder.streams.size)
    assert.equal(decoder.counters.streamsEvicted + decoder.streams.size, 1_001)
    const kept = decoder.streams.list.find((stream) => stream?.address === '192.0.2.2')
    assert.equal(kept?.counters.datagrams, 1_000, 'one that sends all the time stays')
    assert.equal(decoded.decoder.streams.size, 0)
  })

  it('on templates of all streams', () => {
    const decoder = new Decoder({ sink: () => {}, templatesMax: 100 })
    for (let port = 0; port < 50; port++) {
      const templates = Array.from({ length: 20 }, (_, i) => templateOf(256 + i, [1, 4]))
      decoder.decode(viewOf(ipfix({ templates })), { address: '192.0.2.1', port, receivedMs: exportedMs + port })
      assert.ok(decoder.streams.templates <= 100)
    }
    assert.equal(decoder.streams.list.filter((stream) => stream?.port === 49)[0]?.templates.size, 20)
  })

  it('on samplers', () => {
    const datagrams = Array.from({ length: 20 }, (_, i) => {
      const options = optionsOf(300, 9, [48, 2, i + 1], [50, 4, 10])
      return netflow9({ templates: [options.template], records: [options] })
    })
    assert.equal(decodeAll(datagrams, { samplersPerStreamMax: 8 }).decoder.counters.samplersRefused, 12)
  })
})

describe('sequence numbers', () => {
  const templates = [bytesFirst]
  const records = [recordOf(bytesFirst, 1, 1), recordOf(bytesFirst, 2, 1)]
  const lost = (sequences: number[], encode: typeof ipfix) => {
    const { sequenceGaps, sequenceLost } = countersOf(
      decodeAll(sequences.map((sequence) => encode({ templates, records }, { sequence }))),
    )
    return [sequenceGaps, sequenceLost]
  }

  it('of IPFIX count records, those of NetFlow v9 datagrams; they wrap', () => {
    assert.deepEqual(lost([10, 12, 14], ipfix), [0, 0])
    assert.deepEqual(lost([10, 12, 18, 20], ipfix), [1, 4])
    assert.deepEqual(lost([10, 11, 15, 16], netflow9), [1, 3])
    assert.deepEqual(lost([2 ** 32 - 1, 1], ipfix), [0, 0])
    assert.deepEqual(lost([2 ** 32 - 1, 3], ipfix), [1, 2])
  })

  it('out of order lose nothing more; a restart loses nothing', () => {
    assert.deepEqual(lost([10, 14, 12, 16], ipfix), [1, 2])
    assert.deepEqual(lost([4_000_000, 0, 2], ipfix), [1, 0])
  })

  it('that leave out options data are no gaps', () => {
    const options = optionsOf(300, 10, [34, 4, 10])
    const first = ipfix(
      { templates: [...templates, options.template], records: [options, ...records] },
      { sequence: 5 },
    )
    assert.equal(countersOf(decodeAll([first, ipfix({ records }, { sequence: 7 })])).sequenceGaps, 0)
    assert.equal(countersOf(decodeAll([first, ipfix({ records }, { sequence: 8 })])).sequenceGaps, 0)
    assert.equal(countersOf(decodeAll([first, ipfix({ records }, { sequence: 9 })])).sequenceLost, 1)
  })

  it('that count up to the end of their message are no gaps', () => {
    const of = (sequence: number, count: number) =>
      ipfix({ templates, records: new Array(count).fill(records[0]) }, { sequence })
    assert.equal(countersOf(decodeAll([of(3, 3), of(8, 5), of(9, 1), of(13, 4)])).sequenceGaps, 0)
  })
})

import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { type Decoded, decodeAll, exportedMs, viewOf } from '../../test/helpers/decoded.ts'
import { optionsOf, recordOf, templateOf } from '../../test/helpers/encode/records.ts'
import { encodeMessage, type MessageHeader, type MessageParts } from '../encode/messages.ts'
import type { StreamCounters } from './counters.ts'

const ipfix = (parts: MessageParts, header: Partial<MessageHeader> = {}) =>
  encodeMessage({ version: 10, nowMs: exportedMs, ...header }, parts)
const netflow9 = (parts: MessageParts, header: Partial<MessageHeader> = {}) => ipfix(parts, { version: 9, ...header })
const countersOf = ({ decoder }: Decoded) => decoder.streams.list[0]?.counters ?? ({} as StreamCounters)

const bytesAt256 = templateOf(256, [1, 4])
const define = ipfix({ templates: [bytesAt256] })
const data = (bytes: number, header: Partial<MessageHeader> = {}) =>
  ipfix({ records: [recordOf(bytesAt256, bytes)] }, header)
const bytesOf = ({ records }: Decoded) => records.map(({ bytes }) => bytes)

describe('data that comes before its template', () => {
  it('is decoded when it comes, in order', () => {
    const decoded = decodeAll([data(1), data(2), define, data(3)])
    assert.deepEqual(bytesOf(decoded), [1, 2, 3])
    const { setsWithoutTemplate, setsDecodedLate, records } = countersOf(decoded)
    assert.deepEqual([setsWithoutTemplate, setsDecodedLate, records], [2, 2, 3])
    assert.equal(decoded.decoder.streams.waiting.bytes, 0)
    assert.equal(decoded.decoder.streams.waiting.size, 0)
  })

  it('has the times of its own datagram', () => {
    const uptimes = templateOf(256, [22, 4], [21, 4])
    const before = { version: 9, nowMs: exportedMs - 100_000, bootMs: exportedMs - 3_600_000 } as const
    const after = { ...before, nowMs: exportedMs }
    const early = encodeMessage(before, { records: [recordOf(uptimes, 3_490_000, 3_495_000)] })
    const late = encodeMessage(after, { templates: [uptimes] })
    const decoded = decodeAll([early], { receivedMs: exportedMs - 100_000 })
    decodeAll([late], { into: decoded, receivedMs: exportedMs })
    const [{ startMs, endMs }] = decoded.records
    assert.deepEqual([startMs, endMs], [exportedMs - 110_000, exportedMs - 105_000])
  })

  it('is sampled as the options data say that come with the template, wherever in the message they are', () => {
    const options = optionsOf(300, 10, [34, 4, 100])
    const decoded = decodeAll([data(1), ipfix({ templates: [bytesAt256, options.template], records: [options] })])
    assert.deepEqual(
      decoded.records.map(({ samplingRate }) => samplingRate),
      [100],
    )
  })

  it('may be options data', () => {
    const options = optionsOf(300, 10, [34, 4, 100])
    const decoded = decodeAll([
      ipfix({ records: [options, recordOf(bytesAt256, 1)] }),
      ipfix({ templates: [bytesAt256, options.template] }),
    ])
    assert.equal(decoded.records[0].samplingRate, 100)
  })

  it('waits for the template of its own stream', () => {
    const decoded = decodeAll([data(1), ipfix({ templates: [bytesAt256] }, { domain: 1 })])
    assert.deepEqual(bytesOf(decoded), [])
    decodeAll([define], { into: decoded })
    assert.deepEqual(bytesOf(decoded), [1])
  })

  it('is not read by a later template when its own was withdrawn, or the exporter has restarted', () => {
    for (const withdrawals of [[256], [2]]) {
      const decoded = decodeAll([data(1), ipfix({ withdrawals }), data(2), define])
      assert.deepEqual(bytesOf(decoded), [2])
      assert.equal(countersOf(decoded).setsOutdated, 1)
    }
    const decoded = decodeAll([
      netflow9({ records: [recordOf(bytesAt256, 1)] }, { bootMs: exportedMs - 3_600_000 }),
      netflow9({ templates: [bytesAt256] }, { bootMs: exportedMs - 1_000 }),
    ])
    assert.deepEqual(bytesOf(decoded), [])
    assert.equal(countersOf(decoded).setsOutdated, 1)
  })

  it('shows no gap in the sequence of IPFIX, nor hides one after it', () => {
    // Three records each, the first two datagrams before their template, one of them late.
    const three = (sequence: number) => ipfix({ records: new Array(3).fill(recordOf(bytesAt256, 1)) }, { sequence })
    const decoded = decodeAll([three(3), three(6), ipfix({ templates: [bytesAt256] }, { sequence: 9 }), three(0)])
    decodeAll([three(9), three(12)], { into: decoded })
    assert.equal(countersOf(decoded).sequenceGaps, 0)
    decodeAll([three(18)], { into: decoded })
    assert.equal(countersOf(decoded).sequenceLost, 3)
    assert.equal(decoded.records.length, 18)
  })

  it('that was made up ends nowhere', () => {
    const broken = ipfix({ records: [recordOf(templateOf(256, [1, 4], [2, 4]), 7, 7)] })
    const decoded = decodeAll([broken, define])
    assert.equal(decoded.decoder.counters.failures, 0)
  })
})

describe('bounds on what waits', () => {
  const setBytes = 256 + 8
  it('by age', () => {
    const decoded = decodeAll([data(1)], { waitingMs: 1_000 })
    decodeAll([data(2)], { into: decoded, receivedMs: exportedMs + 900 })
    decodeAll([define], { into: decoded, receivedMs: exportedMs + 1_500 })
    assert.deepEqual(bytesOf(decoded), [2])
    assert.equal(countersOf(decoded).setsExpired, 1)
  })

  it('by octets of a stream: the oldest goes', () => {
    const decoded = decodeAll([data(1), data(2), data(3), define], { waitingBytesPerStreamMax: 2 * setBytes })
    assert.deepEqual(bytesOf(decoded), [2, 3])
    assert.equal(countersOf(decoded).setsCrowdedOut, 1)
  })

  it('by octets in all: the oldest goes, whosever it is', () => {
    const decoded = decodeAll([data(1), data(2, { domain: 1 }), data(3, { domain: 1 })], {
      waitingBytesMax: 2 * setBytes,
    })
    decodeAll([define, ipfix({ templates: [bytesAt256] }, { domain: 1 })], { into: decoded })
    assert.deepEqual(bytesOf(decoded), [2, 3])
    assert.equal(countersOf(decoded).setsOverflowed, 1)
  })

  it('and none that waits at all', () => {
    const decoded = decodeAll([data(1), define], { waitingBytesMax: 0 })
    assert.deepEqual(bytesOf(decoded), [])
    assert.equal(countersOf(decoded).setsCrowdedOut, 1)
  })

  it('hold, whatever comes', () => {
    const decoded = decodeAll([], {
      waitingBytesMax: 20 * setBytes,
      waitingBytesPerStreamMax: 5 * setBytes,
      streamsMax: 16,
    })
    const { decoder } = decoded
    const sum = () => {
      let sets = 0
      for (const { counters } of decoder.streams.evicted.sums(decoder.streams.list)) {
        const { setsDecodedLate, setsExpired, setsCrowdedOut, setsOverflowed, setsOutdated } = counters
        sets += setsDecodedLate + setsExpired + setsCrowdedOut + setsOverflowed + setsOutdated
        sets -= counters.setsWithoutTemplate
      }
      return sets + decoder.streams.waiting.size
    }
    for (let i = 0; i < 3_000; i++) {
      const header = { domain: (i * 7) % 40 }
      const template = templateOf(256 + ((i * 13) % 5), [1, 4])
      const parts = i % 11 === 0 ? { templates: [template] } : { records: [recordOf(template, i)] }
      const message = i % 17 === 0 ? ipfix({ withdrawals: [template.id] }, header) : ipfix(parts, header)
      decoder.decode(viewOf(message), { address: '192.0.2.1', port: 1, receivedMs: exportedMs + i })
      assert.ok(decoder.streams.waiting.bytes <= 20 * setBytes)
    }
    assert.equal(sum(), 0, 'every set is accounted for')
    assert.equal(decoder.counters.failures, 0)
  })
})

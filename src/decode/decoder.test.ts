import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { choosing, decodeAll, exportedMs, viewOf } from '../../test/helpers/decoded.ts'
import { type Flow, type FullFlow, fullFlow } from '../../test/helpers/encode/flow.ts'
import { encodeNetflow5 } from '../../test/helpers/encode/netflow5.ts'
import { Exporter } from '../../test/helpers/exporter.ts'
import { type ExportProtocol, exportProtocols } from '../flow/columns.ts'
import type { FlowRecord } from '../flow/record.ts'
import { Decoder } from './decoder.ts'

const ipv6 = fc.constantFrom('2001:db8::1', '::', 'fe80::1:0:0:2', '2001:db8:1:2:3:4:5:6', '::ffff:1')
const anyFlow = fc
  .record({
    ends: fc.oneof(fc.tuple(fc.ipV4(), fc.ipV4()), fc.tuple(ipv6, ipv6)),
    srcPort: fc.nat(65_535),
    dstPort: fc.nat(65_535),
    ipProto: fc.constantFrom(6, 17, 132),
    tcpFlags: fc.nat(255),
    size: fc.nat(1_500),
    packets: fc.integer({ min: 1, max: 4 }),
    ageMs: fc.nat(60_000),
    durationMs: fc.nat(60_000),
    ingressInterface: fc.nat(65_535),
    egressInterface: fc.nat(65_535),
    sourceAs: fc.nat(65_535),
    direction: fc.constantFrom(0, 1),
  })
  .map(({ ends: [src, dst], size, ageMs, durationMs, ...rest }): Flow => {
    const endMs = exportedMs - ageMs
    return { src, dst, ...rest, bytes: size * rest.packets, endMs, startMs: endMs - durationMs }
  })

/** What the flow is when it comes out again. */
function expected(flow: Flow, protocol: ExportProtocol, samplingRate: number, tellsOrigin: boolean): FlowRecord[] {
  const full = fullFlow(flow, exportedMs)
  const record: FlowRecord = {
    ...full,
    protocol,
    samplingRate: samplingRate || null,
    ...originOf(full, protocol, tellsOrigin),
  }
  if (protocol !== 'sflow5') return [record]
  const sample = { ...record, packets: 1, bytes: full.bytes / full.packets, startMs: null, endMs: null }
  return new Array<FlowRecord>(full.packets).fill(full.ipProto === 6 ? sample : { ...sample, tcpFlags: null })
}

/** What the protocol says about where the flow came in. */
function originOf(full: FullFlow, protocol: ExportProtocol, tellsOrigin: boolean): Partial<FlowRecord> {
  if (protocol === 'netflow5') return { direction: null }
  if (protocol === 'sflow5') {
    return full.sourceAs === 0 ? { sourceAs: null, direction: null } : { direction: null }
  }
  if (tellsOrigin) return {}
  return { ingressInterface: null, egressInterface: null, sourceAs: null, direction: null }
}

describe('what an exporter sends comes out again', () => {
  for (const protocol of exportProtocols) {
    const hasOptions = protocol === 'netflow9' || protocol === 'ipfix'
    for (const sampling of hasOptions ? (['option', 'sampler', 'record'] as const) : (['option'] as const)) {
      it(`${protocol}, rate by ${sampling}`, () => {
        const property = fc.property(
          fc.array(anyFlow, { maxLength: 60 }),
          fc.constantFrom(0, 1, 16_000),
          fc.boolean(),
          (all, rate, tellsOrigin) => {
            const flows = all.filter(({ src }) => protocol !== 'netflow5' || !src.includes(':'))
            const exporter = new Exporter({ protocol, samplingRate: rate, sampling, domain: 7, tellsOrigin })
            const { records, decoder } = decodeAll(exporter.datagrams(flows, exportedMs), { batchRows: 32 })
            assert.deepEqual(
              records,
              flows.flatMap((flow) => expected(flow, protocol, rate, tellsOrigin)),
            )
            assert.equal(decoder.counters.failures, 0)
            for (const stream of decoder.streams.list) {
              assert.equal(stream?.domain, 7)
              assert.equal(stream?.counters.sequenceLost, 0)
              assert.equal(stream?.counters.records, records.length)
            }
          },
        )
        fc.assert(property, { numRuns: 25 })
      })
    }
  }
})

describe('a decoder', () => {
  const flow: Flow = { src: '198.51.100.1', dst: '203.0.113.1', ipProto: 17, bytes: 100 }
  const [v5] = encodeNetflow5([flow], { nowMs: exportedMs, samplingRate: 10 })

  it('counts what is no export, and goes on', () => {
    const rubbish = [
      new Uint8Array(0),
      Uint8Array.of(5),
      Uint8Array.of(0, 77, 0, 0),
      new TextEncoder().encode('GET / HTTP/1.1'),
    ]
    const { records, decoder } = decodeAll([...rubbish, v5.subarray(0, 20), v5])
    assert.equal(records.length, 1)
    assert.deepEqual(
      [decoder.counters.datagrams, decoder.counters.unknownVersion, decoder.counters.tooShort],
      [6, 4, 1],
    )
    assert.equal(decoder.streams.size, 1)
  })

  it('counts versions that it refuses, each for itself', () => {
    const versions = { netflow1: [0, 1], netflow6: [0, 6], netflow7: [0, 7], netflow8: [0, 8] } as const
    const sflow = { sflow2: [0, 0, 0, 2], sflow4: [0, 0, 0, 4] } as const
    for (const [name, version] of Object.entries({ ...versions, ...sflow })) {
      const datagram = new Uint8Array(1_464)
      datagram.set(version)
      const { records, decoder } = decodeAll([datagram])
      const { datagrams, bytes, ...others } = decoder.counters
      assert.equal(records.length, 0)
      assert.deepEqual(
        Object.entries(others).filter(([, count]) => count > 0),
        [[name, 1]],
      )
      assert.equal(decoder.streams.size, 0)
    }
  })

  it('takes an override for every rate that is told', () => {
    const { records } = decodeAll([v5], { samplingOverrideOf: () => 512 })
    assert.equal(records[0].samplingRate, 512)
  })

  it('believes the count of a NetFlow v5 header only as far as the datagram goes', () => {
    const many = v5.slice()
    new DataView(many.buffer).setUint16(2, 60_000)
    const { records, decoder } = decodeAll([many])
    assert.equal(records.length, 1)
    assert.equal(decoder.streams.list[0]?.counters.truncated, 1)
    new DataView(many.buffer).setUint16(2, 0)
    assert.equal(decodeAll([many]).records.length, 0)
  })

  it('leaves the mode out of the NetFlow v5 sampling field', () => {
    const [datagram] = encodeNetflow5([flow], { nowMs: exportedMs, samplingRate: 16_383, samplingMode: 3 })
    assert.equal(decodeAll([datagram]).records[0].samplingRate, 16_383)
  })

  it('hands on a full batch at once, and the rest when it is flushed', () => {
    const flows = new Array<Flow>(10).fill(flow)
    const sizes: number[] = []
    const decoder = new Decoder({ batchRows: 4, sink: (batch) => sizes.push(batch.rows) })
    for (const datagram of encodeNetflow5(flows, { nowMs: exportedMs })) {
      decoder.decode(viewOf(datagram), { address: '192.0.2.1', port: 1, receivedMs: exportedMs })
    }
    assert.deepEqual(sizes, [4, 4])
    decoder.flush()
    decoder.flush()
    assert.deepEqual(sizes, [4, 4, 2])
  })

  it('goes on after a failure of the sink, without the rows that it was called with', () => {
    const flows = new Array<Flow>(10).fill(flow)
    const sizes: number[] = []
    let fails = true
    const sink = ({ rows }: { rows: number }) => {
      if (fails) throw new Error('no room')
      sizes.push(rows)
    }
    const decoder = new Decoder({ batchRows: 4, sink })
    const [datagram] = encodeNetflow5(flows, { nowMs: exportedMs })
    const decode = () => decoder.decode(viewOf(datagram), { address: '192.0.2.1', port: 1, receivedMs: exportedMs })
    decode()
    assert.deepEqual([decoder.counters.failures, sizes], [1, []])
    fails = false
    decode()
    decoder.flush()
    assert.deepEqual([decoder.counters.failures, sizes], [1, [4, 4, 2]])
  })

  it('counts what comes after a failure within a datagram that was left out', () => {
    const sizes: number[] = []
    let fails = true
    const choose = choosing(() => {
      if (fails) throw new Error('no list')
      return true
    })
    const decoder = new Decoder({ sink: ({ rows }) => sizes.push(rows), choose })
    const [datagram] = encodeNetflow5([flow], { nowMs: exportedMs })
    const origin = { address: '192.0.2.1', port: 1, receivedMs: exportedMs }
    const away = { fromMs: exportedMs - 5_000, toMs: exportedMs }
    // The first datagram of a stream is read whole.
    for (let i = 0; i < 2; i++) decoder.decode(viewOf(datagram), { ...origin, away })
    fails = false
    assert.deepEqual([decoder.counters.datagramsLeftOut, decoder.counters.failures], [2, 1])
    decoder.decode(viewOf(datagram), origin)
    decoder.flush()
    assert.deepEqual(sizes, [1])
  })

  it('leaves out what comes very late after a silence, but for who wants times as they were exported', () => {
    const flows = [{ src: '192.0.2.1', dst: '192.0.2.2', bytes: 100 }]
    const [first, late] = [exportedMs - 600_000, exportedMs - 300_000].map((nowMs) => encodeNetflow5(flows, { nowMs }))
    for (const [exportedTimes, records] of [
      [false, 1],
      [true, 2],
    ] as const) {
      const decoded = decodeAll(first, { exportedTimes, receivedMs: exportedMs - 600_000 })
      decodeAll(late, { into: decoded, receivedMs: exportedMs })
      assert.equal(decoded.records.length, records)
      assert.equal(decoded.decoder.counters.datagramsLeftOut, 2 - records)
    }
  })
})

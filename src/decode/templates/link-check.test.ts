import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { choosing, decodeAll, exportedMs, viewOf } from '../../../test/helpers/decoded.ts'
import { Exporter } from '../../../test/helpers/exporter.ts'
import { Writer } from '../../encode/writer.ts'

/** An sFlow datagram with a counter sample of one interface. */
function counters(
  index: number,
  octetsIn: number,
  octetsOut: number,
  { expanded = false, speed = 1e9 } = {},
): Uint8Array {
  const writer = new Writer().u32(5).u32(1).u32(0xc000_0201).u32(0).u32(1).u32(1_000).u32(1)
  writer.u32(expanded ? 4 : 2).u32(0)
  const at = writer.length
  writer.u32(1)
  if (expanded) writer.u32(0)
  writer.u32(index).u32(1)
  writer.u32(1).u32(88).u32(index).u32(6).uint(speed, 8).u32(1).u32(3).uint(octetsIn, 8)
  for (let i = 0; i < 6; i++) writer.u32(0)
  writer.uint(octetsOut, 8)
  for (let i = 0; i < 6; i++) writer.u32(0)
  return writer.setU32(at - 4, writer.length - at).done()
}

/** Twenty minutes of an exporter that samples 1 of 1,000 and tells `rate`, each sample 1,000 octets. Gives what is doubted. */
function doubts(
  rate: number,
  { counted = true, watched = true, ...options }: { counted?: boolean; watched?: boolean; expanded?: boolean } = {},
) {
  const { decoder } = decodeAll([], { choose: choosing(() => watched) })
  const exporter = new Exporter({ protocol: 'sflow5', samplingRate: rate })
  const samples = 10
  const flow = {
    src: '192.0.2.1',
    dst: '203.0.113.1',
    srcPort: 1,
    dstPort: 2,
    ipProto: 17,
    packets: samples,
    bytes: samples * 1_000,
  }
  for (let second = 0; second < 1_200; second++) {
    const nowMs = exportedMs + second * 1000
    const octets = counted ? second * samples * 1_000 * 1_000 : 0
    const datagrams = second % 30 === 0 ? [counters(3, octets, 0, options)] : []
    for (const datagram of [...datagrams, ...exporter.datagrams([flow], nowMs)]) {
      decoder.decode(viewOf(datagram), { address: '192.0.2.9', port: 6, receivedMs: nowMs })
    }
  }
  assert.equal(decoder.counters.failures, 0)
  return decoder.streams.list[0]?.sampling.doubts
}

describe('a rate with which an sFlow exporter would count more', () => {
  it('than its interfaces carried is flagged', () => {
    assert.deepEqual(doubts(1_000), [])
    assert.deepEqual(doubts(10_000), ['aboveLinks'])
    assert.deepEqual(doubts(10_000, { expanded: true }), ['aboveLinks'])
    assert.deepEqual(doubts(10_000, { watched: false }), ['aboveLinks'])
    assert.deepEqual(doubts(1_000, { watched: false }), [])
  })

  it('than its interfaces can carry is flagged, when they do not count', () => {
    // 10,000 octets a second sampled 1:10,000 are 0.8 Gbit/s of 1, 1:100,000 are 8.
    assert.deepEqual(doubts(10_000, { counted: false }), [])
    assert.deepEqual(doubts(100_000, { counted: false }), ['aboveLinks'])
  })
})

it('a rate with which more is counted than the operator says that the links carry is flagged', () => {
  for (const [linkBitsPerSecond, expected] of [
    [1e9, []],
    [1e7, ['aboveLinks']],
  ] as const) {
    const { decoder } = decodeAll([], { linkBitsPerSecondOf: () => linkBitsPerSecond })
    const exporter = new Exporter({ protocol: 'netflow5', samplingRate: 1_000 })
    for (let second = 0; second < 1_000; second++) {
      const nowMs = exportedMs + second * 1000
      const flow = {
        src: '192.0.2.1',
        dst: '203.0.113.1',
        srcPort: 1,
        dstPort: 2,
        ipProto: 17,
        packets: 10,
        bytes: 10_000,
      }
      for (const datagram of exporter.datagrams([flow, flow], nowMs)) {
        decoder.decode(viewOf(datagram), { address: '192.0.2.9', port: 6, receivedMs: nowMs })
      }
    }
    assert.deepEqual(decoder.streams.list[0]?.sampling.doubts, expected)
  }
})

import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { choosing, decodeAll, exportedMs, noOrigin, viewOf } from '../../../test/helpers/decoded.ts'
import { type Flow, fullFlow } from '../../../test/helpers/encode/flow.ts'
import { encodeIp, type PacketShape } from '../../../test/helpers/encode/packet.ts'
import { encodeSflow5, type Sflow5Options } from '../../../test/helpers/encode/sflow5.ts'
import { Writer } from '../../encode/writer.ts'
import { parseIpv4 } from '../../net/ipv4.ts'
import { Decoder } from '../decoder.ts'

const tcp: Flow = {
  src: '198.51.100.1',
  dst: '203.0.113.1',
  ipProto: 6,
  srcPort: 1234,
  dstPort: 80,
  tcpFlags: 2,
  bytes: 1518,
  ingressInterface: 11,
  egressInterface: 22,
}
const tcp6: Flow = { ...tcp, src: '2001:db8::1', dst: '2001:db8::2' }

const encode = (flow: Flow, options: Partial<Sflow5Options> = {}) =>
  encodeSflow5([flow], { nowMs: exportedMs, samplingRate: 512, ...options })

function one(flow: Flow, options: Partial<Sflow5Options> = {}) {
  const { records, decoder } = decodeAll(encode(flow, options))
  assert.equal(decoder.counters.failures, 0)
  assert.equal(records.length, 1)
  return records[0]
}

const full = {
  protocol: 'sflow5',
  ipProto: 6,
  srcPort: 1234,
  dstPort: 80,
  tcpFlags: 2,
  bytes: 1518,
  packets: 1,
  samplingRate: 512,
}

describe('an sFlow sample', () => {
  for (const expanded of [false, true]) {
    for (const record of ['raw', 'sampled'] as const) {
      it(`${expanded ? 'expanded, ' : ''}${record}`, () => {
        for (const flow of [tcp, tcp6]) {
          assert.deepEqual(one(flow, { expanded, record }), {
            ...full,
            src: flow.src,
            dst: flow.dst,
            startMs: null,
            endMs: null,
            ...noOrigin,
            ingressInterface: 11,
            egressInterface: 22,
          })
        }
      })
    }
  }

  it('has the interfaces that are known, and no dropped packet, no agent, no number of interfaces for one', () => {
    const interfaces = (ingressInterface: number, egressInterface: number) => {
      const seen = one({ ...tcp, ingressInterface, egressInterface })
      return [seen.ingressInterface, seen.egressInterface]
    }
    assert.deepEqual(interfaces(0, 0x3fff_fffe), [0, 0x3fff_fffe])
    assert.deepEqual(interfaces(0x3fff_ffff, 0x4000_0001), [0, 0])
    assert.deepEqual(interfaces(7, 0x8000_0002), [7, 0])
    const { ingressInterface, egressInterface } = one(
      { ...tcp, ingressInterface: 0x3fff_ffff, egressInterface: 0x4000_0001 },
      { expanded: true },
    )
    assert.deepEqual([ingressInterface, egressInterface], [0, 0x4000_0001])
  })

  it('has the systems that its gateway record names, and the next one has them not', () => {
    const told: Flow = { ...tcp, sourceAs: 4_200_000_001 }
    for (const record of ['raw', 'sampled'] as const) {
      const { records } = decodeAll([...encode(told, { record }), ...encode(tcp, { record })])
      assert.deepEqual(
        records.map(({ sourceAs }) => sourceAs),
        [4_200_000_001, null],
      )
    }
  })

  const shapes: Record<string, [flow: Flow, shape: PacketShape]> = {
    'behind a VLAN tag': [tcp, { vlanTags: [0x8100] }],
    'behind two (802.1ad)': [tcp6, { vlanTags: [0x88a8, 0x8100] }],
    'behind MPLS labels': [tcp, { mplsLabels: 3 }],
    'behind IPv4 options': [tcp, { optionWords: 10 }],
    'behind IPv6 extension headers': [tcp6, { extensions: [0, 43, 60, 51, 44] }],
  }
  for (const [name, [flow, shape]] of Object.entries(shapes)) {
    it(name, () => {
      const { srcPort, dstPort, tcpFlags, ipProto, dst } = one(flow, { shape })
      assert.deepEqual(
        { srcPort, dstPort, tcpFlags, ipProto, dst },
        { srcPort: 1234, dstPort: 80, tcpFlags: 2, ipProto: 6, dst: flow.dst },
      )
    })
  }

  it('of a later fragment has no ports, and is marked', () => {
    for (const flow of [tcp, tcp6]) {
      const marks: number[] = []
      const decoder = new Decoder({ sink: ({ columns }) => marks.push(columns.fragment[0]) })
      const [datagram] = encode(flow, { shape: { fragmentOffset: 185 } })
      decoder.decode(viewOf(datagram), { address: 'a', port: 1, receivedMs: exportedMs })
      decoder.flush()
      assert.deepEqual(marks, [1])
      const { srcPort, dstPort, tcpFlags, ipProto } = one(flow, { shape: { fragmentOffset: 185 } })
      assert.deepEqual([srcPort, dstPort, tcpFlags, ipProto], [null, null, null, 6])
    }
  })

  it('of ICMP has type and code for a port', () => {
    assert.equal(one({ ...tcp, ipProto: 1, dstPort: 0x0303 }).dstPort, 0x0303)
  })

  it('has the time of receipt', () => {
    const times: number[] = []
    const decoder = new Decoder({ sink: ({ columns }) => times.push(columns.startMs[0], columns.endMs[0]) })
    decoder.decode(viewOf(encode(tcp)[0]), { address: 'a', port: 1, receivedMs: 5 })
    decoder.flush()
    assert.deepEqual(times, [5, 5])
  })
})

/** A datagram with an IPv4 agent, from samples of any kind. */
function datagramOf(...samples: [format: number, body: Uint8Array][]): Uint8Array {
  const writer = new Writer().u32(5).u32(1).u32(0xc0000201).u32(0).u32(1).u32(1).u32(samples.length)
  for (const [format, body] of samples) writer.u32(format).u32(body.length).bytes(body)
  return writer.done()
}

/** Format and body of the sample in a datagram with one. */
function sampleOf(flow: Flow): [number, Uint8Array] {
  const [datagram] = encode(flow)
  return [1, datagram.subarray(28 + 8)]
}

describe('what else is in sFlow', () => {
  it('samples of other kinds are skipped by their length', () => {
    const { records, decoder } = decodeAll([
      datagramOf([2, new Uint8Array(100)], sampleOf(tcp), [(77 << 12) | 9, new Uint8Array(8)], sampleOf(tcp6)),
    ])
    assert.deepEqual(
      records.map(({ dst }) => dst),
      [tcp.dst, tcp6.dst],
    )
    assert.equal(decoder.streams.list[0]?.counters.samplesSkipped, 2)
  })

  it('records of other kinds before the header are skipped', () => {
    const [format, body] = sampleOf(tcp)
    const before = new Writer()
      .u32(1001)
      .u32(16)
      .bytes(new Uint8Array(16))
      .u32((4413 << 12) | 1)
      .u32(4)
      .u32(7)
      .done()
    const sample = new Writer().bytes(body.subarray(0, 32)).bytes(before).bytes(body.subarray(32)).setU32(28, 3).done()
    assert.deepEqual(
      decodeAll([datagramOf([format, sample])]).records.map(({ dst }) => dst),
      [tcp.dst],
    )
  })

  it('padding after the records of a sample', () => {
    const [format, body] = sampleOf(tcp)
    const padded = new Writer().bytes(body).u32(0).u32(0).done()
    assert.equal(decodeAll([datagramOf([format, padded], sampleOf(tcp6))]).records.length, 2)
  })

  it('a frame that is no IP gives no record', () => {
    const [format, body] = sampleOf(tcp)
    const arp = body.slice()
    // The type of the Ethernet frame: sample header 32, record header 8, raw header 16, then 12.
    viewOf(arp).setUint16(32 + 8 + 16 + 12, 0x0806)
    const { records, decoder } = decodeAll([datagramOf([format, arp])])
    assert.equal(records.length, 0)
    assert.equal(decoder.streams.list[0]?.counters.samplesSkipped, 1)
  })

  it('extended records after the header, and samples of what was dropped, are skipped', () => {
    const [format, body] = sampleOf(tcp)
    // Extended switch, router, NAT, a tunnel's egress; a number of no format.
    const extended = new Writer()
    for (const record of [1001, 1002, 1007, 1021, 77]) extended.u32(record).u32(12).bytes(new Uint8Array(12).fill(0xff))
    const sample = new Writer().bytes(body).bytes(extended.done()).setU32(28, 6).done()
    const { records, decoder } = decodeAll([datagramOf([5, body], [format, sample], [format, body])])
    assert.equal(records.length, 2)
    assert.equal(decoder.streams.list[0]?.counters.samplesSkipped, 1)
  })

  it('a packet inside another, by choice', () => {
    const shape = { payload: encodeIp(fullFlow(tcp6, exportedMs)) }
    const datagrams = encode({ ...tcp, ipProto: 41 }, { shape })
    assert.equal(decodeAll(datagrams).records[0].dst, tcp.dst)
    const [record] = decodeAll(datagrams, { tunnels: 'inner' }).records
    assert.deepEqual([record.dst, record.dstPort, record.bytes], [tcp6.dst, 80, 1518])
  })

  it('samples for addresses that nobody watches are counted, and few of them read', () => {
    const others = { ...tcp, dst: '203.0.113.2' }
    const datagrams = Array.from({ length: 64 }, () => encode(others)[0])
    const wanted = { choose: choosing((address) => address === parseIpv4(tcp.dst)) }
    const counted = ({ decoder }: ReturnType<typeof decodeAll>) => {
      const { records = 0, recordsPassed = 0 } = decoder.streams.list[0]?.counters ?? {}
      return { records, recordsPassed }
    }
    const passed = decodeAll(datagrams.slice(0, 32), wanted)
    decodeAll(datagrams.slice(32), { ...wanted, into: passed, receivedMs: exportedMs + 1_000 })
    assert.deepEqual(counted(passed), { records: 64, recordsPassed: 62 })
    assert.deepEqual(passed.records, decodeAll(datagrams.slice(0, 2)).records, 'those of one datagram in 32')
    assert.equal(decodeAll(encode(tcp), { ...wanted, into: passed }).records.at(-1)?.dst, tcp.dst)
    // Which address counts is not known before all of it is read.
    assert.equal(decodeAll(datagrams, { ...wanted, tunnels: 'inner' }).records.length, 64)
    const ofIpv6 = Array.from({ length: 3 }, () => encode(tcp6)[0])
    assert.equal(decodeAll(ofIpv6, wanted).records.length, 3)
  })

  it('headers of PPP, of PPP on SONET, of IP itself, and of MPLS', () => {
    const [format, body] = sampleOf(tcp)
    const headerAt = 32 + 8 + 16
    // In place of an Ethernet header, of fourteen octets.
    for (const [protocol, head] of [
      [7, [0x00, 0x21]],
      [14, [0xff, 0x03, 0x00, 0x21]],
      [11, []],
      [12, []],
      [13, [0, 1, 0, 64, 0, 2, 1, 64]],
    ] as const) {
      const ip = body.subarray(headerAt + 14)
      const header = Uint8Array.of(...head, ...ip)
      const sample = new Writer().bytes(body.subarray(0, 36)).u32(16 + header.length)
      sample.u32(protocol).u32(1518).u32(4).u32(header.length).bytes(header).pad(4)
      const [record] = decodeAll([datagramOf([format, sample.done()])]).records
      assert.deepEqual([record.dst, record.dstPort, record.bytes], [tcp.dst, tcp.dstPort, 1518])
    }
    const unknown = body.slice()
    // 802.11, a frame of another kind.
    viewOf(unknown).setUint32(32 + 8, 15)
    assert.equal(decodeAll([datagramOf([format, unknown])]).records.length, 0)
  })

  it('an agent without an address', () => {
    const datagram = datagramOf(sampleOf(tcp))
    const nameless = Uint8Array.of(...datagram.subarray(0, 4), 0, 0, 0, 0, ...datagram.subarray(12))
    assert.equal(decodeAll([nameless]).records.length, 1)
  })

  it('an IPv6 agent, sub-agents', () => {
    const { records, decoder } = decodeAll(encode(tcp, { agent: '2001:db8::9', subAgent: 3 }))
    assert.equal(records.length, 1)
    assert.equal(decoder.streams.list[0]?.domain, 3)
  })

  it('a datagram cut anywhere gives the samples that are whole', () => {
    const datagram = datagramOf(sampleOf(tcp), sampleOf(tcp6))
    for (let length = 0; length < datagram.length; length++) {
      const { records, decoder } = decodeAll([datagram.subarray(0, length)])
      assert.equal(decoder.counters.failures, 0)
      assert.ok(records.every(({ dst }) => dst === tcp.dst || dst === tcp6.dst))
    }
  })
})

import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { fuzzMs, poisoned } from '../../../test/fuzz/bytes.ts'
import { exportedMs, viewOf } from '../../../test/helpers/decoded.ts'
import { type Flow, fullFlow } from '../../../test/helpers/encode/flow.ts'
import { encodeIp, encodePacket, type PacketShape } from '../../../test/helpers/encode/packet.ts'
import {
  etherIp,
  geneve,
  gre,
  gtpU,
  ipInIp,
  type Tunnel,
  vxlan,
  vxlanGpe,
} from '../../../test/helpers/encode/tunnels.ts'
import { fuzz } from '../../../test/helpers/fuzz.ts'
import { createBatch } from '../../flow/batch.ts'
import { type FlowRecord, recordAt } from '../../flow/record.ts'
import { ipInEthernet, ipInMpls, ipInPpp } from './link-layer.ts'
import { PacketReader, type TunnelSide } from './packet-header.ts'

const inner4: Flow = { src: '10.0.0.1', dst: '10.0.0.2', ipProto: 6, srcPort: 1234, dstPort: 80, tcpFlags: 2 }
const inner6: Flow = { src: '2001:db8::1', dst: '2001:db8::2', ipProto: 17, srcPort: 53, dstPort: 4321 }
const outer4: Flow = { src: '198.51.100.1', dst: '203.0.113.1' }
const outer6: Flow = { src: '2001:db8:ffff::1', dst: '2001:db8:ffff::2' }

const ipOf = (flow: Flow, shape?: PacketShape) => encodeIp(fullFlow(flow, exportedMs), shape)
const frameOf = (flow: Flow, shape?: PacketShape) => encodePacket(fullFlow(flow, exportedMs), shape)
const carry = (outer: Flow, { ipProto, payload }: Tunnel, shape: PacketShape = {}) =>
  frameOf({ ...outer, ipProto }, { ...shape, payload })

function read(frame: DataView, side: TunnelSide, link = ipInEthernet): FlowRecord | null {
  const batch = createBatch(1)
  const there = new PacketReader(batch.columns, side).read(frame, link(frame, 0, frame.byteLength), frame.byteLength, 0)
  return there ? recordAt(batch, 0) : null
}

const said = (record: FlowRecord | null) =>
  record && [record.src, record.dst, record.ipProto, record.srcPort, record.dstPort, record.tcpFlags]
const told4 = ['10.0.0.1', '10.0.0.2', 6, 1234, 80, 2]
const told6 = ['2001:db8::1', '2001:db8::2', 17, 53, 4321, null]

const everyGre = [0, 1, 2, 3, 4, 5, 6, 7].map((bits) => ({
  checksum: (bits & 1) !== 0,
  key: (bits & 2) !== 0,
  sequence: (bits & 4) !== 0,
}))
const label = Uint8Array.of(0, 1, 0, 64, 0, 2, 1, 64)
const labelled = (packet: Uint8Array) => Uint8Array.of(...label, ...packet)

const tunnels: Record<string, Tunnel[]> = {
  'IP in IP': [ipInIp(ipOf(inner4)), ipInIp(ipOf(inner6))],
  'GRE, whatever is flagged': everyGre.flatMap((options) => [
    gre(ipOf(inner4), 'ip4', options),
    gre(ipOf(inner6), 'ip6', options),
  ]),
  'GRE of Ethernet frames': everyGre.map((options) =>
    gre(frameOf(inner4, { vlanTags: [0x8100] }), 'ethernet', options),
  ),
  'GRE of MPLS': [gre(labelled(ipOf(inner4)), 'mpls')],
  'MPLS in IP': [{ ipProto: 137, payload: labelled(ipOf(inner6)) }],
  EtherIP: [etherIp(frameOf(inner4))],
  VXLAN: [
    vxlan(frameOf(inner4)),
    vxlan(frameOf(inner6, { vlanTags: [0x8100] })),
    vxlan(frameOf(inner4), { port: 8472 }),
  ],
  'VXLAN-GPE': [vxlanGpe(ipOf(inner4), 1), vxlanGpe(ipOf(inner6), 2), vxlanGpe(frameOf(inner4), 3)],
  Geneve: [geneve(frameOf(inner4), 'ethernet'), geneve(ipOf(inner4), 'ip4', 3), geneve(ipOf(inner6), 'ip6', 63)],
  'GTP-U': [
    gtpU(ipOf(inner4)),
    gtpU(ipOf(inner6), [], { sequence: true }),
    gtpU(ipOf(inner4), [1]),
    gtpU(ipOf(inner6), [2, 1]),
  ],
  'tunnels in tunnels': [
    vxlan(carry(outer4, gre(ipOf(inner4), 'ip4', { key: true }))),
    ipInIp(ipOf({ ...outer6, ipProto: 4 }, { payload: ipOf(inner4) })),
  ],
}

describe('a packet that carries another', () => {
  for (const [name, list] of Object.entries(tunnels)) {
    it(`${name}: the outer one, or the inner one`, () => {
      for (const tunnel of list) {
        for (const outer of [outer4, outer6]) {
          const frame = viewOf(carry(outer, tunnel))
          const { src, dst, ipProto, bytes } = read(frame, 'outer') ?? {}
          assert.deepEqual([src, dst, ipProto], [outer.src, outer.dst, tunnel.ipProto])
          const inside = read(frame, 'inner')
          assert.deepEqual(said(inside), inside?.src?.includes(':') ? told6 : told4)
          assert.equal(inside?.bytes, bytes, 'the length is that of what the wire carried')
        }
      }
    })
  }

  it('leaves nothing of the outer packet that the inner one has not', () => {
    const fragment = ipOf(inner4, { fragmentOffset: 185 })
    const batch = createBatch(1)
    const frame = viewOf(carry(outer4, vxlanGpe(fragment, 1)))
    new PacketReader(batch.columns, 'inner').read(frame, ipInEthernet(frame, 0, frame.byteLength), frame.byteLength, 0)
    assert.deepEqual(said(recordAt(batch, 0)), ['10.0.0.1', '10.0.0.2', 6, null, null, null])
    assert.equal(batch.columns.fragment[0], 1)
    const overIp6 = read(viewOf(carry(outer6, ipInIp(ipOf(inner4)))), 'inner')
    assert.deepEqual(said(overIp6), told4)
  })

  const kept: Record<string, [Tunnel, PacketShape?]> = {
    'in a later fragment of the outer one': [ipInIp(ipOf(inner4)), { fragmentOffset: 185 }],
    'behind GRE with a route': [gre(ipOf(inner4), 'ip4', { routing: true })],
    'behind GRE of PPTP': [gre(ipOf(inner4), 'ip4', { version: 1 })],
    'behind VXLAN without a network': [vxlan(frameOf(inner4), { flags: 0 })],
    'behind a message of GTP that is no packet': [gtpU(ipOf(inner4), [], { type: 1 })],
    'behind an extension of GTP without length': [gtpU(ipOf(inner4), [0])],
    'that is no IP': [gre(new Uint8Array(40), 'ip4')],
    'cut off in its header': [gre(ipOf(inner4).subarray(0, 19), 'ip4')],
    'cut off in its header, IPv6': [ipInIp(ipOf(inner6).subarray(0, 39))],
  }
  for (const [name, [tunnel, shape]] of Object.entries(kept)) {
    it(`${name} is not opened`, () => {
      const record = read(viewOf(carry(outer4, tunnel, shape)), 'inner')
      assert.deepEqual([record?.src, record?.dst, record?.ipProto], [outer4.src, outer4.dst, tunnel.ipProto])
    })
  }

  it('and so on for ever ends', () => {
    let packet = ipOf(inner4)
    for (let depth = 0; depth < 40; depth++) packet = ipOf({ ...outer4, ipProto: 4 }, { payload: packet })
    const record = read(viewOf(packet), 'inner', (_, at) => at)
    assert.deepEqual([record?.src, record?.ipProto], [outer4.src, 4])
  })
})

describe('frames', () => {
  it('of PPP, with and without its framing; of PPPoE; of MPLS', () => {
    const ip = ipOf(inner4)
    const ppp = Uint8Array.of(0x00, 0x21, ...ip)
    assert.deepEqual(said(read(viewOf(ppp), 'outer', ipInPpp)), told4)
    assert.deepEqual(said(read(viewOf(Uint8Array.of(0xff, 0x03, ...ppp)), 'outer', ipInPpp)), told4)
    assert.deepEqual(said(read(viewOf(Uint8Array.of(0x02, 0x81, ...labelled(ip))), 'outer', ipInPpp)), told4)
    assert.deepEqual(said(read(viewOf(Uint8Array.of(0x00, 0x57, ...ipOf(inner6))), 'outer', ipInPpp)), told6)
    assert.equal(read(viewOf(Uint8Array.of(0xc0, 0x21, ...ip)), 'outer', ipInPpp), null)
    assert.deepEqual(said(read(viewOf(labelled(ip)), 'outer', ipInMpls)), told4)
    const frame = frameOf(inner4)
    const pppoe = Uint8Array.of(...frame.subarray(0, 12), 0x88, 0x64, 0x11, 0, 0, 1, 0, 42, ...ppp)
    assert.deepEqual(said(read(viewOf(pppoe), 'outer')), told4)
    const llc = Uint8Array.of(...frame.subarray(0, 12), 0, 80, 0xaa, 0xaa, 3, 0, 0, 0, ...frame.subarray(12))
    assert.deepEqual(said(read(viewOf(llc), 'outer')), told4)
  })
})

describe('the walk through the headers', () => {
  const seeds = [
    ...Object.values(tunnels).flatMap((list) =>
      list.flatMap((tunnel) => [carry(outer4, tunnel), carry(outer6, tunnel)]),
    ),
    frameOf(inner4, { vlanTags: [0x88a8, 0x8100], mplsLabels: 3, optionWords: 10 }),
    frameOf(inner6, { extensions: [0, 43, 60, 51, 44] }),
    frameOf({ ...inner6, ipProto: 58 }, { vlanTags: [0x9100] }),
  ]
  const sides = ['outer', 'inner'] as const
  const links = [ipInEthernet, ipInMpls, ipInPpp, (_: DataView, at: number) => at]

  /** Twice, amid different poison: who reads beyond the end, tells them apart. */
  function same(bytes: Uint8Array): void {
    for (const side of sides) {
      for (const link of links) {
        assert.deepEqual(read(poisoned(bytes, 0xff), side, link), read(poisoned(bytes, 0x00), side, link))
        // The end of what was captured lies within the datagram: what follows is another sample.
        const longer = viewOf(Uint8Array.of(...bytes, ...new Uint8Array(64).fill(0x45)))
        const batch = createBatch(1)
        const at = link(longer, 0, bytes.length)
        const there = new PacketReader(batch.columns, side).read(longer, at, bytes.length, 0)
        assert.deepEqual(there ? recordAt(batch, 0) : null, read(poisoned(bytes, 0x00), side, link))
      }
    }
  }

  it('stays within the packet, however it is cut', () => {
    for (const seed of seeds.slice(0, 12))
      for (let length = 0; length <= seed.length; length++) same(seed.subarray(0, length))
  })

  it('stays within the packet, whatever it says', () => {
    const change = fc.record({ seed: fc.nat(seeds.length - 1), at: fc.nat(120), to: fc.nat(255), length: fc.nat(160) })
    const property = fc.property(fc.array(change, { minLength: 1, maxLength: 4 }), (changes) => {
      const bytes = seeds[changes[0].seed].slice(0, changes[0].length)
      for (const { at, to } of changes) if (at < bytes.length) bytes[at] = to
      same(bytes)
    })
    fuzz(property, fuzzMs() / 2)
  })
})

// Attacks of many kinds, to be recorded as events: what came to the victim before, during and after each.
import { ACK, FIN, PSH, RST, SYN, URG } from '../../../src/net/tcp-flags.ts'
import { type Traffic, tcp, udpFrom, victim } from '../detection.ts'
import type { FlowRow } from '../flow-rows.ts'

export interface Scenario {
  name: string
  attack: readonly Traffic[]
  /** What the victim gets anyway. */
  usual?: readonly Traffic[]
  /** Seconds of ordinary traffic before the attack; in 600 it is learnt what is normal. */
  before?: number
  /** Seconds. */
  lasting?: number
  /** Seconds after it; 0: it goes on. */
  after?: number
  site?: string
  domain?: string
  view?: 'totals'
  isTest?: true
}

/** Visitors of a web server. */
const visitors = (recordsPerSecond: number, host = 0): Traffic => ({
  recordsPerSecond,
  sources: 300,
  row: { ...tcp(SYN | ACK | PSH | FIN, 9_000), packets: 12, dstAddr: victim + host },
})
const flood = (recordsPerSecond: number, row: Partial<FlowRow>, more: Partial<Traffic> = {}): Traffic => ({
  recordsPerSecond,
  row,
  ...more,
})
const times = (packets: number, row: Partial<FlowRow>) => ({ ...row, packets, bytes: (row.bytes ?? 60) * packets })
const reflected = (port: number, bytes: number) => flood(250, times(20, udpFrom(port, bytes)), { sources: 180 })
const protocol = (ipProto: number, bytes = 700) => ({ ipProto, tcpFlags: 0, srcPort: 0, dstPort: 0, bytes })
const fragments = (ipProto: number) => ({ ...protocol(ipProto, 1_400), fragment: 1 })
const carpet = (hosts: number, one: (host: number) => Traffic): Traffic[] =>
  Array.from({ length: hosts }, (_, host) => {
    const traffic = one(host)
    return { ...traffic, row: { ...traffic.row, dstAddr: victim + host } }
  })
const randomPorts = { sourcePorts: 65_536, ports: 60_000 }
const answers = (recordsPerSecond: number): Traffic => ({ recordsPerSecond, sources: 500, row: udpFrom(53, 500) })
const usual = [visitors(3)]
const known = { usual, before: 600, after: 60 }
const network = { site: '192.0.2.0/24', domain: '' }

export const scenarios: readonly Scenario[] = [
  { name: 'NTP amplification', ...known, attack: [reflected(123, 468)] },
  { name: 'DNS amplification with fragments', ...known, attack: [reflected(53, 1_300), flood(200, fragments(17))] },
  { name: 'SSDP amplification', ...known, attack: [reflected(1_900, 350)] },
  { name: 'CLDAP amplification', ...known, attack: [reflected(389, 1_400)], after: 0 },
  { name: 'memcached amplification', ...known, attack: [reflected(11_211, 1_400)] },
  { name: 'chargen amplification, nothing learnt', attack: [reflected(19, 500)], usual, before: 20, after: 60 },
  {
    name: 'SNMP amplification to one port',
    ...known,
    attack: [flood(200, times(10, { ...udpFrom(161, 900), dstPort: 80 }))],
  },
  { name: 'SYN flood', ...known, attack: [flood(900, tcp(SYN))] },
  { name: 'SYN flood, nothing learnt', attack: [flood(900, tcp(SYN))], before: 0 },
  {
    name: 'SYN flood, small beside what is usual',
    usual: [visitors(60)],
    before: 600,
    attack: [flood(1_500, tcp(SYN))],
    after: 60,
  },
  { name: 'SYN flood from one source port', ...known, attack: [flood(900, { ...tcp(SYN), srcPort: 6_000 })] },
  { name: 'SYN-ACK flood', ...known, attack: [flood(600, { ...tcp(SYN | ACK), srcPort: 443 })] },
  { name: 'RST flood', ...known, attack: [flood(500, tcp(RST | ACK))] },
  { name: 'ACK flood', ...known, attack: [flood(400, times(20, tcp(ACK)), { sourcePorts: 65_536 })] },
  { name: 'FIN flood', ...known, attack: [flood(300, tcp(FIN))] },
  { name: 'Christmas tree flood', ...known, attack: [flood(300, tcp(FIN | PSH | URG))] },
  { name: 'TCP packets without flags', ...known, attack: [flood(300, tcp(0))] },
  { name: 'SYN-FIN flood', ...known, attack: [flood(300, tcp(SYN | FIN))] },
  { name: 'connections', ...known, attack: [flood(400, times(6, { ...tcp(SYN | ACK | PSH | FIN, 90) }))] },
  {
    name: 'slow connections',
    attack: [flood(6, times(6, tcp(SYN | ACK | PSH, 90)), { sources: 1 })],
    lasting: 90,
  },
  {
    name: 'UDP flood from random ports',
    ...known,
    attack: [flood(1_200, times(5, udpFrom(0, 400)), { ...randomPorts, ports: 1 })],
  },
  {
    name: 'UDP flood from random ports to random ports',
    ...known,
    attack: [flood(1_200, times(5, udpFrom(0, 400)), randomPorts)],
  },
  {
    name: 'UDP flood from one port',
    ...known,
    attack: [flood(600, times(5, udpFrom(40_000, 1_000)), { ports: 5_000 })],
  },
  {
    name: 'UDP flood to a game',
    ...known,
    attack: [flood(600, times(5, { ...udpFrom(0, 120), dstPort: 27_015 }), { sourcePorts: 65_536 })],
    after: 0,
  },
  { name: 'QUIC', ...known, attack: [flood(400, times(20, udpFrom(443, 300)))] },
  { name: 'ICMP flood', ...known, attack: [flood(500, { ...protocol(1, 84), dstPort: 2_048 })] },
  { name: 'GRE flood', ...known, attack: [flood(400, times(10, protocol(47)))] },
  { name: 'ESP flood', ...known, attack: [flood(400, times(10, protocol(50)))] },
  { name: 'UDP fragments', ...known, attack: [flood(700, fragments(17))] },
  {
    name: 'multi-vector: NTP, SYN, ICMP',
    ...known,
    attack: [reflected(123, 468), flood(700, tcp(SYN)), flood(300, { ...protocol(1, 84), dstPort: 2_048 })],
  },
  { name: 'multi-vector: two amplifiers', ...known, attack: [reflected(389, 1_400), reflected(1_900, 350)] },
  {
    name: 'unknown kind: more of what is usual',
    ...known,
    usual: [answers(200)],
    attack: [answers(1_800)],
  },
  {
    name: 'unknown kind: one transfer',
    attack: [flood(10, times(4_000, tcp(ACK | PSH, 1_400)), { sources: 1 })],
    before: 0,
  },
  {
    name: 'carpet: UDP to 25 addresses, one of them hit less',
    ...known,
    ...network,
    attack: carpet(25, (host) => flood(host === 7 ? 20 : 60, times(20, udpFrom(0, 300)), randomPorts)),
  },
  {
    name: 'carpet: NTP to 60 addresses',
    ...known,
    ...network,
    attack: carpet(60, () => flood(15, times(10, udpFrom(123, 468)))),
    after: 0,
  },
  {
    name: 'carpet: SYN to a /24, thinly',
    ...known,
    ...network,
    attack: carpet(120, () => flood(8, tcp(SYN))),
  },
  {
    name: 'carpet, seen by the owner of one address',
    ...known,
    site: '192.0.2.10',
    attack: carpet(25, () => flood(50, times(20, udpFrom(0, 300)), randomPorts)),
  },
  {
    name: 'who may not know the sources',
    ...known,
    domain: 'www.example.com',
    site: 'www.example.com',
    view: 'totals',
    attack: [reflected(123, 468)],
  },
  {
    name: 'a name of a wildcard',
    ...known,
    domain: 'shop.example.com',
    site: '*.example.com',
    attack: [reflected(389, 1_400)],
  },
  { name: 'simulated', ...known, isTest: true, attack: [reflected(123, 468)], after: 0 },
]

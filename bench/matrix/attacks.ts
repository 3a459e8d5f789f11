// THE attacks of the matrix, a row each: what is sent in a second, and the labels that are right. Rates are those of the whole attack.

import { ICMP, TCP, UDP } from '../../src/net/protocols.ts'
import { ACK, FIN, PSH, RST, SYN, URG } from '../../src/net/tcp-flags.ts'
import { amplificationServices } from '../../src/vectors/services.ts'
import type { HostName } from './hosts.ts'
import { ephemeral, host, type Part, type Sender } from './sender.ts'

/** Where the packets come from. */
export interface Sources {
  /** The address that the next packet comes from. */
  next: (sender: Sender) => number
  /** How many there are; infinite: made up, or all over the Internet. */
  count: number
}

export interface Attack {
  name: string
  labels: readonly string[]
  /** Hosts in place of a busy web server that it is sent to as well. */
  busy?: HostName
  /** Sources can't be made up: answers of reflectors, whole connections. */
  real?: true
  /** In place of 300 sources, and of sources without end. */
  few?: number
  many?: number
  /** From made-up sources, or with the signature of reflectors, it must be found at 500 packets/s as well. */
  plain?: true
  /** It goes to many addresses: the n-th of 256 each. */
  carpet?: true
  /** `second`: since its beginning. */
  send: (sender: Sender, packetsPerSecond: number, sources: Sources, second: number) => void
}

const anyPort = ({ random }: Sender) => 1_024 + random(64_000)

/** Single packets, each a flow of its own. */
const packets =
  (protocol: number, flags: number, bytes: number, dstPort: number | null, srcPort: number | null = null) =>
  (sender: Sender, perSecond: number, sources: Sources): void => {
    for (let seen = sender.seenOf(perSecond); seen > 0; seen--) {
      const from = srcPort ?? anyPort(sender)
      sender.one(sources.next(sender), from, dstPort ?? anyPort(sender), protocol, flags, bytes)
    }
  }

/** Packets without ports, as flows of each source. */
const portless =
  (protocol: number, bytes: number, dstPort = 0) =>
  (sender: Sender, perSecond: number, sources: Sources): void =>
    sendStreams(sender, perSecond, sources, { protocol, flags: 0, bytes, srcPort: 0, dstPort })

interface Stream {
  protocol: number
  flags: number
  bytes: number
  srcPort: number
  dstPort: number
}

/** Packets of one flow for each source; of sources without end, single packets. */
function sendStreams(sender: Sender, perSecond: number, sources: Sources, stream: Stream): void {
  const { protocol, flags, bytes, srcPort, dstPort } = stream
  if (sources.count > perSecond) {
    for (let seen = sender.seenOf(perSecond); seen > 0; seen--)
      sender.one(sources.next(sender), srcPort, dstPort, protocol, flags, bytes)
    return
  }
  for (let n = 0; n < sources.count; n++)
    sender.stream(sources.next(sender), srcPort, dstPort, protocol, flags, perSecond / sources.count, bytes)
}

const reflected =
  (srcPort: number, bytes: number, dstPort = 40_123) =>
  (sender: Sender, perSecond: number, sources: Sources): void =>
    sendStreams(sender, perSecond, sources, { protocol: UDP, flags: 0, bytes, srcPort, dstPort })

/** Long answers: a packet with ports in each, the others are fragments without. */
const reflectedInFragments =
  (srcPort: number, fragments: number) =>
  (sender: Sender, perSecond: number, sources: Sources): void => {
    const each = perSecond / fragments
    sendStreams(sender, each, sources, { protocol: UDP, flags: 0, bytes: 1_500, srcPort, dstPort: 40_123 })
    sendFragments(sender, perSecond - each, sources)
  }

function sendFragments(sender: Sender, perSecond: number, sources: Sources): void {
  for (let seen = sender.seenOf(perSecond); seen > 0; seen--)
    sender.one(sources.next(sender), 0, 0, UDP, 0, 1_300 + sender.random(200), 1)
}

/** Datagrams of three fragments, the first with ports. */
function fragmentedUdp(sender: Sender, perSecond: number, sources: Sources): void {
  packets(UDP, 0, 1_500, null)(sender, perSecond / 3, sources)
  sendFragments(sender, (perSecond * 2) / 3, sources)
}

/** Connections of these packets. */
const connections =
  (dstPort: number, ...parts: readonly Part[]) =>
  (sender: Sender, perSecond: number, sources: Sources): void => {
    for (let left = sender.whole(perSecond / parts.length); left > 0; left--)
      sender.connection(sources.next(sender), ephemeral(sender.random), dstPort, parts)
  }

/** Requests over as many connections, or one of each source. They stay open from the first second on. */
const requests =
  (bytes: number, connections: number) =>
  (sender: Sender, perSecond: number, sources: Sources, second: number): void => {
    const connectionsEach = Math.ceil(connections / sources.count)
    const each = perSecond / sources.count / connectionsEach
    for (let n = 0; n < sources.count; n++) {
      const source = sources.next(sender)
      for (let i = 0; i < connectionsEach; i++) {
        const port = 33_000 + ((n * 977 + i * 571) % 27_000)
        if (second === 0)
          sender.connection(source, port, 443, [
            [SYN, 60],
            [ACK, 52],
            [ACK | PSH, bytes],
          ])
        else sender.stream(source, port, 443, TCP, ACK | PSH, each, bytes)
      }
    }
  }

/** Answers of web servers and middleboxes that nobody asked for: half of them blocking pages, half resets. */
function middleboxes(sender: Sender, perSecond: number, sources: Sources): void {
  const dstPort = 40_123
  sendStreams(sender, perSecond / 2, sources, { protocol: TCP, flags: ACK | PSH, bytes: 1_100, srcPort: 80, dstPort })
  sendStreams(sender, perSecond / 2, sources, { protocol: TCP, flags: ACK | RST, bytes: 1_100, srcPort: 80, dstPort })
}

const amp = (name: string) => `udp@attack@amp_flood_target-${name}`
const udpFlood = 'udp@attack@simple_flood_target'
const tcpAttack = (kind: string) => `tcp@attack@${kind}_flood_target`
const httpLabels = [tcpAttack('conn')]

/** Answers are as long as the middle of what is usual for the service. */
const services: Attack[] = amplificationServices
  .filter(({ name, port }) => name !== 'DNS' && port !== 4500)
  .map(({ port, name, packetBytes: [least, most] }) => ({
    name: `${name} reflection`,
    labels: [amp(name)],
    real: true,
    plain: true,
    send: reflected(port, Math.round(least + (most - least) * 0.4)),
  }))

const tcpAttacks: Attack[] = [
  { name: 'SYN', labels: [tcpAttack('syn')], plain: true, send: packets(TCP, SYN, 60, 443) },
  { name: 'SYN with payload', labels: [tcpAttack('syn')], plain: true, send: packets(TCP, SYN, 900, 80) },
  {
    name: 'SYN+ACK reflection',
    labels: [tcpAttack('synack')],
    real: true,
    plain: true,
    send: packets(TCP, SYN | ACK, 44, null, 443),
  },
  { name: 'ACK', labels: [tcpAttack('ack')], plain: true, send: packets(TCP, ACK, 40, 443) },
  { name: 'ACK, long', labels: [tcpAttack('ack')], plain: true, send: packets(TCP, ACK, 1_000, 443) },
  { name: 'PSH+ACK', labels: [tcpAttack('ack')], plain: true, send: packets(TCP, PSH | ACK, 900, 443) },
  { name: 'PSH+ACK, short', labels: [tcpAttack('ack')], plain: true, send: packets(TCP, PSH | ACK, 120, 80) },
  {
    name: 'FIN+ACK',
    labels: [tcpAttack('ack'), tcpAttack('fin')],
    plain: true,
    send: packets(TCP, FIN | ACK, 40, 443),
  },
  { name: 'RST', labels: [tcpAttack('rst')], plain: true, send: packets(TCP, RST, 40, 443) },
  { name: 'RST+ACK', labels: [tcpAttack('rst')], plain: true, send: packets(TCP, RST | ACK, 40, 443) },
  { name: 'FIN', labels: [tcpAttack('fin')], plain: true, send: packets(TCP, FIN, 40, 443) },
  { name: 'SYN+FIN', labels: [tcpAttack('synfin')], plain: true, send: packets(TCP, SYN | FIN, 40, 443) },
  { name: 'XMAS', labels: [tcpAttack('xmas')], plain: true, send: packets(TCP, FIN | PSH | URG, 40, 443) },
  { name: 'null', labels: [tcpAttack('null')], plain: true, send: packets(TCP, 0, 40, 443) },
  { name: 'URG', labels: [tcpAttack('simple')], plain: true, send: packets(TCP, URG, 40, 443) },
  {
    name: 'TCP middleboxes',
    labels: ['tcp@attack@amp_flood_target-MIDDLEBOX'],
    real: true,
    plain: true,
    send: middleboxes,
  },
  {
    name: 'whole connections',
    labels: httpLabels,
    real: true,
    send: connections(443, [SYN, 60], [ACK, 52], [ACK | PSH, 300], [ACK, 52], [ACK | FIN, 52]),
  },
  {
    name: 'HTTP requests',
    labels: httpLabels,
    real: true,
    few: 20,
    send: connections(
      80,
      [SYN, 60],
      [ACK, 52],
      [ACK | PSH, 420],
      [ACK, 52],
      [ACK, 52],
      [ACK, 52],
      [ACK | FIN, 52],
      [ACK, 52],
    ),
  },
  { name: 'HTTP, kept open', labels: httpLabels, real: true, few: 20, many: 2_000, send: requests(420, 400) },
  { name: 'HTTP/2, kept open', labels: httpLabels, real: true, few: 20, many: 2_000, send: requests(110, 40) },
]

const udpAttacks: Attack[] = [
  { name: 'UDP, all ports', labels: [udpFlood], plain: true, send: packets(UDP, 0, 512, null) },
  { name: 'UDP, one port', labels: [udpFlood], plain: true, send: packets(UDP, 0, 1_400, 80) },
  { name: 'UDP, short', labels: [udpFlood], plain: true, send: packets(UDP, 0, 40, 9_987) },
  { name: 'UDP to a game', labels: [udpFlood], busy: 'game', plain: true, send: packets(UDP, 0, 60, 27_015) },
  { name: 'DNS queries', labels: [udpFlood], busy: 'resolver', plain: true, send: packets(UDP, 0, 70, 53) },
  { name: 'QUIC, initial', labels: [udpFlood], plain: true, send: packets(UDP, 0, 1_228, 443) },
  { name: 'UDP fragments', labels: ['udp@attack@frag_flood_target'], plain: true, send: sendFragments },
  { name: 'UDP in fragments', labels: ['udp@attack@frag_flood_target'], plain: true, send: fragmentedUdp },
  { name: 'DTLS reflection', labels: [amp('QUIC'), amp('DTLS')], real: true, plain: true, send: reflected(443, 260) },
  {
    name: 'DNS reflection',
    labels: [amp('DNS')],
    busy: 'resolver',
    real: true,
    plain: true,
    send: reflected(53, 1_200),
  },
  {
    name: 'DNS in fragments',
    labels: [amp('DNS')],
    busy: 'resolver',
    real: true,
    plain: true,
    send: reflectedInFragments(53, 3),
  },
  { name: 'CLDAP in fragments', labels: [amp('CLDAP')], real: true, plain: true, send: reflectedInFragments(389, 2) },
  ...services,
]

const otherAttacks: Attack[] = [
  { name: 'ICMP echo', labels: ['icmp@attack@simple_flood_target'], plain: true, send: portless(ICMP, 84, 2_048) },
  { name: 'ICMP unreachable', labels: ['icmp@attack@simple_flood_target'], plain: true, send: portless(ICMP, 56, 771) },
  { name: 'GRE', labels: ['ip@attack@proto_flood_target-GRE'], plain: true, send: portless(47, 540) },
  { name: 'ESP', labels: ['ip@attack@proto_flood_target-ESP'], plain: true, send: portless(50, 300) },
  { name: 'protocol 253', labels: ['ip@attack@proto_flood_target-253'], plain: true, send: portless(253, 512) },
]

const carpets: Attack[] = [
  { name: 'carpet, SYN', labels: [tcpAttack('syn')], plain: true, carpet: true, send: packets(TCP, SYN, 60, 443) },
  {
    name: 'carpet, PSH+ACK',
    labels: [tcpAttack('ack')],
    plain: true,
    carpet: true,
    send: packets(TCP, PSH | ACK, 900, 443),
  },
  { name: 'carpet, UDP', labels: [udpFlood], plain: true, carpet: true, send: packets(UDP, 0, 512, null) },
  {
    name: 'carpet, DNS reflection',
    labels: [amp('DNS')],
    real: true,
    plain: true,
    carpet: true,
    send: packets(UDP, 0, 1_200, null, 53),
  },
  {
    name: 'carpet, NTP reflection',
    labels: [amp('NTP')],
    real: true,
    plain: true,
    carpet: true,
    send: packets(UDP, 0, 468, null, 123),
  },
]

export const attacks: readonly Attack[] = [...tcpAttacks, ...udpAttacks, ...otherAttacks, ...carpets]

/** Made up at random. */
export const madeUp: Sources = {
  next: ({ random }) => random(2 ** 32),
  count: Number.POSITIVE_INFINITY,
}

/** All over the Internet, and real. */
export const everywhere: Sources = {
  next: ({ random }) => host(7, random(2 ** 30)),
  count: Number.POSITIVE_INFINITY,
}

export function fewSources(count: number): Sources {
  let n = 0
  return { next: () => host(9, n++ % count), count }
}

// The table of attack vectors: the label of each, the packets that belong to it, and what makes such packets an attack. A packet belongs to one row:
// fragments first, then the source port (UDP) or the flags (TCP), then the protocol.
import { ICMP, protocolName, TCP, UDP } from '../net/protocols.ts'
import { ACK, FIN, PSH, RST, SYN, URG } from '../net/tcp-flags.ts'
import { type AmplificationService, amplificationServices } from './services.ts'

export interface Match {
  protocol: number
  /** Source port; for TCP of packets with `answerFlags` only. */
  srcPort?: number
  /** Packets with the same port at both ends do not match. */
  notPeers?: true
  /** TCP flags that must be set, and those that must not. */
  flagsSet?: number
  flagsClear?: number
  /** Fragments after the first, or ports 0 and 0. */
  fragment?: true
}

export interface Raise {
  /** Floor of traffic with the whole signature. */
  packetsPerSecond: number
  /** The same while normal is not learnt. */
  unlearntPacketsPerSecond: number
  /** Floor of traffic without the whole signature: few sources, or unusual packet lengths. */
  partialPacketsPerSecond: number
  /** Least multiple of the target's normal. */
  ratio: number
  /** Shortest window over which the rate must hold. */
  seconds: number
}

/** What the traffic of an attack looks like beside its packets; with both it has the whole signature. */
export interface Signature {
  sourcesMin: number
  /** Mean IP packet length, octets. */
  packetBytes: readonly [min: number, max: number]
}

/**
 * Which part of its connection a TCP packet, or a record of several, is: it opens it; it is all of it (`empty` and `whole`: without and with something
 * carried), or all so far (`idle`: it is left open); it acknowledges, carries something, closes it.
 */
export type ConnectionPart = 'opens' | 'empty' | 'idle' | 'whole' | 'acknowledges' | 'carries' | 'closes'

export interface Vector {
  label: string
  match: Match
  signature: Signature
  raise: Raise
  /** Such packets are also most of ordinary traffic. */
  ordinary?: true
  /** Such packets are answers that hosts may have asked for. */
  asked?: true
  /** Such packets carry the traffic of others, and come in greater numbers with it where they are usual. */
  tunnel?: true
  /** No host has such packets from many sources in everyday life. */
  unasked?: true
  /** The part of a connection that such packets are: floods of connections are judged over all parts together. */
  connection?: ConnectionPart
  /** Beginnings of labels of attacks that have such packets as a side effect: beside one of them they are no attack of their own. */
  besides?: readonly string[]
}

/** How traffic is judged that is usual for a target. */
export const lastingMultiple = { ratio: 4, seconds: 60 } as const

const anySize = [0, 65_535] as const

/**
 * Answers that nobody asked for: hosts have none in everyday life, learnt or not. A hundred of full length are 1.2 Mbps, and less harms nobody. A single
 * host that is set up wrongly sends hundreds.
 */
const neverAsked: Raise = {
  packetsPerSecond: 100,
  unlearntPacketsPerSecond: 100,
  partialPacketsPerSecond: 1_000,
  ratio: 3,
  seconds: 3,
}
/** Answers that a busy host asks for: a resolver, a media server. 400 of full length are 5 Mbps. */
const oftenAsked: Raise = {
  ...neverAsked,
  packetsPerSecond: 400,
  unlearntPacketsPerSecond: 400,
  partialPacketsPerSecond: 2_000,
}
/**
 * Packets that belong to ordinary traffic too, but never in such numbers without the rest of it: those that open or break off connections, pings. A
 * server keeps a connection that is half open for a minute (Linux: 63 s), so that 150 a second come to 9,000, twice as many as its queue takes by default
 * (net.core.somaxconn: 4,096). A single client that is set up wrongly sends 500.
 */
const neverAlone: Raise = {
  packetsPerSecond: 150,
  unlearntPacketsPerSecond: 150,
  partialPacketsPerSecond: 1_000,
  ratio: 3,
  seconds: 3,
}
/** The floor of what few hosts send in everyday life by transfers and tunnels: in packets of full length 0.7 Gbps. Packets a second. */
export const bulkPartial = 60_000
/**
 * What ordinary traffic consists of: only a lasting multiple of normal is an attack. From 1,500 on (18 Mbps in packets of full length) a small site
 * feels it; while normal is not known, what busy servers have every day (240 Mbps) tells nothing.
 */
const bulk: Raise = {
  packetsPerSecond: 1_500,
  unlearntPacketsPerSecond: 20_000,
  partialPacketsPerSecond: bulkPartial,
  ...lastingMultiple,
}

/**
 * Labels of floods of connections, by what is sent in them: requests, little over a long time, nothing; and of packets without any. Their thresholds are in
 * detect/lines/connections.ts.
 */
export const connectionLabels = {
  flood: 'tcp@attack@conn_flood_target',
  slow: 'tcp@attack@slow_conn_target',
  empty: 'tcp@attack@syn_flood_target',
  unopened: 'tcp@attack@ack_flood_target',
} as const

/** Flags of packets in which a TCP service sends something: not those that open or break off a connection, nor bare acknowledgements. */
export const answerFlags = { flagsSet: ACK | PSH, flagsClear: SYN | RST } as const

/** Flags with which a connection is accepted. */
export const acceptingFlags = SYN | ACK

const tcpFlags = (flagsSet: number, flagsClear: number): Match => ({ protocol: TCP, flagsSet, flagsClear })

function connections(connection: ConnectionPart, flagsSet: number, flagsClear: number): Vector {
  const label = connectionLabels.flood
  const signature: Signature = { sourcesMin: 24, packetBytes: [0, 700] }
  return { label, match: tcpFlags(flagsSet, flagsClear), signature, raise: bulk, ordinary: true, connection }
}

/** All parts of connections together. */
export const connectionVector: Vector = connections('carries', ACK, 0)

/** What web servers answer; from many at a time and without connections, what middleboxes answer in their place (Bock et al. 2021). */
const webAnswers: Vector[] = [80, 443].map((srcPort) => ({
  label: 'tcp@attack@amp_flood_target-MIDDLEBOX',
  match: { protocol: TCP, srcPort, ...answerFlags },
  signature: { sourcesMin: 24, packetBytes: [0, 700] },
  raise: bulk,
  ordinary: true,
  connection: 'carries',
}))

const tcpVectors: Vector[] = [
  ...webAnswers,
  {
    label: 'tcp@attack@syn_flood_target',
    match: tcpFlags(SYN, ACK | FIN),
    signature: { sourcesMin: 24, packetBytes: anySize },
    raise: neverAlone,
    connection: 'opens',
  },
  {
    label: 'tcp@attack@synack_flood_target',
    match: tcpFlags(acceptingFlags, RST | FIN | PSH),
    signature: { sourcesMin: 24, packetBytes: [0, 200] },
    raise: neverAlone,
  },
  {
    label: 'tcp@attack@rst_flood_target',
    match: tcpFlags(RST, SYN),
    signature: { sourcesMin: 24, packetBytes: [0, 200] },
    raise: neverAlone,
    connection: 'closes',
    besides: ['tcp@attack@syn', 'tcp@attack@conn', 'tcp@attack@slow', 'tcp@attack@amp'],
  },
  {
    label: 'tcp@attack@synfin_flood_target',
    match: tcpFlags(SYN | FIN, ACK | RST),
    signature: { sourcesMin: 4, packetBytes: anySize },
    raise: neverAsked,
  },
  {
    label: 'tcp@attack@xmas_flood_target',
    match: tcpFlags(FIN | PSH | URG, SYN | RST | ACK),
    signature: { sourcesMin: 4, packetBytes: anySize },
    raise: neverAsked,
  },
  {
    label: 'tcp@attack@fin_flood_target',
    match: tcpFlags(FIN, SYN | RST | ACK),
    signature: { sourcesMin: 8, packetBytes: anySize },
    raise: neverAsked,
  },
  {
    label: 'tcp@attack@null_flood_target',
    match: tcpFlags(0, 0xff),
    signature: { sourcesMin: 24, packetBytes: anySize },
    raise: neverAsked,
  },
  {
    label: 'tcp@attack@ack_flood_target',
    match: tcpFlags(ACK, SYN | RST | FIN | PSH),
    signature: { sourcesMin: 24, packetBytes: [0, 700] },
    raise: bulk,
    ordinary: true,
    connection: 'acknowledges',
  },
  connections('empty', SYN | ACK | FIN, PSH),
  connections('empty', SYN | ACK | RST, PSH),
  connections('idle', SYN | ACK | PSH, FIN | RST),
  connections('whole', SYN | ACK | PSH, 0),
  connections('closes', FIN | ACK, SYN),
  connectionVector,
  {
    label: 'tcp@attack@simple_flood_target',
    match: { protocol: TCP },
    signature: { sourcesMin: 12, packetBytes: anySize },
    raise: neverAlone,
  },
]

/** How packets from a service's port are judged, by what hosts get from it in everyday life. */
function raiseOfService({
  everyday,
  tunnels,
}: AmplificationService): Pick<Vector, 'raise' | 'asked' | 'unasked' | 'tunnel'> {
  if (everyday) return { raise: oftenAsked, asked: true }
  if (tunnels) return { raise: { ...neverAsked, partialPacketsPerSecond: bulkPartial }, unasked: true, tunnel: true }
  return { raise: neverAsked, unasked: true }
}

const amplificationVectors: Vector[] = amplificationServices.map((service) => ({
  label: `udp@attack@amp_flood_target-${service.name}`,
  match: { protocol: UDP, srcPort: service.port, ...(service.peers && { notPeers: service.peers }) },
  signature: { sourcesMin: service.everyday ? 24 : 8, packetBytes: service.packetBytes },
  ...raiseOfService(service),
}))

const udpVectors: Vector[] = [
  {
    // QUIC: the answers that hosts get that fetch from the web, which are longer; and what DTLS servers are abused for.
    label: 'udp@attack@amp_flood_target-QUIC',
    match: { protocol: UDP, srcPort: 443, notPeers: true },
    signature: { sourcesMin: 24, packetBytes: [0, 700] },
    raise: { ...bulk, packetsPerSecond: 400, unlearntPacketsPerSecond: 5_000, seconds: 10 },
    ordinary: true,
  },
  {
    label: 'udp@attack@simple_flood_target',
    match: { protocol: UDP },
    signature: { sourcesMin: 12, packetBytes: anySize },
    raise: { ...bulk, packetsPerSecond: 750, partialPacketsPerSecond: 3_000 },
    ordinary: true,
    besides: ['udp@attack@frag'],
  },
]

const fragmentVectors: Vector[] = [ICMP, TCP, UDP].map((protocol) => ({
  label: `${protocolName(protocol).toLowerCase()}@attack@frag_flood_target`,
  match: { protocol, fragment: true },
  signature: { sourcesMin: 8, packetBytes: anySize },
  raise: { ...neverAlone, packetsPerSecond: 300, unlearntPacketsPerSecond: 300 },
  besides: ['udp@attack@amp', ...(protocol === UDP ? [] : [`${protocolName(protocol).toLowerCase()}@attack@simple`])],
}))

const icmpVector: Vector = {
  label: 'icmp@attack@simple_flood_target',
  match: { protocol: ICMP },
  signature: { sourcesMin: 12, packetBytes: anySize },
  raise: { ...neverAlone, partialPacketsPerSecond: 400 },
}

/** Tunnels carry a site's traffic between few peers. */
const tunnels = [4, 41, 47, 50, 51]

const protocolVectors: Vector[] = Array.from({ length: 256 }, (_, protocol) => protocol)
  .filter((protocol) => ![ICMP, TCP, UDP].includes(protocol))
  .map((protocol) => ({
    label: `ip@attack@proto_flood_target-${protocolName(protocol)}`,
    match: { protocol },
    signature: { sourcesMin: 12, packetBytes: anySize },
    ...(tunnels.includes(protocol)
      ? { raise: { ...neverAlone, partialPacketsPerSecond: bulkPartial }, tunnel: true }
      : { raise: neverAlone }),
  }))

export const vectors: readonly Vector[] = [
  ...fragmentVectors,
  ...amplificationVectors,
  ...udpVectors,
  ...tcpVectors,
  icmpVector,
  ...protocolVectors,
]

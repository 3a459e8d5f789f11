// What is sent to both detectors: attacks and harmless traffic as routers tell of them, for one victim each, ten times a second.
import type { ExportProtocol } from '../../src/flow/columns.ts'
import { formatIpv4 } from '../../src/net/ipv4.ts'
import { ICMP, TCP, UDP } from '../../src/net/protocols.ts'
import { ACK, FIN, PSH, RST, SYN } from '../../src/net/tcp-flags.ts'
import { Exporter, type Flow } from '../../test/helpers/exporter.ts'

export interface Scenario {
  name: string
  protocol: ExportProtocol
  /** Whether there should be an event. */
  isAttack: boolean
  /** Packets a second, as a collector that knows the sampling rate sees them. */
  packetsPerSecond: number
  /** Datagrams of one tenth of a second; `attackStep` counts from the beginning of the attack and is negative before it. */
  datagrams: (attackStep: number, victim: Victim, nowMs: number) => Uint8Array[]
}

export interface Victim {
  address: string
  /** The first address of its /24, all of which is watched. */
  network: number
}

export const stepMs = 100
const stepsPerSecond = 1_000 / stepMs
/** The threshold of FastNetMon as Debian has it, packets a second. */
const threshold = 20_000
const samplingRate = 1_000

/** What is the same of the packets of an attack. */
interface Shape {
  ipProto: number
  tcpFlags?: number
  bytes: number
  srcPort?: number
  dstPort?: number
}

const anyPort = () => 1_024 + Math.floor(Math.random() * 60_000)
const anySource = () => formatIpv4(0x0b00_0000 + Math.floor(Math.random() * 0x0500_0000))

/** `packets`: of each. */
function flowsTo(dst: () => string, shape: Shape, count: number, packets = 1): Flow[] {
  return Array.from({ length: count }, () => ({
    src: anySource(),
    dst: dst(),
    srcPort: shape.ipProto === ICMP ? 0 : anyPort(),
    dstPort: shape.ipProto === ICMP ? 0x0800 : anyPort(),
    ...shape,
    packets,
    bytes: shape.bytes * packets,
  }))
}

/** Records of each step, so that they add up to the rate. */
function dueIn(step: number, perSecond: number): number {
  const sent = (steps: number) => Math.floor((steps * perSecond) / stepsPerSecond)
  return step < 0 ? 0 : sent(step + 1) - sent(step)
}

/** A visitor of another address of the network. */
function visitor({ network }: Victim): Flow[] {
  const dst = formatIpv4(network + 1 + Math.floor(Math.random() * 40))
  return [
    { src: anySource(), dst, srcPort: anyPort(), dstPort: 443, ipProto: TCP, tcpFlags: 0x1b, packets: 1, bytes: 700 },
  ]
}

/** Sampled packets of one shape, at a rate. */
function flood(
  name: string,
  protocol: ExportProtocol,
  packetsPerSecond: number,
  shape: Shape,
  given: { isAttack?: boolean; toNetwork?: true } = {},
): Scenario {
  const exporter = new Exporter({ protocol, samplingRate })
  return {
    name,
    protocol,
    isAttack: given.isAttack ?? true,
    packetsPerSecond,
    datagrams(attackStep, victim, nowMs) {
      const dst = given.toNetwork
        ? () => formatIpv4(victim.network + Math.floor(Math.random() * 256))
        : () => victim.address
      const attack = flowsTo(dst, shape, dueIn(attackStep, packetsPerSecond / samplingRate))
      return exporter.datagrams([...visitor(victim), ...attack], nowMs)
    },
  }
}

const syn: Shape = { ipProto: TCP, tcpFlags: SYN, bytes: 40, dstPort: 80 }
const names = { netflow5: 'NetFlow v5', netflow9: 'NetFlow v9', ipfix: 'IPFIX', sflow5: 'sFlow v5' } as const

const synFloods = Object.entries(names).flatMap(([protocol, name]) =>
  [1.2, 2, 5, 10].map((factor) =>
    flood(`SYN flood, ${factor} ×, ${name}`, protocol as keyof typeof names, factor * threshold, syn),
  ),
)

const rate = 5 * threshold
const floods: Scenario[] = [
  flood('UDP flood, any port', 'netflow9', rate, { ipProto: UDP, bytes: 512 }),
  flood('ICMP flood', 'netflow9', rate, { ipProto: ICMP, bytes: 84 }),
  flood('ACK flood', 'netflow9', rate, { ipProto: TCP, tcpFlags: ACK, bytes: 52, dstPort: 443 }),
  flood('RST flood', 'netflow9', rate, { ipProto: TCP, tcpFlags: RST, bytes: 40, dstPort: 443 }),
  flood('SYN-ACK reflection', 'netflow9', rate, { ipProto: TCP, tcpFlags: SYN | ACK, bytes: 44, srcPort: 443 }),
  flood('DNS amplification', 'ipfix', rate, { ipProto: UDP, bytes: 1_400, srcPort: 53 }),
  flood('NTP amplification', 'netflow9', rate, { ipProto: UDP, bytes: 468, srcPort: 123 }),
  flood('memcached amplification', 'sflow5', rate, { ipProto: UDP, bytes: 1_428, srcPort: 11_211 }),
  flood(
    'UDP over a /24, 390 packets/s an address',
    'netflow9',
    rate,
    { ipProto: UDP, bytes: 1_200 },
    { toNetwork: true },
  ),
]

const connection: Shape = { ipProto: TCP, tcpFlags: SYN | ACK | PSH | FIN, bytes: 600, dstPort: 443 }

/** An exporter that does not sample may say so, or say nothing of it. */
const saysSo = (isSaid: boolean) => (isSaid ? 'which is said' : 'of which nothing is said')

/** One record for a whole minute, not sampled. */
function download(isSaid: boolean): Scenario {
  const exporter = new Exporter({ protocol: 'netflow9', samplingRate: isSaid ? 1 : 0 })
  const [packets, bytes] = [540_000, 750_000_000]
  return {
    name: `a download of a minute, 100 Mbps, in one record; not sampled, ${saysSo(isSaid)}`,
    protocol: 'netflow9',
    isAttack: false,
    packetsPerSecond: packets / 60,
    datagrams(attackStep, victim, nowMs) {
      const record = {
        src: '203.0.113.7',
        dst: victim.address,
        srcPort: 443,
        dstPort: 50_000,
        ipProto: TCP,
        tcpFlags: 0x18,
      }
      const times = { startMs: nowMs - 60_000, endMs: nowMs }
      const flows = attackStep === 0 ? [{ ...record, ...times, packets, bytes }] : []
      return exporter.datagrams([...visitor(victim), ...flows], nowMs)
    },
  }
}

/** A line card that does not sample, and has the traffic, beside one that does. */
function twoRates(isSaid: boolean): Scenario {
  const whole = new Exporter({ protocol: 'netflow9', samplingRate: isSaid ? 1 : 0, domain: 1 })
  const sampled = new Exporter({ protocol: 'netflow9', samplingRate, domain: 2 })
  const packetsPerSecond = 3_000
  const shape = { ipProto: TCP, tcpFlags: ACK | PSH, bytes: 500, srcPort: 443 }
  return {
    name: `3,000 packets/s of a line card beside one that samples 1:1,000; not sampled, ${saysSo(isSaid)}`,
    protocol: 'netflow9',
    isAttack: false,
    packetsPerSecond,
    datagrams(attackStep, victim, nowMs) {
      const flows = flowsTo(() => victim.address, shape, dueIn(attackStep, packetsPerSecond / 30), 30)
      return [...sampled.datagrams(visitor(victim), nowMs), ...(flows.length > 0 ? whole.datagrams(flows, nowMs) : [])]
    },
  }
}

const lateSeconds = 5

/** The service knows nothing of the exporter: its template comes when the attack has gone on for a while. */
function lateTemplate(): Scenario {
  const exporter = new Exporter({ protocol: 'netflow9', templateEvery: 1e9 })
  let held: Uint8Array[] = []
  return {
    name: `SYN flood, 5 ×, its template comes ${lateSeconds} s late`,
    protocol: 'netflow9',
    isAttack: true,
    packetsPerSecond: rate,
    datagrams(attackStep, victim, nowMs) {
      if (held.length === 0) {
        held = exporter.datagrams(visitor(victim), nowMs)
        return []
      }
      const attack = flowsTo(() => victim.address, syn, dueIn(attackStep, 100), rate / 100)
      const datagrams = exporter.datagrams([...visitor(victim), ...attack], nowMs)
      return attackStep === lateSeconds * stepsPerSecond ? [...held, ...datagrams] : datagrams
    },
  }
}

export const scenarios: readonly Scenario[] = [
  ...synFloods,
  ...floods,
  flood('a crowd of visitors, whole connections', 'netflow9', rate, connection, { isAttack: false }),
  download(true),
  download(false),
  twoRates(true),
  twoRates(false),
  lateTemplate(),
]

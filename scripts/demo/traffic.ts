// What the demo's router sees, second by second: ordinary visits to two sites, and one attack after the other.
import { parseIpv4 } from '../../src/net/ipv4.ts'
import { ICMP, TCP, UDP } from '../../src/net/protocols.ts'
import { ACK, FIN, PSH, SYN } from '../../src/net/tcp-flags.ts'

/** One flow as the router counted it, before scaling by the sampling rate. */
export interface Flow {
  src: number
  dst: number
  srcPort: number
  dstPort: number
  ipProto: number
  tcpFlags: number
  packets: number
  bytes: number
}

interface Attack {
  title: string
  /** The flows of one second against the victim. */
  flows(victim: number): Flow[]
}

/** The router samples one packet in this number. */
export const samplingRate = 1000
export const sites = ['192.0.2.10', '198.51.100.0/24'] as const

const shop = address('192.0.2.10')
const network = address('198.51.100.0')

/** The first attack comes after some ordinary traffic; each lasts for a while and leaves the next a pause. */
const quietSeconds = 5
const attackSeconds = 12
const periodSeconds = 20

const attacks: Attack[] = [
  {
    title: 'a SYN flood from random sources',
    flows: (victim) =>
      many(80, () => ({
        ...from(anywhere(), anyPort()),
        ...to(victim, 443),
        ipProto: TCP,
        tcpFlags: SYN,
        packets: 1,
        bytes: 60,
      })),
  },
  {
    title: 'an amplification by NTP servers',
    flows: (victim) =>
      many(60, () => ({
        ...from(anywhere(), 123),
        ...to(victim, anyPort()),
        ipProto: UDP,
        tcpFlags: 0,
        packets: 4,
        bytes: 4 * 468,
      })),
  },
  {
    title: 'an ICMP flood',
    flows: (victim) =>
      many(40, () => ({
        ...from(anywhere(), 0),
        ...to(victim, 8 * 256),
        ipProto: ICMP,
        tcpFlags: 0,
        packets: 3,
        bytes: 3 * 84,
      })),
  },
  {
    title: 'an amplification by DNS servers',
    flows: (victim) =>
      many(60, () => ({
        ...from(anywhere(), 53),
        ...to(victim, anyPort()),
        ipProto: UDP,
        tcpFlags: 0,
        packets: 4,
        bytes: 4 * 1400,
      })),
  },
]

/** The victim of each attack is another address, so that each is an attack of its own. */
function victimOf(attack: number): number {
  return attack === 0 ? shop : network + 1 + (attack % 254)
}

/** The attack that starts in this second of the demo, in words; null when none does. */
export function startingAt(second: number): { title: string; victim: number } | null {
  const sinceFirst = second - quietSeconds
  if (sinceFirst < 0 || sinceFirst % periodSeconds !== 0) return null
  const attack = sinceFirst / periodSeconds
  return { title: attacks[attack % attacks.length].title, victim: victimOf(attack) }
}

export function flowsOf(second: number): Flow[] {
  const flows = [shop, network + 7].flatMap((server) => many(3, () => visit(server)))
  const attack = Math.floor((second - quietSeconds) / periodSeconds)
  if (second < quietSeconds || (second - quietSeconds) % periodSeconds >= attackSeconds) return flows
  return [...flows, ...attacks[attack % attacks.length].flows(victimOf(attack))]
}

function visit(server: number): Flow {
  return {
    ...from(anywhere(), anyPort()),
    ...to(server, 443),
    ipProto: TCP,
    tcpFlags: SYN | ACK | PSH | FIN,
    packets: 1,
    bytes: 700,
  }
}

function many(count: number, flow: () => Flow): Flow[] {
  return Array.from({ length: count }, flow)
}

function from(src: number, srcPort: number) {
  return { src, srcPort }
}

function to(dst: number, dstPort: number) {
  return { dst, dstPort }
}

/** An address in 11.0.0.0 to 126.255.255.255. */
function anywhere(): number {
  return (11 + Math.floor(Math.random() * 116)) * 2 ** 24 + Math.floor(Math.random() * 2 ** 24)
}

function anyPort(): number {
  return 1024 + Math.floor(Math.random() * 64_000)
}

function address(text: string): number {
  const value = parseIpv4(text)
  if (value === null) throw new Error(`not an address: ${text}`)
  return value
}

// What the screenshots show: a small hoster with names, servers, two routers and a bad quarter of an hour. All names and addresses are those
// of documentation (RFC 5737, RFC 2606).
import type { Flow } from '../../test/helpers/encode/flow.ts'
import { createRandom } from '../../test/helpers/random.ts'

/** The routers sample one packet in this number. */
export const samplingRate = 100

/** Where names lead, and through which aliases. */
export const zone: Record<string, { alias?: string; addresses?: readonly string[] }> = {
  'www.example.net': { alias: 'edge.example.net' },
  'edge.example.net': { addresses: ['203.0.113.10'] },
  'shop.example.net': { alias: 'shop.edge.example.net' },
  'shop.edge.example.net': { addresses: ['203.0.113.21', '203.0.113.22'] },
  'api.example.net': { addresses: ['203.0.113.30'] },
  'mail.example.net': { addresses: ['203.0.113.25'] },
  'play.example.org': { addresses: ['198.51.100.77'] },
  'cdn.example.org': { addresses: ['192.0.2.200'] },
}

export const groups: Record<string, readonly string[]> = {
  Shop: ['shop.example.net', 'api.example.net', 'www.example.net'],
  Games: ['play.example.org', '*.example.org'],
}

export const sites = [
  ...['shop.example.net', 'api.example.net', 'www.example.net', 'mail.example.net'],
  ...['play.example.org', '*.example.org', 'cdn.example.org', 'old.example.net'],
  ...['198.51.100.0/24', '192.0.2.53'],
]

/** Visits a second as records of the router, and the octets of a packet. */
const servers = [
  { address: '203.0.113.10', port: 443, visits: 24, octets: 640 },
  { address: '203.0.113.21', port: 443, visits: 40, octets: 710 },
  { address: '203.0.113.22', port: 443, visits: 37, octets: 700 },
  { address: '203.0.113.30', port: 443, visits: 18, octets: 480 },
  { address: '203.0.113.25', port: 25, visits: 5, octets: 900 },
  { address: '198.51.100.77', port: 27_015, visits: 30, octets: 130 },
  { address: '198.51.100.8', port: 443, visits: 6, octets: 600 },
  { address: '198.51.100.140', port: 22, visits: 1, octets: 300 },
  { address: '192.0.2.53', port: 53, visits: 4, octets: 78 },
]

const TCP = 6
const UDP = 17
const SYN = 0x02
const visitFlags = 0x18

type Kind = Omit<Flow, 'src' | 'dst'>

interface Attack {
  victim: string
  /** Seconds before the end of the scene. */
  beginsBefore: number
  seconds: number
  records: number
  /** How many senders there are; many: each record has another. */
  senders: number
  kind: Kind
}

const ntp: Kind = { ipProto: UDP, srcPort: 123, dstPort: 42_817, packets: 12, bytes: 12 * 468 }
const dns: Kind = { ipProto: UDP, srcPort: 53, dstPort: 42_817, packets: 4, bytes: 4 * 1_400 }
const syn: Kind = { ipProto: TCP, srcPort: 0, dstPort: 443, tcpFlags: SYN, packets: 1, bytes: 60 }
const junk: Kind = { ipProto: UDP, srcPort: 0, dstPort: 27_015, packets: 6, bytes: 6 * 1_200 }

/** The last is the one that the pictures are about; it goes on while they are taken. */
export const attacks: readonly Attack[] = [
  { victim: '203.0.113.30', beginsBefore: 640, seconds: 80, records: 240, senders: 1e6, kind: syn },
  { victim: '198.51.100.77', beginsBefore: 480, seconds: 60, records: 120, senders: 700, kind: junk },
  { victim: '203.0.113.25', beginsBefore: 330, seconds: 45, records: 60, senders: 300, kind: dns },
  { victim: '198.51.100.77', beginsBefore: 120, seconds: 1e6, records: 50, senders: 400, kind: junk },
  { victim: '203.0.113.21', beginsBefore: 100, seconds: 1e6, records: 110, senders: 900, kind: ntp },
  { victim: '203.0.113.21', beginsBefore: 100, seconds: 1e6, records: 40, senders: 500, kind: dns },
]

const random = createRandom(7)

/** What the routers report of one second, counted back from the end of the scene; each router sees half. */
export function flowsOf(secondsLeft: number): [Flow[], Flow[]] {
  const flows = servers.flatMap(({ address, port, visits, octets }) =>
    Array.from({ length: swell(visits, secondsLeft) }, () => visit(address, port, octets)),
  )
  for (const { victim, beginsBefore, seconds, records, senders, kind } of attacks) {
    const age = beginsBefore - secondsLeft
    if (age < 0 || age >= seconds) continue
    const grown = Math.min(1, (age + 2) / 10)
    for (let i = 0; i < swell(records, secondsLeft) * grown; i++) {
      flows.push({ ...kind, src: sender(senders), dst: victim, srcPort: kind.srcPort || 1024 + random(64_000) })
    }
  }
  return [flows.filter((_, i) => i % 5 < 3), flows.filter((_, i) => i % 5 >= 3)]
}

/** Rises and falls slowly, and a little at random. */
function swell(size: number, second: number): number {
  const slow = 1 + 0.18 * Math.sin(second / 70) + 0.07 * Math.sin(second / 11)
  return Math.max(1, Math.round(size * slow * (0.9 + random(200) / 1000)))
}

function visit(dst: string, port: number, octets: number): Flow {
  const packets = 1 + random(3)
  const ipProto = port === 53 || port === 27_015 ? UDP : TCP
  const tcpFlags = ipProto === TCP ? visitFlags : 0
  const bytes = packets * octets
  return { src: sender(2_000), dst, srcPort: 1024 + random(64_000), dstPort: port, ipProto, tcpFlags, packets, bytes }
}

/** One of `count` addresses between 11.0.0.0 and 126.255.255.255. */
function sender(count: number): string {
  const number = Math.imul(random(count) + 1, 2_654_435_761) >>> 0
  return [11 + (number % 116), (number >>> 8) & 255, (number >>> 16) & 255, 1 + ((number >>> 24) % 254)].join('.')
}

// The attacks of the table, a row each: what is sent, when, to whom, and what should be said of it. Every victim has a /24 or more of its own, so that an
// attack has nothing to do with another one.
import { formatIpv4, parseIpv4 } from '../../../src/net/ipv4.ts'
import { ICMP, TCP, UDP } from '../../../src/net/protocols.ts'
import { ACK, SYN } from '../../../src/net/tcp-flags.ts'
import type { Random } from '../../helpers/random.ts'
import { echo, gre, type Packet, tcp, udp } from './frames.ts'
import type { Clients } from './web-clients.ts'

/** From when to when something is sent, exclusive. Seconds after the beginning. */
export type Span = readonly [from: number, to: number]

export interface Attack {
  name: string
  /** All addresses that are hit. */
  victims: string
  /** As its owner registers it. */
  sites: readonly string[]
  /** Any of these is right. */
  labels: readonly string[]
  /** What it is shows in TCP flags. */
  needsFlags?: boolean
  spans: readonly Span[]
  /** How many events, and how often the event comes back. */
  events: number
  returns: number
  /** Frames a second, and those that are sent in turn; or clients that connect. */
  packets: { perSecond: number; of: (random: Random, index: number) => Packet } | Clients
}

/** Frames that are different from each other; then they come again. */
export const distinctFrames = 6_000

const GRE = 47

const amplified = (service: string) => `udp@attack@amp_flood_target-${service}`
const anyPort = (random: Random) => 1_024 + random(60_000)
/** A public address, as far as the ranges for special use are few. */
const anySource = (random: Random) => formatIpv4((30 + random(90)) * 0x100_0000 + random(0x100_0000))
const reflector = (count: number, index: number) => `45.77.${(index % count) >> 6}.${10 + ((index % count) & 63)}`
const among = (random: Random, network: string, addresses: number) =>
  formatIpv4((parseIpv4(network) ?? 0) + random(addresses))

const synTo =
  (dst: string) =>
  (random: Random): Packet => ({ src: anySource(random), dst, protocol: TCP, payload: tcp(anyPort(random), 80, SYN) })

const ntpTo =
  (dst: string, reflectors: number) =>
  (_: Random, index: number): Packet => ({
    src: reflector(reflectors, index),
    dst,
    protocol: UDP,
    payload: udp(123, 40_000 + (index % reflectors), 468),
  })

const udpTo =
  (dst: string) =>
  (random: Random): Packet => ({
    ...{ src: anySource(random), dst, protocol: UDP },
    payload: udp(anyPort(random), anyPort(random), 512),
  })

/** An answer of 2,900 octets in two fragments, from one of 40 resolvers. */
function dnsInFragments(dst: string) {
  return (_: Random, index: number): Packet => {
    const answer = index >> 1
    const packet = { src: reflector(40, answer), dst, protocol: UDP }
    const id = answer & 0xffff
    if (index % 2 === 0) return { ...packet, payload: udp(53, 41_000, 1_472), fragment: { id, offset: 0, more: true } }
    return { ...packet, payload: new Uint8Array(1_420), fragment: { id, offset: 185, more: false } }
  }
}

const one = (row: Omit<Attack, 'sites' | 'events' | 'returns'> & Partial<Attack>): Attack => ({
  ...{ sites: [row.victims], events: 1, returns: 0 },
  ...row,
})

/** Spans of `on` seconds every `every` seconds. */
function pulses(from: number, to: number, { on, every }: { on: number; every: number }): Span[] {
  return Array.from({ length: Math.floor((to - from) / every) }, (_, i) => [from + i * every, from + i * every + on])
}

/** What is recognised by its signature, at an address of which little is known yet. */
const unlearnt: Attack[] = [
  one({
    name: 'SYN flood',
    victims: '20.150.1.10',
    labels: ['tcp@attack@syn_flood_target'],
    needsFlags: true,
    spans: [[100, 145]],
    packets: { perSecond: 4_000, of: synTo('20.150.1.10') },
  }),
  one({
    name: 'NTP, 8 reflectors',
    victims: '20.150.2.10',
    labels: [amplified('NTP')],
    spans: [[160, 205]],
    packets: { perSecond: 3_000, of: ntpTo('20.150.2.10', 8) },
  }),
  one({
    name: 'NTP, 120 reflectors',
    victims: '20.150.3.10',
    labels: [amplified('NTP')],
    spans: [[220, 265]],
    packets: { perSecond: 3_000, of: ntpTo('20.150.3.10', 120) },
  }),
  one({
    name: 'DNS with fragments',
    victims: '20.150.4.10',
    sites: ['20.150.4.0/24'],
    labels: [amplified('DNS')],
    spans: [[280, 325]],
    packets: { perSecond: 3_000, of: dnsInFragments('20.150.4.10') },
  }),
  one({
    name: 'ICMP flood',
    victims: '20.150.5.10',
    labels: ['icmp@attack@simple_flood_target'],
    spans: [[340, 385]],
    packets: {
      perSecond: 3_000,
      of: (_, index) => ({
        ...{ src: reflector(6, index), dst: '20.150.5.10' },
        ...{ protocol: ICMP, payload: echo(56) },
      }),
    },
  }),
  one({
    name: 'GRE flood',
    victims: '20.150.6.10',
    labels: ['ip@attack@proto_flood_target-GRE'],
    spans: [[400, 445]],
    packets: {
      perSecond: 3_000,
      of: (random) => ({ src: anySource(random), dst: '20.150.6.10', protocol: GRE, payload: gre(512) }),
    },
  }),
  one({
    name: 'UDP fragments',
    victims: '20.150.7.10',
    labels: ['udp@attack@frag_flood_target'],
    spans: [[460, 505]],
    packets: {
      perSecond: 3_000,
      of: (random, index) => ({
        ...{ src: anySource(random), dst: '20.150.7.10', protocol: UDP, payload: new Uint8Array(1_400) },
        fragment: { id: index, offset: 185, more: true },
      }),
    },
  }),
  one({
    name: 'CLDAP, again after 4 minutes',
    victims: '20.150.8.10',
    labels: [amplified('CLDAP')],
    spans: [
      [520, 565],
      [805, 850],
    ],
    returns: 1,
    packets: {
      perSecond: 2_000,
      of: (_, index) => ({
        ...{ src: reflector(60, index), dst: '20.150.8.10', protocol: UDP },
        payload: udp(389, 42_000 + (index % 60), 1_400),
      }),
    },
  }),
  one({
    name: 'several vectors',
    victims: '20.150.9.10',
    labels: ['tcp@attack@syn_flood_target', amplified('NTP'), amplified('SSDP')],
    spans: [[580, 625]],
    packets: {
      perSecond: 4_500,
      of: (random, index) => {
        const dst = '20.150.9.10'
        if (index % 3 === 0) return synTo(dst)(random)
        if (index % 3 === 1) return ntpTo(dst, 40)(random, index)
        return { src: reflector(90, index), dst, protocol: UDP, payload: udp(1900, 43_000 + (index % 90), 320) }
      },
    },
  }),
  one({
    name: 'burst of 5 s',
    victims: '20.150.10.10',
    labels: [amplified('NTP')],
    spans: [[640, 645]],
    packets: { perSecond: 3_000, of: ntpTo('20.150.10.10', 50) },
  }),
  one({
    name: 'pulses, 8 s of each 20 s',
    victims: '20.150.11.10',
    labels: [amplified('NTP')],
    spans: pulses(660, 800, { on: 8, every: 20 }),
    packets: { perSecond: 3_000, of: ntpTo('20.150.11.10', 50) },
  }),
  one({
    name: 'SYN flood, again after 15 minutes',
    victims: '20.150.12.10',
    labels: ['tcp@attack@syn_flood_target'],
    needsFlags: true,
    spans: [
      [30, 75],
      [1_000, 1_045],
    ],
    events: 2,
    packets: { perSecond: 3_000, of: synTo('20.150.12.10') },
  }),
]

const http = (
  name: string,
  victim: string,
  span: Span,
  { labels, packets }: Pick<Attack, 'labels' | 'packets'>,
): Attack => one({ name, victims: victim, labels, needsFlags: true, spans: [span], packets })

/** What has to be more than normal: it comes when normal is learnt. */
const learnt: Attack[] = [
  one({
    name: 'UDP flood',
    victims: '20.150.13.10',
    labels: ['udp@attack@simple_flood_target'],
    spans: [[1_080, 1_125]],
    packets: { perSecond: 4_000, of: udpTo('20.150.13.10') },
  }),
  one({
    name: 'ACK flood',
    victims: '20.150.14.10',
    labels: ['tcp@attack@ack_flood_target'],
    needsFlags: true,
    spans: [[1_140, 1_185]],
    packets: {
      perSecond: 4_000,
      of: (random) => ({
        ...{ src: anySource(random), dst: '20.150.14.10', protocol: TCP },
        payload: tcp(anyPort(random), 443, ACK),
      }),
    },
  }),
  http('HTTP flood', '20.150.15.10', [1_200, 1_260], {
    // A hundred times the usual page loads is as far as a crowd of visitors goes: an event without a label is right, too.
    labels: ['tcp@attack@conn_flood_target', ''],
    packets: { clients: 'requests', perSecond: 300 },
  }),
  http('slow HTTP, reconnecting', '20.150.16.10', [1_260, 1_380], {
    labels: ['tcp@attack@slow_conn_target', 'tcp@attack@conn_flood_target'],
    packets: { clients: 'reconnecting', connections: 600, everySeconds: 8 },
  }),
  http('slow HTTP, held', '20.150.17.10', [1_270, 1_510], {
    labels: ['tcp@attack@slow_conn_target'],
    packets: { clients: 'held', connections: 600, everySeconds: 10 },
  }),
  one({
    name: 'carpet over a /24, UDP',
    victims: '20.151.1.0/24',
    labels: ['udp@attack@simple_flood_target'],
    spans: [[1_530, 1_575]],
    packets: {
      perSecond: 6_000,
      of: (random) => udpTo(among(random, '20.151.1.0', 256))(random),
    },
  }),
  one({
    name: 'carpet over a /22, SYN',
    victims: '20.152.4.0/22',
    sites: ['20.152.4.0/24', '20.152.5.0/24', '20.152.6.0/24', '20.152.7.0/24'],
    labels: ['tcp@attack@syn_flood_target'],
    needsFlags: true,
    spans: [[1_590, 1_635]],
    packets: { perSecond: 6_000, of: (random) => synTo(among(random, '20.152.4.0', 1_024))(random) },
  }),
  one({
    name: 'carpet over a /20, NTP',
    victims: '20.153.16.0/20',
    labels: [amplified('NTP')],
    spans: [[1_650, 1_695]],
    packets: {
      perSecond: 8_000,
      of: (random, index) => ntpTo(among(random, '20.153.16.0', 4_096), 100)(random, index),
    },
  }),
  one({
    name: 'carpet over a /18, DNS',
    victims: '20.154.64.0/18',
    labels: [amplified('DNS')],
    spans: [[1_710, 1_755]],
    packets: {
      perSecond: 10_000,
      of: (random, index) => ({
        ...{ src: reflector(200, index), dst: among(random, '20.154.64.0', 16_384), protocol: UDP },
        payload: udp(53, 44_000, 900),
      }),
    },
  }),
  one({
    name: 'NTP, weak, 15 minutes',
    victims: '20.150.18.10',
    labels: [amplified('NTP')],
    spans: [[1_800, 2_700]],
    packets: { perSecond: 500, of: ntpTo('20.150.18.10', 60) },
  }),
]

export const attacks: readonly Attack[] = [...unlearnt, ...learnt]

/** Everything is within this network. */
export const everywhere = '20.144.0.0/12'
export const clientNetwork = '45.78.0.0/24'

/** The first address, and how many there are. */
export function rangeOf(victims: string): { first: number; count: number } {
  const [address, length = '32'] = victims.split('/')
  return { first: parseIpv4(address) ?? 0, count: 2 ** (32 - Number(length)) }
}

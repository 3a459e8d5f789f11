// THE traffic of the matrix that is no attack, a row each. What begins without a history comes to an idle address; what has one has been there all day, and
// multiplies.
import { ICMP, TCP, UDP } from '../../src/net/protocols.ts'
import { ACK, FIN, PSH, SYN } from '../../src/net/tcp-flags.ts'
import { play, resolve, visit } from './hosts.ts'
import { ephemeral, host, type Part, type Sender } from './sender.ts'

export interface Benign {
  name: string
  /** How many times its usual traffic comes; without it there has been none. */
  times?: number
  /** It goes to all addresses of the network in turn. */
  carpet?: true
  /** Traffic of a second. `factor` is 1 in everyday life, and `times` now. `second` is counted from its beginning. */
  send: (sender: Sender, factor: number, second: number) => void
}

const peers = (count: number, each: (source: number, n: number) => void, set = 20) => {
  for (let n = 0; n < count; n++) each(host(set, n), n)
}

const GRE = 47
const ESP = 50

/** Packets per second of 1 Gbit/s in whole frames. */
const gigabit = 83_000

/** Few long transfers from `count` hosts. */
const transfer =
  (count: number, packetsPerSecond: number, srcPort: number | null, dstPort: number | null) =>
  (sender: Sender, factor: number): void =>
    peers(count, (source, n) =>
      sender.stream(
        source,
        srcPort ?? 41_000 + n,
        dstPort ?? 42_000 + n,
        TCP,
        ACK | (n % 2 ? PSH : 0),
        (factor * packetsPerSecond) / count,
        1_480,
      ),
    )

const datagrams =
  (count: number, packetsPerSecond: number, srcPort: number | null, dstPort: number | null, bytes: number) =>
  (sender: Sender, factor: number): void =>
    peers(count, (source, n) =>
      sender.stream(
        source,
        srcPort ?? 41_000 + n,
        dstPort ?? 42_000 + n,
        UDP,
        0,
        (factor * packetsPerSecond) / count,
        bytes,
      ),
    )

/** What viewers acknowledge of a stream that they came to before. */
const acknowledgements =
  (viewers: number, packetsPerSecond: number) =>
  (sender: Sender): void =>
    peers(viewers, (source, n) =>
      sender.stream(source, 33_000 + ((n * 977) % 27_000), 443, TCP, ACK, packetsPerSecond / viewers, 52),
    )

/** Messages on connections that are kept open, and now and then a new one. */
const messages =
  (clients: number, packetsPerSecond: number, bytes: number) =>
  (sender: Sender, factor: number): void => {
    const { random } = sender
    const active = Math.round(clients * Math.min(1, factor / 3))
    for (let left = sender.whole(packetsPerSecond * factor); left > 0; left--)
      sender.stream(host(21, random(active)), 40_000, 443, TCP, random(2) ? ACK | PSH : ACK, 1, bytes)
    sender.connection(host(21, random(clients)), ephemeral(random), 443, [
      [SYN, 60],
      [ACK, 52],
      [ACK | PSH, 300],
    ])
  }

/** A page load by a machine: over one connection. */
const calls =
  (sources: number, perSecond: number, parts: readonly Part[], dstPort = 443) =>
  (sender: Sender, factor: number): void => {
    for (let left = sender.whole(perSecond * factor); left > 0; left--)
      sender.connection(host(22, sender.random(sources)), ephemeral(sender.random), dstPort, parts)
  }

const crawl: readonly Part[] = [
  [SYN, 60],
  [ACK, 52],
  [ACK | PSH, 600],
  ...Array.from({ length: 14 }, (): Part => [ACK, 52]),
  [ACK | FIN, 52],
]
const check: readonly Part[] = [
  [SYN, 60],
  [ACK, 52],
  [ACK | FIN, 52],
]
const letter: readonly Part[] = [
  [SYN, 60],
  [ACK, 52],
  [ACK | PSH, 120],
  ...Array.from({ length: 20 }, (): Part => [ACK | PSH, 1_400]),
  [ACK | FIN, 52],
]

/** Answers of web servers to what the address fetches: SYN+ACK, then long packets. */
const fetches =
  (servers: number, packetsPerSecond: number) =>
  (sender: Sender, factor: number): void => {
    const { random } = sender
    const fetched: readonly Part[] = [
      [SYN | ACK, 60],
      ...Array.from({ length: 30 }, (): Part => [ACK | PSH, 1_400]),
      [ACK | FIN, 52],
    ]
    for (let left = sender.whole((packetsPerSecond * factor) / fetched.length); left > 0; left--) {
      const source = host(23, random(servers))
      sender.connection(source, 443, ephemeral(random), fetched)
    }
  }

export const benign: readonly Benign[] = [
  { name: 'download, 1 Gbit/s of one source', send: transfer(1, gigabit, 443, null) },
  { name: 'upload, 1 Gbit/s of one source', send: transfer(1, gigabit, null, 443) },
  { name: 'backup over SSH, 3 streams', send: transfer(3, 30_000, null, 22) },
  { name: 'rsync, one stream', send: transfer(1, 9_000, null, 873) },
  { name: 'speed test, 16 streams', send: transfer(16, gigabit, 8_080, null) },
  { name: 'CDN fill, 8 origins', send: transfer(8, 40_000, 443, null) },
  { name: 'storage, 4 hosts', send: transfer(4, 60_000, null, 3_260) },
  { name: 'database replication', send: transfer(2, 4_000, null, 5_432) },
  {
    name: 'backup over TLS, 40 hosts',
    send: (sender) =>
      peers(40, (source, n) => sender.stream(source, 33_000 + n * 677, 443, TCP, ACK | PSH, 200, 1_460)),
  },
  {
    name: 'download, each sample a record',
    send: (sender) => {
      for (let seen = sender.seenOf(8_000); seen > 0; seen--) sender.one(host(20, 1), 443, 51_234, TCP, ACK, 52)
    },
  },
  { name: 'software update, 20 servers', send: fetches(20, 20_000) },
  { name: 'gateway of an office', times: 3, send: fetches(400, 1_500) },
  { name: 'NTP client', send: datagrams(4, 0.1, 123, 123, 76) },
  {
    name: 'NTP server of a pool',
    times: 3,
    send: (sender, factor) => {
      for (let seen = sender.seenOf(800 * factor); seen > 0; seen--)
        sender.one(host(24, sender.random(50_000)), sender.random(2) ? 123 : ephemeral(sender.random), 123, UDP, 0, 76)
    },
  },
  { name: 'resolver', times: 3, send: (sender, factor) => resolve(sender, 800 * factor, 500 * factor) },
  { name: 'resolver that begins', send: (sender, factor) => resolve(sender, 150 * factor, 100 * factor) },
  { name: 'authoritative server', times: 3, send: (sender, factor) => resolve(sender, 1_000 * factor, 0) },
  {
    name: 'video call',
    send: (sender) => {
      sender.stream(host(25, 1), 3_478, 50_002, UDP, 0, 50, 160)
      sender.stream(host(25, 1), 3_478, 50_004, UDP, 0, 220, 1_050)
    },
  },
  { name: 'conference server', times: 4, send: datagrams(60, 4_000, null, 10_000, 1_000) },
  { name: 'voice calls', times: 3, send: datagrams(100, 4_000, null, 16_400, 200) },
  { name: 'QUIC, browsing', send: datagrams(10, 3_000, 443, null, 1_280) },
  {
    name: 'QUIC, visitors',
    times: 3,
    send: (sender, factor) => {
      for (let n = 0; n < 40 * factor; n++)
        sender.stream(host(26, sender.random(3_000)), ephemeral(sender.random), 443, UDP, 0, 12, 240)
    },
  },
  { name: 'OpenVPN server', times: 3, send: datagrams(50, 4_000, null, 1_194, 900) },
  { name: 'OpenVPN client', times: 3, send: datagrams(1, 2_500, 1_194, null, 1_000) },
  { name: 'L2TP client behind NAT', send: datagrams(1, 20_000, 1_701, null, 1_300) },
  { name: 'WireGuard, one peer', send: datagrams(1, 40_000, 51_820, 51_820, 1_450) },
  { name: 'IPsec, one peer', send: (sender) => sender.stream(host(27, 1), 0, 0, ESP, 0, 30_000, 1_300) },
  {
    name: 'GRE, two peers',
    send: (sender) => peers(2, (source) => sender.stream(source, 0, 0, GRE, 0, 15_000, 1_200)),
  },
  {
    name: 'flash crowd, 10 times',
    times: 10,
    send: (sender, factor, second) => visit(sender, 400 * Math.min(factor, 1 + second / 6)),
  },
  {
    name: 'flash crowd, 40 times',
    times: 40,
    send: (sender, factor, second) => visit(sender, 100 * Math.min(factor, 1 + second / 2)),
  },
  {
    name: 'scan of all ports',
    send: (sender) => {
      for (let seen = sender.seenOf(1_000); seen > 0; seen--)
        sender.one(host(28, 1), 51_000, sender.random(65_536), TCP, SYN, 44)
    },
  },
  {
    name: 'scan of a network',
    carpet: true,
    send: (sender) => {
      for (let seen = sender.seenOf(800); seen > 0; seen--) sender.one(host(28, 2), 51_000, 443, TCP, SYN, 44)
    },
  },
  {
    name: 'BitTorrent',
    times: 3,
    send: (sender, factor) => {
      peers(300, (source, n) => sender.stream(source, 20_000 + n * 31, 6_881, UDP, 0, 4 * factor, 800))
      peers(40, (source, n) => sender.stream(source, 20_000 + n * 31, 51_413, TCP, ACK | PSH, 20 * factor, 1_400))
    },
  },
  { name: 'game server, evening', times: 4, send: (sender, factor) => play(sender, 20 * factor) },
  {
    name: 'pings of monitoring',
    send: (sender) => peers(20, (source) => sender.stream(source, 0, 2_048, ICMP, 0, 2, 84)),
  },
  {
    name: 'SNMP poller',
    times: 2,
    send: (sender, factor) => peers(200, (source) => sender.stream(source, 161, 50_161, UDP, 0, 2 * factor, 300)),
  },
  { name: 'health checks', send: calls(4, 20, check) },
  { name: 'mail queue', times: 4, send: calls(60, 8, letter, 25) },
  { name: 'crawler', send: calls(5, 60, crawl) },
  { name: 'programs that call an API', times: 3, send: calls(12, 60, crawl) },
  { name: 'messages on open connections', times: 3, send: messages(3_000, 800, 120) },
  {
    name: 'all clients connect again',
    send: (sender, _, second) => {
      if (second < 20)
        calls(2_000, 60, [
          [SYN, 60],
          [ACK, 52],
          [ACK | PSH, 600],
          [ACK, 52],
          [ACK | PSH, 180],
        ])(sender, 1)
    },
  },
  { name: 'syslog of 100 devices', times: 3, send: datagrams(100, 1_200, 514, 514, 260) },
  { name: 'live stream, one source', send: datagrams(1, 3_000, null, 9_000, 1_316) },
  { name: 'acknowledgements, 24 viewers of a stream', send: acknowledgements(24, 3_000) },
  { name: 'acknowledgements, 300 viewers of a stream', send: acknowledgements(300, 6_000) },
  { name: 'multi-source stream', times: 2, send: datagrams(6, 8_000, null, 5_004, 1_328) },
]

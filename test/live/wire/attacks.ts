// What the attacker's namespace sends, and what must be said about it. Bounded in packets and in time; addressed to the lab's victims only.
import type { Lab } from './lab.ts'
import type { Dimension } from './nfdump.ts'

export interface Attack {
  name: string
  victim: string
  /** The host record under which the victim is watched. */
  site: string
  label: string
  /** The statistic lists in which it stands out; each has items with a notable part of the flows. */
  lists: readonly Dimension[]
  /** Arguments of hping3, one list for each process that sends. */
  senders: (seconds: number) => string[][]
}

const hosts = [1, 2, 3, 4]

/** Arguments of a process that sends about a packet every millisecond for `seconds`, from one address or from random ones. */
const sender = (packet: readonly string[], from: readonly string[], to: string, seconds: number) => [
  ...packet,
  ...from,
  ...['-i', 'u1000', '-c', String(seconds * 1_000), to],
]

export const attacks: readonly Attack[] = [
  {
    name: 'SYN flood',
    victim: '192.0.2.10',
    site: '192.0.2.10',
    label: 'tcp@attack@syn_flood_target',
    lists: ['srcip', 'dstport', 'proto', 'flags'],
    senders: (seconds) =>
      [...hosts.map((host) => ['-a', `10.66.0.${host}`]), ['--rand-source']].map((from) =>
        sender(['-S', '-p', '80'], from, '192.0.2.10', seconds),
      ),
  },
  {
    name: 'NTP amplification',
    victim: '198.51.100.20',
    site: '198.51.100.0/24',
    label: 'udp@attack@amp_flood_target-NTP',
    lists: ['srcip', 'srcport', 'dstport', 'proto'],
    senders: (seconds) =>
      hosts.map((host) =>
        sender(
          ['--udp', '-s', '123', '-k', '-p', `4000${host}`, '-d', '468'],
          ['-a', `10.123.0.${host}`],
          '198.51.100.20',
          seconds,
        ),
      ),
  },
  {
    name: 'ICMP flood',
    victim: '203.0.113.30',
    site: '203.0.113.30',
    label: 'icmp@attack@simple_flood_target',
    // Exporters disagree on what stands in the place of ports.
    lists: ['srcip', 'proto'],
    senders: (seconds) =>
      hosts.map((host) => sender(['--icmp', '-d', '56'], ['-a', `10.8.0.${host}`], '203.0.113.30', seconds)),
  },
]

export const victims = attacks.map(({ victim }) => victim)

/** Runs a process of hping3 for each list of arguments, at once; resolves when the last packet is out. */
export async function sendAll(lab: Lab, senders: readonly string[][], seconds: number): Promise<void> {
  const running = senders.map((args) => lab.start('hping3', ['-q', '-n', ...args], { namespace: lab.attacker }))
  const late = setTimeout(() => running.forEach((sender) => void lab.stop(sender)), (seconds * 3 + 5) * 1_000)
  // How hping3 ends says only whether anybody answered, which spoofed sources do not hear of.
  await Promise.all(running.map(({ child }) => new Promise((resolve) => child.once('exit', resolve))))
  clearTimeout(late)
}

export async function attackAll(lab: Lab, seconds: number): Promise<void> {
  await sendAll(
    lab,
    attacks.flatMap((attack) => attack.senders(seconds)),
    seconds,
  )
}

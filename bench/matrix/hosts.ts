// What the victims of the matrix get all day, by what they are.
import { ICMP, TCP, UDP } from '../../src/net/protocols.ts'
import { ACK, FIN, PSH, SYN } from '../../src/net/tcp-flags.ts'
import { ephemeral, host, type Part, type Sender } from './sender.ts'

export type HostName = 'idle' | 'web' | 'resolver' | 'game'

const request: readonly Part[] = [
  [SYN, 60],
  [ACK, 52],
  [ACK | PSH, 560],
  ...Array.from({ length: 8 }, (): Part => [ACK, 52]),
  [ACK | PSH, 400],
  [ACK | FIN, 52],
]

/** Visitors of a site: page loads of `packetsPerSecond` altogether. */
export function visit(sender: Sender, packetsPerSecond: number, visitors = 5_000, set = 1): void {
  const { random } = sender
  for (let left = sender.whole(packetsPerSecond / request.length); left > 0; left--)
    sender.connection(host(set, random(visitors)), ephemeral(random), 443, request)
}

/** Questions of clients to a name server, and the answers that it gets for its own. */
export function resolve(sender: Sender, questionsPerSecond: number, answersPerSecond: number): void {
  const { random } = sender
  for (let seen = sender.seenOf(questionsPerSecond); seen > 0; seen--)
    sender.one(host(2, random(3_000)), ephemeral(random), 53, UDP, 0, 62 + random(20))
  for (let seen = sender.seenOf(answersPerSecond); seen > 0; seen--)
    sender.one(host(3, random(800)), 53, 1_024 + random(64_000), UDP, 0, 90 + random(260))
}

/** Players of a game on a server. */
export function play(sender: Sender, players: number, port = 27_015): void {
  for (let n = 0; n < players; n++) sender.stream(host(4, n), 27_005, port, UDP, 0, 64, 92)
}

/** What every address of the Internet gets. */
function scan(sender: Sender): void {
  const { random } = sender
  if (random(2) === 0) return
  const ports = [22, 23, 80, 443, 445, 3_389, 8_080, random(65_536)]
  for (let seen = sender.seenOf(1); seen > 0; seen--)
    sender.one(host(5, random(1_000_000)), ephemeral(random), ports[random(ports.length)], TCP, SYN, 44)
}

/** By name, the traffic of one second. */
export const hosts: Readonly<Record<HostName, (sender: Sender) => void>> = {
  idle: scan,
  web: (sender) => {
    scan(sender)
    visit(sender, 1_000 * (0.8 + sender.random(400) / 1_000))
    for (let seen = sender.seenOf(20); seen > 0; seen--)
      sender.one(host(3, sender.random(20)), 53, ephemeral(sender.random), UDP, 0, 140)
    for (let seen = sender.seenOf(5); seen > 0; seen--) sender.one(host(6, sender.random(10)), 0, 2_048, ICMP, 0, 84)
  },
  resolver: (sender) => {
    scan(sender)
    const factor = 0.8 + sender.random(400) / 1_000
    resolve(sender, 1_000 * factor, 700 * factor)
  },
  game: (sender) => {
    scan(sender)
    play(sender, 16)
  },
}

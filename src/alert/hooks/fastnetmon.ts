// How FastNetMon calls its script: `<script> <address> incoming <packets a second> ban|unban|attack_details`, with a description on standard input but for the
// end. Lines, words and units are its own, so that scripts that were written for it work unchanged.
import type { EventReport } from '../../contract/events/event.ts'
import type { Message } from '../channels/kind.ts'

/** `ban` is what scripts act upon; `attack_details` only tells. */
export type Action = 'ban' | 'unban' | 'attack_details'

/** Whoever is told that nobody took note of an attack may hear of it for the first time. */
const beginnings: readonly string[] = ['event.started', 'event.resumed', 'event.escalated']

export interface Victim {
  address: string
  packetsPerSecond: number
  bytesPerSecond: number
}

/** Scripts act. They are let to only where the attack is real, and all of what it hits is its owner's. */
export function actionOf({ type, report }: Message): Action {
  const mayAct = !report.isTest && report.view === 'all' && type !== 'alert.test'
  if (type === 'event.ended') return 'unban'
  return mayAct && beginnings.includes(type) ? 'ban' : 'attack_details'
}

/** Each address of a network that is hit, the hardest hit first. */
export function victimsOf({ network, victims, address, average }: EventReport, max: number): Victim[] {
  if (network !== null && victims.length > 0) return victims.slice(0, max)
  const { packetsPerSecond, bytesPerSecond } = average
  return [{ address, packetsPerSecond, bytesPerSecond }]
}

export function argumentsOf({ address, packetsPerSecond }: Victim, action: Action): string[] {
  return [address, 'incoming', String(Math.round(packetsPerSecond)), action]
}

/** Its words for kinds of attacks, by ours. */
function attackWord(label: string | null): string {
  const [, protocol = '', kind = ''] = /^(tcp|udp|icmp|ip)@[a-z]+@([a-z]+)/.exec(label ?? '') ?? []
  if (kind === 'frag') return 'ip_fragmentation'
  if (protocol === 'tcp') return kind === 'syn' || kind === 'synack' ? 'syn_flood' : 'unknown'
  return protocol === 'udp' || protocol === 'icmp' ? `${protocol}_flood` : 'unknown'
}

export function descriptionOf({ report }: Message, { address, packetsPerSecond, bytesPerSecond }: Victim): string {
  const { attackType, peak, average, statistics, vectors } = report
  const amount = statistics.protocols.entries.reduce((all, { packets }) => all + packets, 0)
  /** What of the victim's traffic is of a protocol, by the lists of the whole attack. */
  const partOf = (protocol: string) => {
    const found = statistics.protocols.entries.find(({ text }) => text === protocol)
    return found === undefined || amount === 0 ? 0 : found.packets / amount
  }
  const ofVectors = (pattern: RegExp) =>
    Math.min(
      1,
      vectors.reduce((all, each) => all + (pattern.test(each.attackType) ? each.share : 0), 0),
    )
  const total = { packets: packetsPerSecond, bytes: bytesPerSecond }
  const flows = average.flowsPerSecond
  const parts: [name: string, share: number][] = [
    ['ip fragmented', ofVectors(/_frag|@frag/)],
    ['tcp', partOf('TCP')],
    ['syn tcp', ofVectors(/^tcp@[a-z]+@syn(?!ack|fin)/)],
    ['udp', partOf('UDP')],
    ['icmp', partOf('ICMP')],
  ]
  const lines = [
    `IP: ${address}`,
    `Attack type: ${attackWord(attackType)}`,
    `Initial attack power: ${count(packetsPerSecond)} packets per second`,
    `Peak attack power: ${count(Math.max(packetsPerSecond, peak.packetsPerSecond))} packets per second`,
    'Attack direction: incoming',
    `Attack protocol: ${heaviest(statistics)}`,
    ...sums('Total', total, flows),
    ...sums('Average', total, flows),
    ...parts.flatMap(([name, share]) => [
      `Incoming ${name} traffic: ${megabits(bytesPerSecond * share)} mbps`,
      `Outgoing ${name} traffic: 0 mbps`,
      `Incoming ${name} pps: ${count(packetsPerSecond * share)} packets per second`,
      `Outgoing ${name} pps: 0 packets per second`,
    ]),
  ]
  const dump = statistics.samples.filter(({ destination }) => destination === address).map(recordLine)
  return `${[...lines, '', ...dump].join('\n')}\n`
}

/** It counts megabits by 1024. */
const megabits = (bytesPerSecond: number) => Math.floor((bytesPerSecond / 1_024 / 1_024) * 8)
const count = (value: number) => Math.round(value)

function sums(which: 'Total' | 'Average', { packets, bytes }: { packets: number; bytes: number }, flows: number) {
  return [
    `${which} incoming traffic: ${megabits(bytes)} mbps`,
    `${which} outgoing traffic: 0 mbps`,
    `${which} incoming pps: ${count(packets)} packets per second`,
    `${which} outgoing pps: 0 packets per second`,
    `${which} incoming flows: ${count(flows)} flows per second`,
    `${which} outgoing flows: 0 flows per second`,
  ]
}

function heaviest({ protocols: { entries } }: EventReport['statistics']): string {
  const [first] = entries.toSorted((a, b) => b.packets - a.packets)
  const name = first?.text.toLowerCase() ?? ''
  return ['tcp', 'udp', 'icmp'].includes(name) ? name : 'unknown'
}

function recordLine(sample: EventReport['statistics']['samples'][number]): string {
  const { start, source, sourcePort, destination, destinationPort, protocol, packets, bytes, samplingRate } = sample
  const time = start.slice(0, 19).replace('T', ' ')
  const way = `${source}:${sourcePort} > ${destination}:${destinationPort}`
  const size = `packets: ${count(packets)} size: ${count(bytes)} bytes`
  return `${time} ${way} protocol: ${protocol.toLowerCase()} ${size} sample ratio: ${samplingRate ?? 1}`
}

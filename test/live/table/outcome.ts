// What one exporter led to for one attack: the events beside what was sent. It works on what was recorded, so that it can be asked again.
import type { EventReport } from '../../../client/index.ts'
import { parseIpv4 } from '../../../src/net/ipv4.ts'
import { type Attack, rangeOf } from './attacks.ts'
import type { TableExporter } from './exporters.ts'
import type { Amount } from './wire.ts'

/** An event may be dated so long before or after the packets: exporters that time flows by whole minutes. */
const aroundMs = 90_000
const tolerance = 0.02
/** What a flood of TCP is called where its flags are not known. */
const withoutFlags = 'tcp@attack@simple_flood_target'

/** All that one exporter led to. */
export interface Account {
  reports: EventReport[]
  /** When each event was first told, by its id. Unix time, milliseconds. */
  toldMs: Record<string, number>
  /** What nfdump made of the same export, by attack; zero: it can't read it, or was not asked yet. */
  nfdump: Record<string, Amount>
  /** What the watch has said. */
  watched: string
}

export interface Recorded {
  beginMs: number
  attacks: string[]
  /** What came over the wire, by attack. */
  wire: Record<string, Amount>
  /** By exporter. */
  accounts: Record<string, Account>
}

export interface Outcome {
  /** What is not as it should be; empty: all is right. */
  wrong: string[]
  events: EventReport[]
  /** From the first packet to the first word of the event. Seconds. */
  delay: number | null
  /** How much later than the last packet the event ends. Seconds. */
  endLater: number | null
  /** The part of the packets sent that the events have. */
  packets: number
}

export function outcomeOf(attack: Attack, exporter: TableExporter, { beginMs, wire, accounts }: Recorded): Outcome {
  const { reports, toldMs, nfdump } = accounts[exporter.name]
  const [fromMs, toMs] = timesOf(attack, beginMs)
  const events = eventsOf(attack, reports, beginMs)
  const sent = wire[attack.name]
  const found = sum(events.map(({ total }) => total))
  const packets = found.packets / sent.packets
  const bytes = found.bytes / (sent.bytes + (exporter.frameOctets ?? 0) * sent.packets)
  /** What is missing, the exporter did not report. */
  const asExported = (of: keyof Amount) =>
    Math.abs(found[of] / (nfdump[attack.name]?.[of] ?? 0) - 1) <= tolerance ? ', as nfdump finds' : ''
  const labels = exporter.hasNoFlags && attack.needsFlags ? [...attack.labels, withoutFlags] : attack.labels
  const returns = events.reduce((all, each) => all + each.returns, 0)
  const wrong = [
    events.length !== attack.events && `${events.length} events`,
    ...events.map(({ attackType }) => !labels.includes(attackType ?? '') && `label ${attackType}`),
    returns !== attack.returns && `${returns} returns`,
    ...events.map(({ phase }) => phase !== 'closed' && phase),
    Math.abs(packets - 1) > tolerance && `${percent(packets)} of the packets${asExported('packets')}`,
    Math.abs(bytes - 1) > tolerance && `${percent(bytes)} of the octets${asExported('bytes')}`,
  ]
  const firstMs = events.length === 0 ? undefined : toldMs[events[0].id]
  const endMs = Math.max(...events.map(({ end }) => (end === null ? Number.NaN : Date.parse(end))))
  return {
    wrong: wrong.filter((each) => each !== false),
    events,
    delay: firstMs === undefined ? null : (firstMs - fromMs) / 1_000,
    endLater: Number.isFinite(endMs) ? (endMs - toMs) / 1_000 : null,
    packets,
  }
}

/** Events of no attack. */
export function strays(attacks: readonly Attack[], { reports }: Account, beginMs: number): EventReport[] {
  const own = new Set(attacks.flatMap((attack) => eventsOf(attack, reports, beginMs)))
  return reports.filter((report) => !own.has(report))
}

/** Those of an attack, the first one first. */
function eventsOf(attack: Attack, reports: readonly EventReport[], beginMs: number): EventReport[] {
  const { first, count } = rangeOf(attack.victims)
  const [fromMs, toMs] = timesOf(attack, beginMs)
  return reports
    .filter(({ address, start, lastSeen }) => {
      const number = parseIpv4(address) ?? -1
      const isThere = number >= first && number < first + count
      return isThere && Date.parse(start) < toMs + aroundMs && Date.parse(lastSeen) > fromMs - aroundMs
    })
    .toSorted((a, b) => Date.parse(a.start) - Date.parse(b.start))
}

function timesOf({ spans }: Attack, beginMs: number): [fromMs: number, toMs: number] {
  return [beginMs + spans[0][0] * 1_000, beginMs + spans[spans.length - 1][1] * 1_000]
}

export function sum(amounts: readonly Amount[]): Amount {
  const add = (a: Amount, b: Amount) => ({ packets: a.packets + b.packets, bytes: a.bytes + b.bytes })
  return amounts.reduce(add, { packets: 0, bytes: 0 })
}

export function percent(part: number): string {
  return `${(100 * part).toFixed(1)} %`
}

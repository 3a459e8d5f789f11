// What `/open` shows of events and sites, with its field names and units, which the contract declares. Pure.
import type {
  DdosEvent,
  DdosEventDetail,
  StatisticEntry as WireEntry,
  DnsSnapshot as WireSnapshot,
} from '../../contract/events/open.ts'
import type { AddOutcome, BatchOutcome, Site as WireSite } from '../../contract/sites/open.ts'
import { formatTime } from '../../contract/time.ts'
import type { StatisticEntry } from '../../detect/incidents/incident-report.ts'
import { formatKey } from '../../net/address.ts'
import type { DnsSnapshot, EventDetail, EventEntry, Site } from '../../store/store.ts'

export function presentSite(site: Site, userEmail: string): WireSite {
  return {
    create_time: formatTime(site.createdMs),
    group_id: site.groupId,
    group_name: site.groupName,
    host: site.host,
    is_enable: site.enabled,
    user_email: userEmail,
  }
}

export function presentEvent(event: EventEntry): DdosEvent {
  const wire: DdosEvent = eventFields(event)
  if (event.label !== null) wire.attack_type = event.label
  return wire
}

export function presentEventDetail(event: EventDetail): DdosEventDetail {
  const { destinationPort, sourcePort, sourceAddress, protocol, flags } = event.statistics
  return {
    ...eventFields(event),
    dac: event.dns.map(presentSnapshot),
    dstport: presentStatistics(destinationPort),
    srcport: presentStatistics(sourcePort),
    srcip: presentStatistics(sourceAddress),
    proto: presentStatistics(protocol),
    flags: presentStatistics(flags),
  }
}

function eventFields(event: EventEntry) {
  return {
    _id: event.id,
    cts: formatTime(event.createdMs),
    curavg_bps: perMinute(event.bytesPerSecond),
    curavg_flows: perMinute(event.flowsPerSecond),
    curavg_pps: perMinute(event.packetsPerSecond),
    deviate: rounded(event.deviation),
    ip: formatKey(event.address),
    domain: event.domain,
    site: event.site,
  }
}

/** Largest `Flows` first; equal ones by `Bytes`, then by `Item`, so that two answers agree. */
function presentStatistics(entries: readonly StatisticEntry[]): WireEntry[] {
  return entries
    .toSorted((a, b) => b.flows - a.flows || b.bytes - a.bytes || a.item - b.item)
    .map((entry) => ({
      // Typed arrays and databases may hand a 32-bit address over as a signed number.
      Item: entry.item >>> 0,
      Bytes: entry.bytes,
      Flows: entry.flows,
      Packets: entry.packets,
      Prots: Object.fromEntries(entry.protocols.map((protocol) => [String(protocol), {}])),
    }))
}

function presentSnapshot(snapshot: DnsSnapshot): WireSnapshot {
  return { domain: snapshot.domain, a: presentTimes(snapshot.a), cname: presentTimes(snapshot.cname) }
}

/** Names come from the network: `fromEntries` makes a member even of `__proto__`. */
function presentTimes(times: Readonly<Record<string, number>>): Record<string, string> {
  return Object.fromEntries(Object.entries(times).map(([name, ms]) => [name, formatTime(ms)]))
}

function perMinute(perSecond: number): number {
  return rounded(perSecond * 60)
}

/** Two decimals; JSON has no number for what is not finite. */
function rounded(value: number): number {
  return Number.isFinite(value) ? Math.round(value * 100) / 100 : 0
}

/** A host of a request with what became of it: null when it was done, else the reason. */
export interface HostOutcome {
  /** As the caller spelt it. */
  spelling: string
  reason: string | null
}

export function presentAdded(outcomes: readonly HostOutcome[]): AddOutcome {
  // The spelling may be `__proto__`: `fromEntries` makes a member of it, an assignment would not.
  return presentOutcomes(outcomes, ({ spelling, reason }) => Object.fromEntries([[spelling, reason ?? '']]))
}

export function presentChanged(outcomes: readonly HostOutcome[]): BatchOutcome {
  return presentOutcomes(outcomes, ({ spelling }) => spelling)
}

function presentOutcomes<Failure>(outcomes: readonly HostOutcome[], present: (failed: HostOutcome) => Failure) {
  const success = outcomes.filter(({ reason }) => reason === null).map(({ spelling }) => spelling)
  const error = outcomes.filter(({ reason }) => reason !== null).map(present)
  return { status: error.length === 0 ? 1 : success.length === 0 ? -1 : 0, success, error }
}

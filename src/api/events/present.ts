// Events as the interface under /api/v1 shows them: every unit in its name. Pure.

import type { IsShared } from '../../access/shared-addresses.ts'
import type {
  EventAlert,
  EventListEntry,
  EventOverview,
  EventReport,
  EventSample,
  EventSeries,
  EventStatistics,
  EventNote as WireNote,
} from '../../contract/events/event.ts'
import { type EventNumbers, ofEachNumber } from '../../contract/events/numbers.ts'
import type { AttackSpan } from '../../contract/overview.ts'
import { formatTime } from '../../contract/time.ts'
import type {
  Amount,
  CourseRates,
  ListName,
  NormalBand,
  SampleRecord,
  StatisticEntry,
  Victim,
  Why,
} from '../../detect/incidents/incident-report.ts'
import { hitNetwork, type OwnNetwork, ownAddresses, ownNetworks } from '../../events/hit-network.ts'
import { type EventNote, noNote, type Saying } from '../../events/notes.ts'
import { severityOf } from '../../events/severity.ts'
import { timelineOf } from '../../events/timeline.ts'
import { zoneOf } from '../../names/resolve/zone-back-off.ts'
import { formatKey } from '../../net/address.ts'
import { formatNetworkKey, neighbourLength } from '../../net/network.ts'
import { protocolName } from '../../net/protocols.ts'
import { formatTcpFlags } from '../../net/tcp-flags.ts'
import type { DnsSnapshot, EventDetail, EventEpisode, EventSummary } from '../../store/store.ts'
import { rounded } from '../rounding.ts'
import { type Places, presentInterfaces, presentOrigins, presentSources, presentSystems } from './present-sources.ts'

export function presentOverview(event: EventSummary, note: EventNote = noNote): EventOverview {
  return {
    id: event.id,
    createdAt: formatTime(event.createdMs),
    updatedAt: formatTime(event.updatedMs),
    sequence: event.sequence,
    state: event.endMs === null ? 'open' : 'ended',
    phase: event.phase === 'active' && event.returns > 0 ? 'returned' : event.phase,
    start: formatTime(event.startMs),
    lastSeen: formatTime(event.lastMs),
    end: event.endMs === null ? null : formatTime(event.endMs),
    returns: event.returns,
    address: formatKey(event.address),
    site: event.site,
    domain: event.domain,
    view: event.view,
    attackType: event.label,
    ...presentAmount(event),
    acknowledged: presentSaying(note.acknowledged),
    classification: note.classification,
    severity: severityOf(event),
    ...presentNumbers(event),
    isTest: event.isTest,
    network: event.network,
  }
}

function presentNumbers(event: EventSummary): EventNumbers {
  return ofEachNumber<number | null, EventNumbers>((name) => {
    const value = event[name]
    return value === null ? null : rounded(value)
  })
}

export function presentSpan(event: EventSummary, { classification }: EventNote = noNote): AttackSpan {
  const { id, startMs, endMs, site, label, isTest } = event
  return {
    id,
    start: formatTime(startMs),
    end: endMs === null ? null : formatTime(endMs),
    site,
    attackType: label,
    severity: severityOf(event),
    classification,
    isTest,
  }
}

export function presentNote({ acknowledged, classification, text, said }: EventNote): WireNote {
  return { acknowledged: presentSaying(acknowledged), classification, text, said: presentSaying(said) }
}

function presentSaying(saying: Saying | null): WireNote['said'] {
  return saying === null ? null : { by: saying.by, at: formatTime(saying.atMs) }
}

export interface ReportContext {
  /** The caller may know the exporters. */
  isAdmin: boolean
  isShared: IsShared
  places: Places
  /** Those of an event that came back; see `Store.episodesOf`. */
  episodes: readonly EventEpisode[]
  /** What is told about the event to channels of its owner. */
  alerts: readonly EventAlert[]
}

export function presentReport(
  event: EventDetail,
  note: EventNote,
  { isAdmin, isShared, places, episodes, alerts }: ReportContext,
): EventReport {
  return {
    ...presentOverview(event, note),
    // Events of older versions have their victims alone.
    network: event.network ?? hitNetwork(event, event),
    sites: event.sites,
    episodes: episodesOf(event, episodes).map((episode) => presentEpisode(episode, event)),
    why: event.why.map(presentWhy),
    vectors: event.vectors.map(({ label, share, packetsPerSecond }) => ({
      attackType: label,
      // Rounded down, so that all of them are no more than one.
      share: Math.floor(Math.min(1, Math.max(0, share)) * 1e4) / 1e4,
      packetsPerSecond: rounded(packetsPerSecond),
    })),
    networks: ownNetworks(event, event).map(presentNetwork),
    victims: ownOf(event, event.victims, ({ address }) => address).map(presentVictim),
    note: presentNote(note),
    timeline: timelineOf(event, note, episodes).map(({ atMs, ...moment }) => ({ ...moment, at: formatTime(atMs) })),
    alerts: [...alerts],
    statistics: presentStatistics(event, { isAdmin, places }),
    dns: event.dns.map(presentDns),
    isShared: isShared(event.address, new Set(event.dns.map(({ domain }) => zoneOf(domain))).size),
  }
}

/** How long it was there, and how much came: averages over active time, of which the total is made. */
function presentAmount(amount: Amount) {
  const { activeSeconds, bytesPerSecond, packetsPerSecond, flowsPerSecond, peak } = amount
  return {
    activeSeconds,
    average: presentRates(amount),
    peak: { ...presentRates(peak), at: formatTime(peak.atMs) },
    total: {
      bytes: Math.round(bytesPerSecond * activeSeconds),
      packets: Math.round(packetsPerSecond * activeSeconds),
      flows: Math.round(flowsPerSecond * activeSeconds),
    },
  }
}

/** An event that did not come back has one. */
function episodesOf(event: EventDetail, stored: readonly EventEpisode[]): readonly EventEpisode[] {
  return stored.length > 0 ? stored : [{ ...event.episode, id: event.id, createdMs: event.createdMs }]
}

/** Only the latest episode goes on, if any does. */
function presentEpisode(episode: EventEpisode, event: EventSummary): EventReport['episodes'][number] {
  const goesOn = event.endMs === null && episode.endMs === event.lastMs
  return {
    id: episode.id,
    createdAt: formatTime(episode.createdMs),
    start: formatTime(episode.startMs),
    end: goesOn ? null : formatTime(episode.endMs),
    ...presentAmount(episode),
  }
}

export function presentSeries({ id, startMs, course }: EventDetail): EventSeries {
  const none: CourseRates = { bytesPerSecond: [], packetsPerSecond: [], flowsPerSecond: [] }
  const { fromMs, stepSeconds, total, attack, normal } = course ?? {
    fromMs: startMs,
    stepSeconds: 1,
    total: none,
    attack: none,
    normal: null,
  }
  return {
    id,
    from: formatTime(fromMs),
    stepSeconds,
    total,
    attack,
    normal: normal === null ? null : { total: presentBand(normal.total), attack: presentBand(normal.attack) },
  }
}

export function presentRates(rates: { bytesPerSecond: number; packetsPerSecond: number; flowsPerSecond: number }) {
  return {
    bytesPerSecond: rounded(rates.bytesPerSecond),
    packetsPerSecond: rounded(rates.packetsPerSecond),
    flowsPerSecond: rounded(rates.flowsPerSecond),
  }
}

function presentBand({ low, high }: NormalBand) {
  return { lowPacketsPerSecond: rounded(low), highPacketsPerSecond: rounded(high) }
}

function presentWhy({ metric, value, threshold, normal, band, error, source }: Why): EventReport['why'][number] {
  return {
    metric,
    valuePerSecond: rounded(value),
    linePerSecond: rounded(threshold),
    normalPerSecond: normal === null ? null : rounded(normal),
    band: band === null ? null : { lowPerSecond: rounded(band.low), highPerSecond: rounded(band.high) },
    standardError: rounded(error, 4),
    source,
  }
}

function presentStatistics(
  event: EventDetail,
  { isAdmin, places }: { isAdmin: boolean; places: Places },
): EventStatistics {
  const { statistics } = event
  const { exporter, ingress, egress, flowsMissedMax, sources } = statistics
  const list = (dimension: ListName, textOf: (item: number) => string) => ({
    flowsMissedMax: flowsMissedMax[dimension],
    entries: statistics[dimension].map((entry) => presentEntry(entry, textOf)),
  })
  const exporters = exporter.map(({ address, ...amounts }) => ({
    address: address === '' ? null : address,
    ...amounts,
  }))
  const sourceList = list('sourceAddress', formatKey)
  const located = presentSources(sourceList.entries, places)
  return {
    destinationPorts: list('destinationPort', String),
    sourcePorts: list('sourcePort', String),
    sources: { ...sourceList, entries: located },
    origins: presentOrigins(located, places),
    protocols: list('protocol', protocolName),
    tcpFlags: list('flags', formatTcpFlags),
    packetLengths: list('length', String),
    sourceSystems: presentSystems(statistics, located),
    ingressInterfaces: isAdmin ? presentInterfaces(ingress, flowsMissedMax.ingress) : null,
    egressInterfaces: isAdmin ? presentInterfaces(egress, flowsMissedMax.egress) : null,
    exporters: isAdmin ? { flowsMissedMax: flowsMissedMax.exporter, entries: exporters } : null,
    distinctSources: { count: sources.distinct, standardError: rounded(sources.error, 5) },
    samples: ownOf(event, statistics.samples, ({ victim }) => victim).map((sample) => presentSample(sample, isAdmin)),
  }
}

function presentEntry(entry: StatisticEntry, textOf: (item: number) => string): EventListEntry {
  const { item, flows, packets, bytes, protocols } = entry
  return { item, text: textOf(item), flows, packets, bytes, protocols: protocols.map(protocolName) }
}

/** The lists of an attack on a network are those of all of it; what names single addresses shows those of the owner’s sites alone. */
function ownOf<Each>(event: EventDetail, all: readonly Each[], victimOf: (each: Each) => number): Each[] {
  const isOwn = ownAddresses(event)
  return all.filter((each) => isOwn(victimOf(each)))
}

function presentNetwork({ network, addresses, ...rates }: OwnNetwork): EventReport['networks'][number] {
  return {
    network: formatNetworkKey({ network, length: neighbourLength }),
    addresses: addresses.length,
    packetsPerSecond: rounded(rates.packetsPerSecond),
    bytesPerSecond: rounded(rates.bytesPerSecond),
  }
}

function presentVictim({ address, packetsPerSecond, bytesPerSecond }: Victim): EventReport['victims'][number] {
  return {
    address: formatKey(address),
    packetsPerSecond: rounded(packetsPerSecond),
    bytesPerSecond: rounded(bytesPerSecond),
  }
}

function presentSample(sample: SampleRecord, isAdmin: boolean): EventSample {
  const { sourcePort, destinationPort, packets, bytes, samplingRate, exporter } = sample
  return {
    start: formatTime(sample.startMs),
    end: formatTime(sample.endMs),
    source: formatKey(sample.source),
    sourcePort,
    destination: formatKey(sample.victim),
    destinationPort,
    protocol: protocolName(sample.protocol),
    tcpFlags: formatTcpFlags(sample.tcpFlags),
    packets,
    bytes,
    samplingRate: samplingRate === 0 ? null : samplingRate,
    exporter: isAdmin && exporter !== '' ? exporter : null,
  }
}

function presentDns({ domain, a, cname }: DnsSnapshot): EventReport['dns'][number] {
  return {
    domain,
    addresses: Object.entries(a).map(([address, ms]) => ({ address, confirmedAt: formatTime(ms) })),
    aliases: Object.entries(cname).map(([name, ms]) => ({ name, confirmedAt: formatTime(ms) })),
  }
}

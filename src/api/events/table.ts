// The report of an event as comma-separated values (RFC 4180), for spreadsheets: a row for each fact, and for each entry of each list. Pure.
import type { EventReport } from '../../contract/events/event.ts'
import { eventNumberNames } from '../../contract/events/numbers.ts'
import type { EventInterfaces, EventOrigins } from '../../contract/events/origins.ts'
import type { Cell } from '../../events/columns.ts'
import { csvLine } from '../csv.ts'

const head = ['section', 'name', 'value', 'flows', 'packets', 'bytes', 'protocols']
const placeHead = ['country', 'as', 'asName']

export function eventTable(report: EventReport): string {
  const { origins } = report.statistics
  // Where nothing is known of places there are no columns for them.
  const columns = origins === null ? head.length : head.length + placeHead.length
  const rows = [
    [...head, ...placeHead],
    ...factsOf(report),
    ...listsOf(report),
    ...(origins === null ? [] : originsOf(origins)),
  ]
  return rows.map((row) => csvLine(Array.from({ length: columns }, (_, i) => row[i] ?? null))).join('')
}

function factsOf(report: EventReport): Cell[][] {
  const { note, peak, average } = report
  const facts: [name: string, value: Cell][] = [
    ['id', report.id],
    ['createdAt', report.createdAt],
    ['state', report.state],
    ['start', report.start],
    ['end', report.end],
    ['address', report.address],
    ['site', report.site],
    ['domain', report.domain],
    ['attackType', report.attackType],
    ['severity', report.severity],
    ...eventNumberNames.map((name): [string, Cell] => [name, report[name]]),
    ['isTest', String(report.isTest)],
    ['averageBytesPerSecond', average.bytesPerSecond],
    ['averagePacketsPerSecond', average.packetsPerSecond],
    ['averageFlowsPerSecond', average.flowsPerSecond],
    ['peakAt', peak.at],
    ['peakBytesPerSecond', peak.bytesPerSecond],
    ['peakPacketsPerSecond', peak.packetsPerSecond],
    ['peakFlowsPerSecond', peak.flowsPerSecond],
    ['acknowledgedBy', note.acknowledged?.by ?? null],
    ['classification', note.classification],
    ['note', note.text],
  ]
  const { total, statistics } = report
  return [
    ...facts.map(([name, value]) => ['event', name, value, null, null, null, null]),
    ['event', 'total', null, total.flows, total.packets, total.bytes, null],
    ['event', 'distinctSources', statistics.distinctSources.count, null, null, null, null],
    ...report.why.map(({ metric, valuePerSecond, linePerSecond }) => {
      return ['why', metric, `${valuePerSecond} above ${linePerSecond} per second`, null, null, null, null]
    }),
    ...report.vectors.map(({ attackType, share }) => ['vectors', attackType, share, null, null, null, null]),
    ...report.sites.map((site) => ['sites', site, null, null, null, null, null]),
    ...report.victims.map(({ address, packetsPerSecond }) => {
      return ['victims', address, packetsPerSecond, null, null, null, null]
    }),
  ]
}

function listsOf({ statistics }: EventReport): Cell[][] {
  const { destinationPorts, sourcePorts, sources, protocols, tcpFlags, packetLengths, exporters } = statistics
  const lists = { destinationPorts, sourcePorts, protocols, tcpFlags, packetLengths }
  return [
    ...sources.entries.map(({ text, flows, packets, bytes, protocols: seen, country, as }) => {
      return [
        'sources',
        text,
        null,
        flows,
        packets,
        bytes,
        seen.join(' '),
        country,
        as?.number ?? null,
        as?.name ?? null,
      ]
    }),
    ...Object.entries(lists).flatMap(([name, { entries }]) =>
      entries.map(({ text, flows, packets, bytes, protocols: seen }) => {
        return [name, text, null, flows, packets, bytes, seen.join(' ')]
      }),
    ),
    ...(exporters?.entries ?? []).map(({ address, flows, packets, bytes }) => {
      return ['exporters', address, null, flows, packets, bytes, null]
    }),
    ...statistics.sourceSystems.entries.map(({ as, flows, packets, bytes }) => {
      return ['sourceSystems', as.number, as.name, flows, packets, bytes, null]
    }),
    ...interfacesOf('ingressInterfaces', statistics.ingressInterfaces),
    ...interfacesOf('egressInterfaces', statistics.egressInterfaces),
  ]
}

/** Their exporter is their value. */
function interfacesOf(name: string, interfaces: EventInterfaces | null): Cell[][] {
  return (interfaces?.entries ?? []).map(({ exporter, interface: index, flows, packets, bytes }) => {
    return [name, index, exporter, flows, packets, bytes, null]
  })
}

/** How many sources is their value. */
function originsOf({ countries, systems }: EventOrigins): Cell[][] {
  return [
    ...countries.map(({ country, sources, flows, packets, bytes }) => {
      return ['countries', country, sources, flows, packets, bytes, null, country]
    }),
    ...systems.map(({ as, sources, flows, packets, bytes }) => {
      const number = as?.number ?? null
      return ['systems', number, sources, flows, packets, bytes, null, null, number, as?.name ?? null]
    }),
  ]
}

// Events as text for people: a row of the list, and the page of one event.
import type { EventFacts, EventOverview, EventReport } from '../../../client/index.ts'
import {
  type EventNumberRow,
  type EventNumberUnit,
  eventNumberNames,
  eventNumbers,
} from '../../contract/events/numbers.ts'
import { type Column, formatCount, formatTime, tableHead, tableRow } from './output.ts'
import { printable } from './terminal.ts'

function bitsPerSecond(event: EventFacts): string {
  return formatCount(event.bitsPerSecond, 'bps')
}

export const eventColumns: Column<EventFacts>[] = [
  { title: 'DETECTED (UTC)', width: 19, text: (event) => formatTime(event.detectedAt) },
  { title: 'ID', width: 24, text: (event) => event.id },
  { title: 'VICTIM', width: 15, text: (event) => event.victim },
  { title: 'SITE', width: 24, text: (event) => event.site },
  { title: 'ATTACK', width: 34, text: (event) => event.attack ?? 'unknown' },
  { title: 'TRAFFIC', width: 12, right: true, text: bitsPerSecond },
  { title: 'PACKETS', width: 10, right: true, text: (event) => formatCount(event.packetsPerSecond, 'pps') },
  { title: 'NORMAL x', width: 8, right: true, text: (event) => formatCount(event.deviation) },
]

/** As the list of `/open` would have it. */
export function factsOfOverview({ attackType, address, createdAt, average, ...event }: EventOverview): EventFacts {
  const { bytesPerSecond, packetsPerSecond, flowsPerSecond } = average
  const rates = { bitsPerSecond: bytesPerSecond * 8, packetsPerSecond, flowsPerSecond }
  return { ...event, ...rates, detectedAt: createdAt, victim: address, attack: attackType }
}

type Statistics = EventReport['statistics']
type ListEntry = Statistics['sourcePorts']['entries'][number]
type Source = Statistics['sources']['entries'][number]

/** Networks and victims of an attack that are printed. */
const shownMax = 20

const lists: {
  name: 'sourcePorts' | 'destinationPorts' | 'protocols' | 'tcpFlags' | 'packetLengths'
  title: string
}[] = [
  { name: 'sourcePorts', title: 'SOURCE PORT' },
  { name: 'destinationPorts', title: 'DESTINATION PORT' },
  { name: 'protocols', title: 'PROTOCOL' },
  { name: 'tcpFlags', title: 'TCP FLAGS' },
  { name: 'packetLengths', title: 'PACKET LENGTH' },
]

/** Further sites of an event that are named. */
const affectedMax = 10

export function renderReport(report: EventReport, top: number): string {
  const { statistics } = report
  const rows: [string, string][] = [
    ['event', report.id],
    ['test', report.isTest ? 'the attack was simulated' : ''],
    ['detected', `${formatTime(report.createdAt)} UTC`],
    ['victim', report.address],
    ['site', report.site],
    ['affects', alsoAffected(report)],
    ['shared', report.isShared ? 'many sites share the address: the target may be a neighbour' : ''],
    ['domain', report.domain],
    ['attack', report.attackType ?? 'unknown'],
    ['start', `${formatTime(report.start)} UTC`],
    ['end', report.end === null ? 'it goes on' : `${formatTime(report.end)} UTC`],
    ['phase', report.phase],
    ['active', `${formatCount(report.activeSeconds)} s`],
    ['average', ratesText(report.average)],
    ['peak', `${ratesText(report.peak)} at ${formatTime(report.peak.at)} UTC`],
    ['total', totalText(report.total)],
    ...(report.returns > 0
      ? report.episodes.map((episode): [string, string] => ['episode', episodeText(episode)])
      : []),
    ['normal', normalOf(report)],
    ...numberLines(report),
    ['severity', report.severity],
    ...report.why.map((why): [string, string] => ['why', whyText(why)]),
    ...report.vectors.map((vector): [string, string] => ['vector', vectorText(vector)]),
    ...report.networks.slice(0, shownMax).map((network): [string, string] => ['network', networkText(network)]),
    ['networks', moreText(report.networks.length - shownMax)],
    ['victims', victimsText(report)],
    [
      'sources',
      report.view === 'all' ? sourcesText(statistics.distinctSources) : 'not told: the address is not yours alone',
    ],
    ...report.dns.map((dns): [string, string] => ['dns', dnsText(dns)]),
  ]
  const head = rows.filter(([, text]) => text !== '').map(([name, text]) => `${name.padEnd(10)}${printable(text)}`)
  const tables = lists.flatMap(({ name, title }) => ['', ...listTable(title, statistics[name], top)])
  const exporters = statistics.exporters === null ? [] : ['', ...exporterTable(statistics.exporters, top)]
  return [
    ...head,
    '',
    ...sourceTable(statistics, top),
    ...originTables(statistics.origins, top),
    ...tables,
    ...systemTable(statistics.sourceSystems, top),
    ...exporters,
    ...interfaceTable('CAME IN BY INTERFACE', statistics.ingressInterfaces, top),
    ...interfaceTable('LEFT BY INTERFACE', statistics.egressInterfaces, top),
    '',
    ...sampleTable(statistics.samples, top),
  ].join('\n')
}

function alsoAffected({ sites: [, ...others] }: EventReport): string {
  const more = others.length - affectedMax
  return others.slice(0, affectedMax).join(', ') + (more > 0 ? ` and ${more} more` : '')
}

function ratesText({ bytesPerSecond, packetsPerSecond, flowsPerSecond }: EventReport['average']): string {
  const [bits, packets] = [formatCount(bytesPerSecond * 8, 'bps'), formatCount(packetsPerSecond, 'pps')]
  return `${bits}, ${packets}, ${formatCount(flowsPerSecond)} flows/s`
}

function episodeText({ start, end, average, total }: EventReport['episodes'][number]): string {
  const until = end === null ? 'now' : formatTime(end)
  return `${formatTime(start)} to ${until}: ${ratesText(average)}; ${totalText(total)}`
}

function totalText({ bytes, packets, flows }: EventReport['total']): string {
  return `${formatCount(bytes, 'B')}, ${formatCount(packets)} packets, ${formatCount(flows)} flows`
}

function normalOf({ normalPacketsPerSecond, peak }: EventReport): string {
  if (normalPacketsPerSecond === null) return 'not learnt when it began'
  const times = peak.packetsPerSecond / Math.max(normalPacketsPerSecond, 1)
  return `${formatCount(normalPacketsPerSecond, 'pps')}; the peak is ${formatCount(times)} times that`
}

/** By what the number counts. */
const numberTexts: Record<EventNumberUnit, (value: number) => string> = {
  times: (value) => `${formatCount(value)} times`,
  'packets/s': (value) => formatCount(value, 'pps'),
  'bytes/s': (value) => formatCount(value * 8, 'bps'),
}

/** The numbers that have a line of their own; one that is not known has none. */
function numberLines(report: EventReport): [string, string][] {
  return eventNumberNames.flatMap((name): [string, string][] => {
    const { line, unit }: EventNumberRow = eventNumbers[name]
    const value = report[name]
    return line === null || value === null ? [] : [[line, numberTexts[unit](value)]]
  })
}

function whyText({
  metric,
  valuePerSecond,
  linePerSecond,
  normalPerSecond,
  source,
}: EventReport['why'][number]): string {
  const unit = metric === 'packets' ? 'pps' : `${metric}/s`
  const rateOf = (value: number) => formatCount(value, unit)
  const normal = normalPerSecond === null ? 'not learnt' : rateOf(normalPerSecond)
  return `${rateOf(valuePerSecond)} above ${rateOf(linePerSecond)} (${source}), normal ${normal}`
}

function vectorText({ attackType, share, packetsPerSecond }: EventReport['vectors'][number]): string {
  return `${attackType}, ${Math.round(share * 100)} % (${formatCount(packetsPerSecond, 'pps')})`
}

function networkText({
  network,
  addresses,
  packetsPerSecond,
  bytesPerSecond,
}: EventReport['networks'][number]): string {
  const rates = `${formatCount(bytesPerSecond * 8, 'bps')}, ${formatCount(packetsPerSecond, 'pps')}`
  return `${network}, ${addresses} ${addresses === 1 ? 'address' : 'addresses'} (${rates})`
}

/** The hardest hit addresses, in their order. */
function victimsText({ victims, networks }: EventReport): string {
  const shown = victims.slice(0, shownMax).map(({ address }) => address)
  const all = networks.reduce((sum, { addresses }) => sum + addresses, 0)
  const inOrder = shown.toSorted((a, b) => a.localeCompare(b, 'en', { numeric: true }))
  return [inOrder.join(', '), moreText(all - shown.length)].filter((text) => text !== '').join(', ')
}

function moreText(count: number): string {
  return count > 0 ? `and ${count} more` : ''
}

function sourcesText({ count, standardError }: Statistics['distinctSources']): string {
  return standardError === 0
    ? String(count)
    : `about ${formatCount(count)}, give or take ${formatCount(count * standardError)}`
}

function dnsText({ domain, addresses, aliases }: EventReport['dns'][number]): string {
  return [domain, ...aliases.map(({ name }) => name), addresses.map(({ address }) => address).join(', ')].join(' -> ')
}

interface Amounts {
  flows: number
  packets: number
  bytes: number
}

const amountColumns: Column<Amounts>[] = [
  { title: 'FLOWS', width: 8, right: true, text: ({ flows }) => formatCount(flows) },
  { title: 'PACKETS', width: 8, right: true, text: ({ packets }) => formatCount(packets) },
  { title: 'BYTES', width: 8, right: true, text: ({ bytes }) => formatCount(bytes) },
]

function listTable(title: string, { flowsMissedMax, entries }: Statistics['sourcePorts'], top: number): string[] {
  const columns: Column<ListEntry>[] = [
    { title, width: 18, text: ({ text }) => text },
    ...amountColumns,
    { title: 'PROTOCOLS', width: 0, text: ({ protocols }) => protocols.join(' ') },
  ]
  return table(columns, entries, { flowsMissedMax, top })
}

/** With where each is, where that is known. */
function sourceTable({ sources, origins }: Statistics, top: number): string[] {
  const place: Column<Source>[] =
    origins === null
      ? []
      : [
          { title: 'COUNTRY', width: 7, text: ({ country }) => country ?? '' },
          { title: 'NETWORK', width: 0, text: ({ as }) => systemText(as) },
        ]
  const columns: Column<Source>[] = [
    { title: 'SOURCE ADDRESS', width: 18, text: ({ text }) => text },
    ...amountColumns,
    { title: 'PROTOCOLS', width: place.length === 0 ? 0 : 12, text: ({ protocols }) => protocols.join(' ') },
    ...place,
  ]
  return table(columns, sources.entries, { flowsMissedMax: sources.flowsMissedMax, top })
}

function originTables(origins: Statistics['origins'], top: number): string[] {
  if (origins === null) return []
  const sources: Column<{ sources: number }> = {
    title: 'SOURCES',
    width: 8,
    right: true,
    text: (origin) => String(origin.sources),
  }
  const country: Column<(typeof origins.countries)[number]> = {
    title: 'COUNTRY',
    width: 18,
    text: (origin) => origin.country ?? 'not known',
  }
  const system: Column<(typeof origins.systems)[number]> = {
    title: 'NETWORK',
    width: 0,
    text: ({ as }) => (as === null ? 'not known' : systemText(as)),
  }
  const exact = { flowsMissedMax: 0, top }
  return [
    ...['', 'Of the source addresses above and those that follow them in the list, not of all:'],
    ...table([country, sources, ...amountColumns], origins.countries, exact),
    '',
    ...table([sources, ...amountColumns, system], origins.systems, exact),
  ]
}

/** What a database says is shown as it can be. */
function systemText(as: Source['as']): string {
  return as === null ? '' : printable(`AS${as.number} ${as.name}`.trim())
}

/** As exporters say; empty where none does. */
function systemTable({ flowsMissedMax, entries }: Statistics['sourceSystems'], top: number): string[] {
  if (entries.length === 0) return []
  const system: Column<(typeof entries)[number]> = {
    title: 'SOURCE AS (AS EXPORTED)',
    width: 0,
    text: ({ as }) => systemText(as),
  }
  return ['', ...table([...amountColumns, system], entries, { flowsMissedMax, top })]
}

/** Likewise; null: they are not the reader's to see. */
function interfaceTable(title: string, interfaces: Statistics['ingressInterfaces'], top: number): string[] {
  if (interfaces === null || interfaces.entries.length === 0) return []
  const { flowsMissedMax, entries } = interfaces
  const columns: Column<(typeof entries)[number]>[] = [
    { title, width: 22, text: (entry) => String(entry.interface) },
    ...amountColumns,
    { title: 'OF EXPORTER', width: 0, text: ({ exporter }) => exporter ?? 'others' },
  ]
  return ['', ...table(columns, entries, { flowsMissedMax, top })]
}

function exporterTable({ flowsMissedMax, entries }: NonNullable<Statistics['exporters']>, top: number): string[] {
  const address: Column<(typeof entries)[number]> = {
    title: 'EXPORTER',
    width: 18,
    text: (entry) => entry.address ?? 'others',
  }
  return table([address, ...amountColumns], entries, { flowsMissedMax, top })
}

function sampleTable(samples: Statistics['samples'], top: number): string[] {
  const columns: Column<(typeof samples)[number]>[] = [
    { title: 'SAMPLE (UTC)', width: 19, text: ({ start }) => formatTime(start) },
    { title: 'FROM', width: 21, text: ({ source, sourcePort }) => `${source}:${sourcePort}` },
    { title: 'TO', width: 21, text: ({ destination, destinationPort }) => `${destination}:${destinationPort}` },
    { title: 'PROTOCOL', width: 8, text: ({ protocol }) => protocol },
    { title: 'FLAGS', width: 8, text: ({ tcpFlags }) => tcpFlags },
    { title: 'PACKETS', width: 8, right: true, text: ({ packets }) => formatCount(packets) },
    { title: 'BYTES', width: 8, right: true, text: ({ bytes }) => formatCount(bytes) },
  ]
  return table(columns, samples, { flowsMissedMax: 0, top })
}

function table<Row>(
  columns: Column<Row>[],
  rows: readonly Row[],
  { flowsMissedMax, top }: { flowsMissedMax: number; top: number },
): string[] {
  const error = flowsMissedMax === 0 ? [] : [`(up to ${formatCount(flowsMissedMax)} flows of an item may be missing)`]
  return [tableHead(columns), ...rows.slice(0, top).map((row) => tableRow(columns, row)), ...error]
}

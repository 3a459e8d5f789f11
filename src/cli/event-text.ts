// Events as text for people: a row of the list, and the page of one event.
import {
  type DdosEventDetail,
  type EventFacts,
  factsOf,
  flagsFromItem,
  ipFromItem,
  type StatisticEntry,
} from '../../client/index.ts'
import { protocolName } from '../net/protocols.ts'
import { type Column, formatCount, formatTime, tableHead, tableRow } from './output.ts'
import { printable } from './terminal.ts'

function bitsPerSecond(event: EventFacts): string {
  return formatCount(event.bitsPerSecond, 'bit/s')
}

export const eventColumns: Column<EventFacts>[] = [
  { title: 'DETECTED (UTC)', width: 19, text: (event) => formatTime(event.detectedAt) },
  { title: 'ID', width: 24, text: (event) => event.id },
  { title: 'VICTIM', width: 15, text: (event) => event.victim },
  { title: 'SITE', width: 24, text: (event) => event.site },
  { title: 'ATTACK', width: 34, text: (event) => event.attack ?? 'unknown' },
  { title: 'TRAFFIC', width: 12, right: true, text: bitsPerSecond },
  { title: 'PACKETS', width: 10, right: true, text: (event) => `${formatCount(event.packetsPerSecond)}/s` },
  { title: 'NORMAL x', width: 8, right: true, text: (event) => formatCount(event.deviation) },
]

type ListName = 'srcip' | 'srcport' | 'dstport' | 'proto' | 'flags'

const lists: { name: ListName; title: string; item(value: number): string }[] = [
  { name: 'srcip', title: 'SOURCE ADDRESS', item: ipFromItem },
  { name: 'srcport', title: 'SOURCE PORT', item: String },
  { name: 'dstport', title: 'DESTINATION PORT', item: String },
  { name: 'proto', title: 'PROTOCOL', item: (value) => protocolName(value) },
  { name: 'flags', title: 'TCP FLAGS', item: flagsFromItem },
]

export function renderDetail(detail: DdosEventDetail, top: number): string {
  const event = factsOf(detail)
  const packets = `${formatCount(event.packetsPerSecond)} packets/s`
  const flows = `${formatCount(event.flowsPerSecond)} flows/s`
  const rows: [string, string][] = [
    ['event', event.id],
    ['detected', `${formatTime(event.detectedAt)} UTC`],
    ['victim', event.victim],
    ['site', event.site],
    ['domain', event.domain],
    ['traffic', [bitsPerSecond(event), packets, flows].join(', ')],
    ['normal x', formatCount(event.deviation)],
    ...detail.dac.map((snapshot): [string, string] => ['dns', dnsText(snapshot)]),
  ]
  const head = rows.filter(([, text]) => text !== '').map(([name, text]) => `${name.padEnd(10)}${printable(text)}`)
  const tables = lists.flatMap((list) => ['', ...statisticTable(list, detail[list.name], top)])
  return [...head, ...tables].join('\n')
}

function dnsText({ domain, a, cname }: DdosEventDetail['dac'][number]): string {
  return [domain, ...Object.keys(cname), Object.keys(a).join(', ')].join(' -> ')
}

function statisticTable(list: (typeof lists)[number], entries: readonly StatisticEntry[], top: number): string[] {
  const columns: Column<StatisticEntry>[] = [
    { title: list.title, width: 18, text: (entry) => list.item(entry.Item) },
    { title: 'FLOWS', width: 8, right: true, text: (entry) => formatCount(entry.Flows) },
    { title: 'PACKETS', width: 8, right: true, text: (entry) => formatCount(entry.Packets) },
    { title: 'BYTES', width: 8, right: true, text: (entry) => formatCount(entry.Bytes) },
    {
      title: 'PROTOCOLS',
      width: 0,
      text: (entry) =>
        Object.keys(entry.Prots)
          .map((each) => protocolName(Number(each)))
          .join(' '),
    },
  ]
  return [tableHead(columns), ...entries.slice(0, top).map((entry) => tableRow(columns, entry))]
}

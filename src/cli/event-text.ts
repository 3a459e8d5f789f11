// Events as text for people: a row of the list, and the page of one event.
import {
  type DdosEvent,
  type DdosEventDetail,
  flagsFromItem,
  ipFromItem,
  type StatisticEntry,
} from '../../client/index.ts'
import { protocolName } from '../net/protocols.ts'
import { type Column, formatCount, formatTime, tableHead, tableRow } from './output.ts'
import { printable } from './terminal.ts'

/** The interface counts bytes, packets and flows per minute; people think of bits and packets per second. */
function bitsPerSecond(event: Pick<DdosEvent, 'curavg_bps'>): string {
  return `${formatCount((event.curavg_bps * 8) / 60)}bit/s`
}

function perSecond(perMinute: number, unit: string): string {
  return `${formatCount(perMinute / 60)} ${unit}/s`
}

export const eventColumns: Column<DdosEvent>[] = [
  { title: 'DETECTED (UTC)', width: 19, text: (event) => formatTime(event.cts) },
  { title: 'ID', width: 24, text: (event) => event._id },
  { title: 'VICTIM', width: 15, text: (event) => event.ip },
  { title: 'SITE', width: 24, text: (event) => event.site },
  { title: 'ATTACK', width: 34, text: (event) => event.attack_type ?? 'unknown' },
  { title: 'TRAFFIC', width: 12, right: true, text: bitsPerSecond },
  { title: 'PACKETS', width: 10, right: true, text: (event) => `${formatCount(event.curavg_pps / 60)}/s` },
  { title: 'NORMAL x', width: 8, right: true, text: (event) => formatCount(event.deviate) },
]

type ListName = 'srcip' | 'srcport' | 'dstport' | 'proto' | 'flags'

const lists: { name: ListName; title: string; item(value: number): string }[] = [
  { name: 'srcip', title: 'SOURCE ADDRESS', item: ipFromItem },
  { name: 'srcport', title: 'SOURCE PORT', item: String },
  { name: 'dstport', title: 'DESTINATION PORT', item: String },
  { name: 'proto', title: 'PROTOCOL', item: (value) => protocolName(value) },
  { name: 'flags', title: 'TCP FLAGS', item: flagsFromItem },
]

export function renderDetail(event: DdosEventDetail, top: number): string {
  const rows: [string, string][] = [
    ['event', event._id],
    ['detected', `${formatTime(event.cts)} UTC`],
    ['victim', event.ip],
    ['site', event.site],
    ['domain', event.domain],
    [
      'traffic',
      `${bitsPerSecond(event)}, ${perSecond(event.curavg_pps, 'packets')}, ${perSecond(event.curavg_flows, 'flows')}`,
    ],
    ['normal x', formatCount(event.deviate)],
    ...event.dac.map((snapshot): [string, string] => ['dns', dnsText(snapshot)]),
  ]
  const head = rows.filter(([, text]) => text !== '').map(([name, text]) => `${name.padEnd(10)}${printable(text)}`)
  const tables = lists.flatMap((list) => ['', ...statisticTable(list, event[list.name], top)])
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

// What came to the victim, taken apart: by source, port, protocol, TCP flags, length of packets, exporter.
import { useState } from 'react'
import { formatCount, formatShare } from '../../../shared/format/rates.ts'
import { flagNames, serviceOf } from '../../../shared/format/services.ts'
import { useTranslator } from '../../../shared/i18n/i18n.tsx'
import type { MessageKey, Translator } from '../../../shared/i18n/messages.ts'
import { Bar, Button, Card, Segments } from '../../../shared/ui/basics.tsx'
import { shareOf, spreadOf } from '../parts-of-attack.ts'
import type { EventListEntry, EventReport } from '../queries.ts'

type By = 'packets' | 'bytes' | 'flows'

interface Item {
  key: string
  text: string
  note: string
  isMono: boolean
  packets: number
  bytes: number
  flows: number
}

const fewMax = 6

export function Breakdowns({ event }: { event: EventReport }) {
  const translator = useTranslator()
  const { t } = translator
  const [by, setBy] = useState<By>('packets')
  const lists = listsOf(event, translator)
  return (
    <section className="stack">
      <div className="page-head">
        <h2 className="section-title">{t('breakdown.title')}</h2>
        <Segments
          label={t('breakdown.by')}
          value={by}
          onChange={setBy}
          choices={[
            { value: 'packets', label: t('unit.packets') },
            { value: 'bytes', label: t('unit.bytes') },
            { value: 'flows', label: t('unit.flowRecords') },
          ]}
        />
      </div>
      <div className="grid-3">
        {lists.map(({ title, note, items, isExact, spread }) => (
          <Breakdown
            key={title}
            title={t(title)}
            note={note}
            items={items}
            isExact={isExact}
            spread={spread}
            by={by}
            total={event.total[by]}
          />
        ))}
      </div>
    </section>
  )
}

function Breakdown({
  title,
  note,
  items,
  isExact,
  spread,
  by,
  total,
}: {
  title: string
  note: string | undefined
  items: readonly Item[]
  isExact: boolean
  spread: List['spread']
  by: By
  total: number
}) {
  const { t, language } = useTranslator()
  const [isWhole, setWhole] = useState(false)
  const ordered = items.toSorted((a, b) => b[by] - a[by])
  const all = Math.max(
    total,
    ordered.reduce((sum, item) => sum + item[by], 0),
    1e-9,
  )
  const shares = ordered.map((item) => shareOf(item[by], all))
  const most = spread === undefined || ordered.length <= fewMax ? null : spreadOf(shares, spread.distinct)
  const fewest = most === null ? fewMax : 0
  return (
    <Card title={title}>
      {ordered.length === 0 && <p className="quiet">{t('breakdown.nothing')}</p>}
      {most !== null && spread !== undefined && (
        <p>{t(spread.k, { amount: formatCount(spread.distinct, language), share: formatShare(most, language) })}</p>
      )}
      <ul className="bars">
        {ordered.slice(0, isWhole ? ordered.length : fewest).map((item, i) => (
          <li key={item.key}>
            <span className={item.isMono ? 'mono' : ''}>
              {item.text}
              {item.note !== '' && <span className="quiet"> {item.note}</span>}
            </span>
            <span className="num quiet">{formatCount(item[by], language)}</span>
            <b className="num">{formatShare(shares[i], language)}</b>
            <Bar share={shares[i]} />
          </li>
        ))}
      </ul>
      {ordered.length > fewest && (
        <Button look="ghost" className="no-print" onClick={() => setWhole(!isWhole)} aria-expanded={isWhole}>
          {isWhole ? t('list.less') : t('list.all', { count: ordered.length })}
        </Button>
      )}
      {!isExact && <p className="quiet">{t('breakdown.rough')}</p>}
      {note !== undefined && <p className="quiet">{note}</p>}
    </Card>
  )
}

interface List {
  title: MessageKey
  /** What the list is made of. */
  note?: string
  items: readonly Item[]
  isExact: boolean
  /** How many different items there are, at least, and how it is said that they are all alike. */
  spread?: { distinct: number; k: 'breakdown.spread' | 'breakdown.spreadPorts' }
}

function listsOf({ statistics }: EventReport, { t, language }: Translator): List[] {
  const { sources, origins, sourcePorts, destinationPorts, protocols, tcpFlags, packetLengths, exporters } = statistics
  const list = (
    title: MessageKey,
    from: { flowsMissedMax: number; entries: readonly EventListEntry[] },
    noteOf: (entry: EventListEntry) => string = () => '',
  ): List => ({
    title,
    isExact: from.flowsMissedMax === 0,
    items: from.entries.map((entry) => itemOf(entry, noteOf(entry))),
  })
  // What ICMP has in place of a destination port (RFC 7012): 256 times its type, and its code.
  const portNote = ({ item, protocols }: EventListEntry) =>
    protocols.every((protocol) => protocol === 'ICMP')
      ? t('breakdown.icmp', { type: item >> 8, code: item & 255 })
      : [serviceOf(item), ...protocols.slice(0, 2)].filter(Boolean).join(' · ')
  const portList = (title: MessageKey, from: typeof sourcePorts): List => ({
    ...list(title, from, portNote),
    // A list that is not exact is of more items than it has.
    spread: {
      distinct: from.flowsMissedMax > 0 ? Number.POSITIVE_INFINITY : from.entries.length,
      k: 'breakdown.spreadPorts',
    },
  })
  const hasFlags = tcpFlags.entries.some(({ item }) => item !== 0)
  return [
    {
      title: 'breakdown.sources',
      isExact: sources.flowsMissedMax === 0,
      items: sources.entries.map((entry) => itemOf(entry, placeText(entry))),
      spread: { distinct: statistics.distinctSources.count, k: 'breakdown.spread' },
    },
    ...(origins === null ? [] : originLists(origins, { t, language })),
    portList('breakdown.sourcePorts', sourcePorts),
    portList('breakdown.destinationPorts', destinationPorts),
    list('breakdown.protocols', protocols),
    ...(hasFlags ? [list('breakdown.tcpFlags', tcpFlags, ({ item }) => flagNames(item))] : []),
    {
      title: 'breakdown.packetLengths',
      isExact: packetLengths.flowsMissedMax === 0,
      items: packetLengths.entries.map((entry) => ({ ...itemOf(entry, ''), text: `${entry.text} B` })),
    },
    ...(exporters === null
      ? []
      : [
          {
            title: 'breakdown.exporters' as const,
            isExact: exporters.flowsMissedMax === 0,
            items: exporters.entries.map(({ address, packets, bytes, flows }) => ({
              key: address ?? '',
              text: address ?? '…',
              note: '',
              isMono: true,
              packets,
              bytes,
              flows,
            })),
          },
        ]),
  ]
}

/** `DE · AS64496 Example Net` */
function placeText({ country, as }: EventReport['statistics']['sources']['entries'][number]): string {
  return [country, systemName(as)].filter((text) => text !== null).join(' · ')
}

function systemName(as: EventReport['statistics']['sources']['entries'][number]['as']): string | null {
  return as === null ? null : `AS${as.number} ${as.name}`.trim()
}

/** Where the sources of the list are: shares are of the whole attack, of which these are a part. */
function originLists(
  { countries, systems }: NonNullable<EventReport['statistics']['origins']>,
  { t, language }: Pick<Translator, 't' | 'language'>,
): List[] {
  const names = new Intl.DisplayNames([language], { type: 'region', fallback: 'code' })
  const unknown = t('breakdown.unknownPlace')
  const sourcesOf = (sources: number) => t('breakdown.sourcesOf', { count: sources })
  const note = t('breakdown.ofListed')
  return [
    {
      title: 'breakdown.countries',
      note,
      isExact: true,
      items: countries.map(({ country, sources, ...amounts }) => ({
        ...{ key: country ?? '', isMono: false, note: sourcesOf(sources), ...amounts },
        text: country === null ? unknown : `${names.of(country) ?? country} (${country})`,
      })),
    },
    {
      title: 'breakdown.systems',
      note,
      isExact: true,
      items: systems.map(({ as, sources, ...amounts }) => ({
        ...{ key: String(as?.number ?? ''), isMono: false, note: sourcesOf(sources), ...amounts },
        text: systemName(as) ?? unknown,
      })),
    },
  ]
}

function itemOf({ item, text, packets, bytes, flows }: EventListEntry, note: string): Item {
  return { key: String(item), text, note, isMono: /^[\d.:]+$|^[.UAPRSFEC]{8}$/.test(text), packets, bytes, flows }
}

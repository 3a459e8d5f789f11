// What is known of one site, as text for people.
import type { SiteReport } from '../../client/index.ts'
import { type Column, formatTime, tableHead, tableRow } from './output.ts'
import { printable } from './terminal.ts'

type Address = SiteReport['addresses'][number]

const trafficTexts: Record<Address['traffic'], string> = {
  seen: 'seen',
  none: 'NOT SEEN',
  unknown: 'not known yet',
}

const columns: Column<Address>[] = [
  { title: 'ADDRESS', width: 15, text: ({ address }) => address },
  {
    title: 'TRAFFIC',
    width: 13,
    text: ({ traffic, isOwn }) => (isOwn ? trafficTexts[traffic] : 'not told'),
  },
  {
    title: 'LAST (UTC)',
    width: 19,
    text: ({ lastTrafficAt }) => (lastTrafficAt === null ? '-' : formatTime(lastTrafficAt)),
  },
  {
    title: 'CONFIRMED (UTC)',
    width: 19,
    text: ({ confirmedAt }) => (confirmedAt === null ? '-' : formatTime(confirmedAt)),
  },
  { title: 'NAMES', width: 0, text: ({ names, sharedWith }) => [...names, ...sharedWith.map(sharedText)].join(' ') },
]

export function renderSite({ host, isEnabled, addedAt, addresses, addressesOmitted }: SiteReport): string {
  const unseen = addresses.filter(({ traffic }) => traffic === 'none').length
  const lines = [
    `${printable(host)}: ${isEnabled ? 'enabled' : 'disabled'}, added ${formatTime(addedAt)}`,
    ...(isEnabled && addresses.length === 0 ? ['It leads nowhere yet.'] : []),
    ...(addresses.length === 0 ? [] : [tableHead(columns), ...addresses.map((each) => tableRow(columns, each))]),
    ...(addressesOmitted === 0 ? [] : [`${addressesOmitted} more`]),
    ...(unseen === 0
      ? []
      : [
          `${unseen} of ${addresses.length} not seen in flows for a day: outside of what the exporters tell of, as behind a content delivery network, or without visitors. An attack there would not be noticed in the first case.`,
        ]),
  ]
  return lines.join('\n')
}

function sharedText(domain: string): string {
  return `(shared with ${domain})`
}

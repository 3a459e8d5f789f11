// What is known of one site, as text for people.
import type { SiteReport } from '../../../client/index.ts'
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
  { title: 'NAMES', width: 0, text: namesText },
]

export function renderSite(site: SiteReport): string {
  const { isWatched, addresses, addressesOmitted, suggestedNames } = site
  const unseen = addresses.filter(({ traffic }) => traffic === 'none').length
  const lines = [
    stateLine(site),
    ...proofLines(site),
    ...(isWatched && addresses.length === 0 ? ['It leads nowhere yet.'] : []),
    ...(addresses.length === 0 ? [] : [tableHead(columns), ...addresses.map((each) => tableRow(columns, each))]),
    ...(addressesOmitted === 0 ? [] : [`${addressesOmitted} more`]),
    ...(unseen === 0
      ? []
      : [
          `${unseen} of ${addresses.length} not seen in flows for a day: outside of what the exporters tell of, as behind a content delivery network, or without visitors. An attack there would not be noticed in the first case.`,
        ]),
    ...(suggestedNames.length === 0 ? [] : ['Names that lead here, and are of no site of yours:']),
    ...suggestedNames.map(({ name, address }) => `  ${printable(name)} (${address})`),
  ]
  return lines.join('\n')
}

export function stateLine({ host, isEnabled, isWatched, addedAt }: SiteReport): string {
  const state = isEnabled && !isWatched ? 'not watched' : isEnabled ? 'enabled' : 'disabled'
  return `${printable(host)}: ${state}, added ${formatTime(addedAt)}`
}

/** None where nothing is to be proved. */
export function proofLines({ proof, isEnabled, isWatched }: SiteReport): string[] {
  if (proof === null) return isEnabled && !isWatched ? ['It is not among what this user may watch.'] : []
  const { state, misses, record, confirmedAt, expiresAt, watchedUntil } = proof
  if (isWatched && state === 'pending') return ['proof: none of its own, another covers it']
  const times = [
    state === 'missed' || state === 'unverified' ? `${misses} times not there` : '',
    confirmedAt === null ? '' : `last there ${formatTime(confirmedAt)}`,
    expiresAt === null ? '' : `good until ${formatTime(expiresAt)}`,
    watchedUntil === null ? '' : `watched until ${formatTime(watchedUntil)}`,
  ].filter((text) => text !== '')
  const lines = [`proof: ${[state, ...times].join(', ')}`]
  return state === 'verified' ? lines : [...lines, `Put this into the DNS: ${record.name}. TXT "${record.text}"`]
}

function namesText({ names, sharedWith, isShared, domainsOfOthers }: Address): string {
  const others = domainsOfOthers === null || domainsOfOthers === 0 ? '' : `, ${domainsOfOthers} domains of others`
  const shared = isShared ? [`(shared${others}: the target may be a neighbour)`] : []
  return [...names, ...sharedWith.map(sharedText), ...shared].join(' ')
}

function sharedText(domain: string): string {
  return `(shared with ${domain})`
}

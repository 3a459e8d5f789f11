// The attack in sentences, as keys of messages with what fills their places. What they look like is up to the component. Pure.
import { formatCount, formatFactor, formatShare } from '../../../shared/format/rates.ts'
import { serviceOf } from '../../../shared/format/services.ts'
import { formatDateTime, formatDuration, formatMoment, type Zone, zoneName } from '../../../shared/format/times.ts'
import type { MessageKey, Translator } from '../../../shared/i18n/messages.ts'
import { timesNormalAtPeak } from '../normal.ts'
import { type Ports, portsOf, vectorShares } from '../parts-of-attack.ts'
import type { EventReport } from '../queries.ts'
import { eventVictim } from '../titles.ts'
import { attackName, familyOf } from '../vectors.ts'

/** What fills a place of a sentence. */
export interface Filling {
  text: string
  look: 'plain' | 'strong' | 'address' | 'unbroken' | 'time'
  /** The time in ISO 8601, for `<time datetime>`. */
  dateTime?: string
}

export interface Sentence {
  key: MessageKey
  values: Readonly<Record<string, Filling>>
}

export interface Telling {
  translator: Translator
  zone: Zone
  nowMs: number
  /** A rate in the reader's unit, and in the other. */
  rates: Record<'main' | 'other', (rates: { bytesPerSecond: number; packetsPerSecond: number }) => string>
  /** Since when traffic is what it was before, Unix milliseconds; null: it is not, or that is not known. */
  backSinceMs: number | null
}

/** Below this an attack is hardly above normal, and "times" says little. */
const timesMin = 1.5
/** Victims are hit alike when none gets this many times what the one in the middle gets. */
const alikeTimes = 1.5
/** A second vector with less is not named. */
const secondMin = 0.1

export function storyOf(event: EventReport, telling: Telling): Sentence[] {
  return [
    whatHappened(event, telling),
    ...hardestHit(event, telling),
    howLarge(event, telling),
    ...whatItWas(event, telling),
    ...fromWhere(event, telling),
    ...howItStands(event, telling),
  ]
}

/** The sentences without looks. */
export function plainStory(
  sentences: readonly Sentence[],
  { t, language }: Pick<Translator, 't' | 'language'>,
): string {
  return sentences
    .map(({ key, values }) =>
      t(key, Object.fromEntries(Object.entries(values).map(([name, { text }]) => [name, text]))),
    )
    .join(pauseIn(language))
}

/** What stands between two sentences: Chinese has a full stop that is wide enough. */
export const pauseIn = (language: string) => (language.startsWith('zh') ? '' : ' ')

const plain = (text: string): Filling => ({ text, look: 'plain' })
const strong = (text: string): Filling => ({ text, look: 'strong' })
const unbroken = (text: string): Filling => ({ text, look: 'unbroken' })
const time = (text: string, dateTime: string): Filling => ({ text, look: 'time', dateTime })

function whatHappened(event: EventReport, { translator, zone }: Telling): Sentence {
  const { language } = translator
  const startMs = Date.parse(event.start)
  const start = `${formatDateTime(startMs, language, zone)} ${zoneName(startMs, language, zone)}`
  const values = {
    start: time(start, event.start),
    victim: strong(eventVictim(event, translator)),
    attack: strong(attackName(event.attackType, translator)),
    address: { text: event.address, look: 'address' },
    site: strong(event.site),
  } as const
  if (event.network !== null) return { key: 'story.network', values }
  if (event.domain !== '' && event.domain !== event.address) return { key: 'story.named', values }
  return { key: event.site === event.address ? 'story.plain' : 'story.ofSite', values }
}

/** Names the victim that got most, unless all got much the same. */
function hardestHit({ network, victims }: EventReport, { rates }: Telling): Sentence[] {
  const descending = victims.toSorted((a, b) => b.packetsPerSecond - a.packetsPerSecond)
  const [first] = descending
  if (network === null || first === undefined || first.packetsPerSecond === 0) return []
  const median = descending[Math.floor(descending.length / 2)].packetsPerSecond
  if (first.packetsPerSecond < alikeTimes * median)
    return [{ key: 'story.alike', values: { main: unbroken(rates.main(first)) } }]
  const values = { address: { text: first.address, look: 'address' }, main: unbroken(rates.main(first)) } as const
  return [{ key: 'story.hardestHit', values }]
}

function howLarge(event: EventReport, { translator: { language }, rates }: Telling): Sentence {
  const times = timesNormalAtPeak(event)
  const values = {
    times: strong(formatFactor(times ?? 1, language)),
    ofKind: strong(formatFactor(event.deviation, language)),
    main: { text: rates.main(event.peak), look: 'strong' },
    other: unbroken(rates.other(event.peak)),
  } as const
  if (times === null) return { key: 'story.peakOnly', values }
  if (times >= timesMin) return { key: 'story.large', values }
  return { key: event.deviation >= timesMin ? 'story.largeOfKind' : 'story.peak', values }
}

function whatItWas(event: EventReport, { translator }: Telling): Sentence[] {
  const { t, language } = translator
  const [first, second] = vectorShares(event)
  const source = portsOf(event.statistics.sourcePorts, event.total.packets)
  const from = source === null ? [] : [fromPorts(source, translator)]
  if (first === undefined)
    return [...(event.attackType === null ? [{ key: 'story.unknownKind' as const, values: {} }] : []), ...from]
  const consists = ({ share, attackType }: (typeof event.vectors)[number]) =>
    t('story.part', { share: formatShare(share, language), attack: attackName(attackType, translator) })
  const values = {
    share: plain(formatShare(first.share, language)),
    attack: strong(attackName(first.attackType, translator)),
    second: plain(second === undefined ? '' : consists(second)),
  }
  // Slow connections have the packets of other floods of connections.
  const isSame = [event.attackType, first.attackType].every((type) => familyOf(type) === 'connection')
  if (isSame && event.attackType !== first.attackType) return from
  const hasTwo = second !== undefined && second.share >= secondMin
  if (event.attackType === null) return [{ key: 'story.mostlyUnknown', values }, ...from]
  return [{ key: hasTwo ? 'story.consistsOfTwo' : 'story.consists', values }, ...from]
}

function fromPorts(ports: Ports, translator: Translator): Sentence {
  const { language } = translator
  if (ports.kind === 'many')
    return { key: 'story.portsRandom', values: { share: plain(formatShare(ports.most, language)) } }
  return {
    key: ports.ports.length === 1 ? 'story.portsOne' : 'story.portsFew',
    values: { ports: plain(portList(ports.ports, translator)) },
  }
}

/** `389 (LDAP, 50%) and 1900 (SSDP, 50%)`. */
function portList(ports: readonly { port: number; share: number }[], { t, language }: Translator): string {
  const list = new Intl.ListFormat(language, { type: 'conjunction' })
  return list.format(
    ports.map(({ port, share }) => {
      const [service, values] = [serviceOf(port), { port: String(port), share: formatShare(share, language) }]
      return service === null ? t('story.port', values) : t('story.portOfService', { ...values, service })
    }),
  )
}

function fromWhere(event: EventReport, { translator }: Telling): Sentence[] {
  const { t, language } = translator
  const { distinctSources, destinationPorts } = event.statistics
  const { count, standardError } = distinctSources
  if (count === 0) return []
  const sources = t(standardError > 0 ? 'story.sourcesAbout' : 'story.sources', {
    count,
    amount: formatCount(count, language),
  })
  const target = portsOf(destinationPorts, event.total.packets)
  const values = { sources: strong(sources) }
  if (target === null) return [{ key: 'story.cameFrom', values }]
  if (target.kind === 'many') return [{ key: 'story.cameFromToMany', values }]
  const ports = plain(portList(target.ports, translator))
  return [{ key: target.ports.length === 1 ? 'story.cameFromTo' : 'story.cameFromToFew', values: { ...values, ports } }]
}

/** Ended, quiet (nobody knows yet whether for good), or going on; and that it has come back, if it has. */
function howItStands(event: EventReport, telling: Telling): Sentence[] {
  const { translator, zone, nowMs, backSinceMs } = telling
  const { language } = translator
  const moment = (at: string) => time(formatMoment(Date.parse(at), nowMs, language, zone), at)
  const { start: latestStart } = event.episodes.at(-1) ?? event
  const lasted = (from: string, toMs: number) => unbroken(formatDuration((toMs - Date.parse(from)) / 1000, translator))
  const count = plain(formatCount(event.returns, language))
  const cameBack: Sentence = {
    key: event.returns === 1 ? 'story.cameBackOnce' : 'story.cameBackTimes',
    values: { since: moment(latestStart), count },
  }
  const before = event.returns === 0 ? [] : [cameBack]
  if (event.end !== null) {
    const endMs = Date.parse(event.end)
    const end = time(formatDateTime(endMs, language, zone), event.end)
    return [...before, { key: 'story.over', values: { duration: lasted(event.start, endMs), end } }]
  }
  if (event.phase === 'quiet') return [...before, { key: 'story.quiet', values: { since: moment(event.lastSeen) } }]
  const goesOn: Sentence = {
    key: event.returns === 0 ? 'story.goesOn' : 'story.goesOnAgain',
    values: { duration: lasted(latestStart, nowMs) },
  }
  if (backSinceMs === null) return [...before, goesOn]
  return [...before, goesOn, { key: 'story.back', values: { since: moment(new Date(backSinceMs).toISOString()) } }]
}

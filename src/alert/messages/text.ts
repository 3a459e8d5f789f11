// What a message says for people: a title and facts, in the words of its reader, from the notice and the event as its owner may see it now. Plain text: each
// kind of channel escapes it for its receiver.
import type { EventReport } from '../../contract/events/event.ts'
import type { Message } from '../channels/kind.ts'
import { ownTextOf } from '../own/text.ts'
import { attackName } from './attack.ts'
import { cleanText } from './clean.ts'
import type { WordKey } from './en.ts'
import { type Escaper, escapers } from './escape.ts'
import { othersFacts, withOthers } from './others.ts'
import { compileTemplate, type Template, type Written } from './template/template.ts'
import { type Reader, type Writer, writerFor } from './words.ts'

interface Link {
  label: string
  url: string
}

export interface NoticeText {
  /** One line: how severe, what, where, how much. */
  title: string
  facts: { label: string; value: string }[]
  /** What the channel's template makes of it, in place of the facts; null: it has none. */
  custom: Written | null
  /** The event's page; null: the installation has not said where it is. */
  link: Link | null
  /** Where one takes note of the event; null: nowhere. */
  acknowledge: Link | null
  /** Why one gets it. */
  told: string
}

/** UTF-16 units: of names within a title, of values, of a title. */
const max = { name: 80, value: 300, title: 250 } as const
const listed = { vectors: 3, sources: 5, names: 5 } as const

export function textOf(message: Message, reader: Reader, publicUrl: string): NoticeText {
  const { report, type, acknowledgeUrl, own } = message
  if (own !== undefined) return ownTextOf(own, message, reader, publicUrl)
  const writer = writerFor(reader)
  const isOver = type === 'event.ended'
  const found = [
    ...commonFacts(message, writer),
    ...othersFacts(message.others, message.facts.severity, writer),
    ...(isOver ? factsOfEnd : factsOfNow)(report, writer),
  ]
  const facts = found.map(([key, value]) => ({ label: writer.say(key), value: cleanText(value, max.value) }))
  const url = publicUrl === '' ? '' : eventUrl(publicUrl, report)
  const filling = {
    message,
    writer,
    title: withOthers(titleOf(message, writer), message.others, writer),
    facts,
    eventUrl: url,
  }
  const title = templateIn(reader.titleTemplate)?.fill(filling)(escapers.none, max.title) ?? filling.title
  return {
    title: cleanText(marked(title, message, writer), max.title),
    facts,
    custom: templateIn(reader.textTemplate)?.fill(filling) ?? null,
    link: url === '' ? null : { label: writer.say('open'), url },
    acknowledge: acknowledgeUrl === undefined ? null : { label: writer.say('acknowledge'), url: acknowledgeUrl },
    told: writer.say('told'),
  }
}

/** What the reader is to know before all else. */
function marked(title: string, { report, type, lateSeconds }: Message, { say }: Writer): string {
  if (report.isTest || type === 'alert.test') return say('title.test', { title })
  return lateSeconds === undefined ? title : say('title.late', { title })
}

/** Null: there is no template, or one of its places is unknown to this version. */
function templateIn(text: string | undefined): Template | null {
  const compiled = text === undefined ? [] : compileTemplate(text)
  return Array.isArray(compiled) ? null : compiled
}

/** What the template makes of it, in the markup of the receiver; null: there is no template, or it would be too long. */
export function customText({ custom }: Pick<NoticeText, 'custom'>, escaper: Escaper, max: number): string | null {
  return custom === null ? null : custom(escaper, max)
}

export function eventUrl(publicUrl: string, { id }: Pick<EventReport, 'id'>): string {
  return `${publicUrl.replace(/\/+$/, '')}/events/${encodeURIComponent(id)}`
}

/** The event's page, and where one takes note of it. */
export function linksOf({ link, acknowledge }: Pick<NoticeText, 'link' | 'acknowledge'>): Link[] {
  return [link, acknowledge].filter((each) => each !== null)
}

/** A fact a line. */
export function factLines({ facts }: Pick<NoticeText, 'facts'>): string[] {
  return facts.map(({ label, value }) => `${label}: ${value}`)
}

/** `192.0.2.10`, `shop.example.net (192.0.2.10)`, `25 addresses of 198.51.100.0/24`. */
function targetOf({ network, domain, site, address }: EventReport, { say }: Writer): string {
  if (network !== null) return say('addresses', { count: network.addresses, network: network.prefix })
  const host = cleanText(domain === '' ? site : domain, max.name)
  return host === address ? address : say('hostAt', { host, address })
}

const titles: Readonly<Record<string, WordKey>> = {
  'event.worsened': 'title.worsened',
  'event.vector': 'title.vector',
  'event.escalated': 'title.escalated',
  'event.resumed': 'title.resumed',
  'event.ended': 'title.ended',
}

function titleOf({ type, facts, report }: Message, writer: Writer): string {
  const isOver = type === 'event.ended'
  const isPulsing = type === 'event.resumed' && facts.pulses !== undefined
  return writer.say(isPulsing ? 'title.pulsing' : (titles[type] ?? 'title.started'), {
    severity: writer.say(`severity.${facts.severity}`).toUpperCase(),
    attack: cleanText(attackName(report.attackType, writer), max.name),
    target: targetOf(report, writer),
    duration: writer.duration(report.activeSeconds),
    amount: isOver ? amountOf(report.peak, writer) : amountNow(report, writer),
  })
}

type Rates = Pick<EventReport['average'], 'bytesPerSecond' | 'packetsPerSecond'>
type Fact = [key: WordKey, value: string]

function amountOf({ bytesPerSecond, packetsPerSecond }: Rates, { say, bits, packets }: Writer): string {
  return say('amount', { bits: bits(bytesPerSecond), packets: packets(packetsPerSecond) })
}

/** The average so far, and how many times normal it is, where that was learnt. */
function amountNow({ average, normalPacketsPerSecond }: EventReport, writer: Writer): string {
  if (normalPacketsPerSecond === null) return amountOf(average, writer)
  return writer.say('amountTimes', {
    bits: writer.bits(average.bytesPerSecond),
    packets: writer.packets(average.packetsPerSecond),
    // Who usually has nothing is taken to have a packet a second.
    times: writer.times(average.packetsPerSecond / Math.max(normalPacketsPerSecond, 1)),
  })
}

/** What every message says. */
function commonFacts({ facts: { severity, before, pulses }, report, lateSeconds }: Message, writer: Writer): Fact[] {
  const { site, address, network, attackType } = report
  const changed = (now: string, was: string) => (now === was ? now : writer.say('changed', { now, before: was }))
  const severityNow = writer.say(`severity.${severity}`)
  const attackNow = attackName(attackType, writer)
  return [
    ['fact.severity', changed(severityNow, before === null ? severityNow : writer.say(`severity.${before.severity}`))],
    ['fact.attack', changed(attackNow, before === null ? attackNow : attackName(before.label, writer))],
    ['fact.site', site],
    network === null ? ['fact.address', address] : ['fact.network', targetOf(report, writer)],
    ...(lateSeconds === undefined ? [] : [['fact.late', writer.duration(lateSeconds)] satisfies Fact]),
    ...(pulses === undefined ? [] : [['fact.pulses', writer.say('pulses', { count: pulses.count })] satisfies Fact]),
  ]
}

function factsOfNow(report: EventReport, writer: Writer): Fact[] {
  return [
    ['fact.rate', amountNow(report, writer)],
    ['fact.since', writer.time(Date.parse(report.start))],
    ...evidenceFacts(report, writer),
  ]
}

function factsOfEnd(report: EventReport, writer: Writer): Fact[] {
  const { start, end, lastSeen, activeSeconds, average, peak, total } = report
  const peaked = { amount: amountOf(peak, writer), time: writer.time(Date.parse(peak.at)) }
  return [
    ['fact.start', writer.time(Date.parse(start))],
    ['fact.end', writer.time(Date.parse(end ?? lastSeen))],
    ['fact.duration', writer.duration(activeSeconds)],
    ['fact.average', amountNow({ ...report, average }, writer)],
    ['fact.peak', writer.say('peak', peaked)],
    ['fact.total', writer.say('total', { bytes: writer.bytes(total.bytes), packets: writer.count(total.packets) })],
    ...evidenceFacts(report, writer),
  ]
}

/** Why it is one, and what it consists of, as far as its owner may know. Sources are known to whom the whole victim belongs alone. */
function evidenceFacts({ why, vectors, view, statistics, dns }: EventReport, writer: Writer): Fact[] {
  const facts: Fact[] = []
  if (why.length > 0) facts.push(['fact.why', why.map((each) => whyText(each, writer)).join('; ')])
  if (vectors.length > 0) {
    const parts = vectors.map(({ attackType, share }) =>
      writer.say('share', { name: attackName(attackType, writer), share: writer.share(share) }),
    )
    facts.push(['fact.vectors', someOf(parts, listed.vectors, writer)])
  }
  const sources = view === 'all' ? statistics.sources.entries : []
  if (sources.length > 0) {
    const list = sources.slice(0, listed.sources).map(sourceText).join(', ')
    facts.push(['fact.sources', writer.say('sources', { list, count: writer.count(statistics.distinctSources.count) })])
  }
  const names = dns.map(({ domain }) => cleanText(domain, max.name))
  if (names.length > 0) facts.push(['fact.names', someOf(names, listed.names, writer)])
  return facts
}

function someOf(parts: readonly string[], most: number, writer: Writer): string {
  const list = parts.slice(0, most).join(', ')
  return parts.length > most ? writer.say('more', { list, count: parts.length - most }) : list
}

function sourceText({ text, country, as }: EventReport['statistics']['sources']['entries'][number]): string {
  const place = [...(country === null ? [] : [country]), ...(as === null ? [] : [`AS${as.number}`])].join(', ')
  return place === '' ? text : `${text} (${place})`
}

function whyText(why: EventReport['why'][number], writer: Writer): string {
  const rates: Readonly<Record<string, (value: number) => string>> = {
    packets: writer.packets,
    bytes: writer.bits,
    flows: writer.flows,
  }
  const rate = rates[why.metric] ?? writer.count
  return writer.say(why.normalPerSecond === null ? 'why' : 'whyNormal', {
    metric: writer.find(`metric.${why.metric}`) ?? why.metric,
    value: rate(why.valuePerSecond),
    line: rate(why.linePerSecond),
    normal: rate(why.normalPerSecond ?? 0),
  })
}

// What is wrong with an exporter's export, in words for whoever can change it: a table of rules over what is known of a stream. To tell of
// something more, add a row.
import type { StreamCounters } from '../../decode/counters.ts'
import type { ExportProtocol } from '../../flow/columns.ts'
import type { StreamReport } from './report.ts'
import { share, span } from './words.ts'

/** error: flows are lost, or counted wrong. warning: attacks are seen late or not as they are. note: good to know. */
export const severities = ['error', 'warning', 'note'] as const
export type Severity = (typeof severities)[number]

export interface Finding {
  rule: string
  severity: Severity
  /** What is so. */
  text: string
  /** What can be done. */
  advice: string
}

/** What a rule is asked about. */
export interface Subject extends StreamReport {
  /** When it is asked: now, or the end of a capture. */
  nowMs: number
}

interface Rule {
  rule: string
  severity: Severity
  /** What is so; null when it is not. */
  says: (stream: Subject) => string | null
  advice: string
}

const lossNotable = 0.001
const lossSerious = 0.01
const clockToleranceMs = 5_000
const quarterHourMs = 900_000
/** Longer timeouts make an attack visible too late; a minute is what most exporters can do. */
const timeoutMaxSeconds = 90
const silentAfterMs = 300_000
/** Fewer records prove little. */
const recordsMin = 20

const templated = (protocol: ExportProtocol) => protocol === 'netflow9' || protocol === 'ipfix'

/** What sequence numbers count. */
export function sequenceUnit(protocol: ExportProtocol): 'datagrams' | 'records' {
  return protocol === 'netflow5' || protocol === 'ipfix' ? 'records' : 'datagrams'
}

/** Which part of what was sent is lost, by the sequence numbers, 0 to 1. */
export function lostShare({ protocol, counters }: Pick<StreamReport, 'protocol' | 'counters'>): number {
  const received = sequenceUnit(protocol) === 'datagrams' ? counters.datagrams : recordsOf(counters)
  return counters.sequenceLost === 0 ? 0 : counters.sequenceLost / (counters.sequenceLost + received)
}

export function recordsOf({ records, recordsWithoutAddress, optionRecords }: StreamCounters): number {
  return records + recordsWithoutAddress + optionRecords
}

const lossText = (stream: Subject) => {
  const { sequenceLost, sequenceGaps } = stream.counters
  const gaps = sequenceGaps === 1 ? '1 gap' : `${sequenceGaps} gaps`
  return `sequence numbers show ${share(lostShare(stream))} of the ${sequenceUnit(stream.protocol)} lost: ${sequenceLost} in ${gaps}`
}
const lossAdvice =
  "They were lost at the exporter, on the way, or in a receive buffer that is too small: see the kernel's drops and net.core.rmem_max, then the path and the exporter's own export counters."

const unknownRate = ({ records }: Subject) => records.rates.find(({ rate }) => rate === 0)?.share ?? 0
const rateRange = ({ records }: Subject) => records.rates.map(({ rate }) => rate).filter((rate) => rate > 0)

/** How far the clock is off, when it is by whole quarters of an hour, as time zones are. */
const zoneSeconds = ({ clockAheadMs }: Subject) => {
  if (clockAheadMs === null || Math.abs(clockAheadMs) < quarterHourMs - 60_000) return null
  const quarters = Math.round(clockAheadMs / quarterHourMs)
  const isZone = Math.abs(clockAheadMs - quarters * quarterHourMs) < 60_000 && Math.abs(quarters) <= 14 * 4
  return isZone ? quarters * 900 : null
}
const ahead = (ms: number) => (ms < 0 ? 'behind' : 'ahead')

export const rules: readonly Rule[] = [
  {
    rule: 'silent',
    severity: 'error',
    says: ({ lastMs, nowMs }) =>
      nowMs - lastMs > silentAfterMs ? `nothing was heard for ${span(nowMs - lastMs)}` : null,
    advice: 'Is the exporter up, its export on, and the way to this machine open (addresses, firewall, VRF)?',
  },
  {
    rule: 'loss',
    severity: 'error',
    says: (stream) => (lostShare(stream) >= lossSerious ? lossText(stream) : null),
    advice: lossAdvice,
  },
  {
    rule: 'some-loss',
    severity: 'warning',
    says: (stream) => {
      const lost = lostShare(stream)
      return lost >= lossNotable && lost < lossSerious ? lossText(stream) : null
    },
    advice: lossAdvice,
  },
  {
    rule: 'no-template',
    severity: 'error',
    says: ({ protocol, templates, counters, firstMs, lastMs }) =>
      templated(protocol) && counters.setsWithoutTemplate > 0 && !templates.some(({ options }) => !options)
        ? `no template for flows came in ${span(lastMs - firstMs)}: ${counters.setsWithoutTemplate} sets of data can not be read`
        : null,
    advice: "Set the exporter's template refresh (template timeout, template data timeout) to 60 s or less.",
  },
  {
    rule: 'no-flows',
    severity: 'error',
    says: ({ counters, protocol, firstMs, lastMs }) =>
      counters.records === 0 &&
      counters.recordsWithoutAddress === 0 &&
      counters.setsWithoutTemplate === 0 &&
      lastMs - firstMs >= 60_000
        ? `${counters.datagrams} datagrams without any flow record in ${span(lastMs - firstMs)}${protocol === 'sflow5' ? ': counters only' : ''}`
        : null,
    advice:
      'Is the export bound to an interface that has traffic? In sFlow, is flow sampling on besides the polling of counters?',
  },
  {
    rule: 'no-address',
    severity: 'error',
    says: ({ counters: { records, recordsWithoutAddress } }) =>
      recordsWithoutAddress > records
        ? `${share(recordsWithoutAddress / (records + recordsWithoutAddress))} of the flow records have no destination address`
        : null,
    advice:
      "They can not be attributed to a site: let the exporter's record match on the IP destination address (layer 2 and MPLS records do not).",
  },
  {
    rule: 'sampling-unknown',
    severity: 'warning',
    says: (stream) =>
      unknownRate(stream) > 0.01 && stream.records.sampled >= recordsMin && rateRange(stream).length > 0
        ? `no sampling rate is known for ${share(unknownRate(stream))} of the records, though one is for the others`
        : null,
    advice:
      'Counters without a rate are taken as they are. Let the exporter send its sampler table for every sampler, often.',
  },
  {
    rule: 'sampling-untold',
    severity: 'note',
    says: (stream) =>
      unknownRate(stream) > 0 && stream.records.sampled >= recordsMin && rateRange(stream).length === 0
        ? 'no sampling rate was told'
        : null,
    advice:
      'That is right when every packet is counted. If the exporter samples, let it send its rate, or all rates here are too low by that factor.',
  },
  {
    rule: 'clock-zone',
    severity: 'warning',
    says: (stream) => {
      const seconds = zoneSeconds(stream)
      return seconds === null ? null : `the clock is ${Math.abs(seconds)} s ${ahead(seconds)}: time zone?`
    },
    advice:
      "Export times are in UTC: set the exporter's time zone and its clock (NTP). Until then its times are corrected by the difference.",
  },
  {
    rule: 'clock-off',
    severity: 'warning',
    says: (stream) =>
      stream.clockAheadMs !== null && Math.abs(stream.clockAheadMs) > clockToleranceMs && zoneSeconds(stream) === null
        ? `the clock is ${span(Math.abs(stream.clockAheadMs))} ${ahead(stream.clockAheadMs)}`
        : null,
    advice: 'Let the exporter take its time from NTP. Until then its times are corrected by the difference.',
  },
  {
    rule: 'active-timeout',
    severity: 'warning',
    says: ({ records: { activeTimeoutSeconds, longestSeconds } }) => {
      const seconds = activeTimeoutSeconds ?? longestSeconds
      return seconds !== null && seconds > timeoutMaxSeconds ? `records last up to ${Math.round(seconds)} s` : null
    },
    advice:
      'Set the active timeout to 60 s or less (10 s is best), because an attack is not seen before its flows are reported.',
  },
  {
    rule: 'inactive-timeout',
    severity: 'warning',
    says: ({ records: { inactiveTimeoutSeconds } }) =>
      inactiveTimeoutSeconds !== null && inactiveTimeoutSeconds > timeoutMaxSeconds
        ? `flows of a single packet are reported ${Math.round(inactiveTimeoutSeconds)} s after it`
        : null,
    advice: 'Set the inactive timeout to 15 s or less: floods of single packets are seen so much later.',
  },
  {
    rule: 'times-replaced',
    severity: 'warning',
    says: ({ counters: { timesReplaced, records } }) =>
      timesReplaced > records / 100 && timesReplaced >= recordsMin
        ? `${share(timesReplaced / records)} of the records have times that can not be`
        : null,
    advice: "They count at their time of receipt. Is the exporter's software current, and its clock stable?",
  },
  {
    rule: 'no-counters',
    severity: 'warning',
    says: ({ records: { sampled, withoutPackets, withoutBytes } }) => {
      const lacking = [
        ...(withoutPackets > sampled / 100 ? ['packets'] : []),
        ...(withoutBytes > sampled / 100 ? ['bytes'] : []),
      ]
      return sampled >= recordsMin && lacking.length > 0 ? `records do not count ${lacking.join(' and ')}` : null
    },
    advice: "Let the exporter's record collect both: rates can not be told without them.",
  },
  {
    rule: 'no-times',
    severity: 'note',
    says: ({ protocol, records: { sampled, withoutTimes } }) =>
      protocol !== 'sflow5' && sampled >= recordsMin && withoutTimes > sampled / 100
        ? `${share(withoutTimes / sampled)} of the records do not say when they began and ended`
        : null,
    advice: 'They count at their time of receipt: let the record collect the times of the first and the last packet.',
  },
  {
    rule: 'late-template',
    severity: 'note',
    says: ({ templates, counters: { setsWithoutTemplate } }) =>
      setsWithoutTemplate > 0 && templates.some(({ options }) => !options)
        ? `${setsWithoutTemplate === 1 ? '1 set of data' : `${setsWithoutTemplate} sets of data`} came before their template`
        : null,
    advice: 'A shorter template refresh (60 s or less) makes the wait shorter.',
  },
  {
    rule: 'malformed',
    severity: 'warning',
    says: ({ counters: { badSets, truncated, templatesRefused, datagrams } }) => {
      const bad = badSets + truncated + templatesRefused
      return bad > datagrams / 1000 ? `${bad} datagrams, sets or templates are cut short or malformed` : null
    },
    advice:
      'Is something cutting datagrams (MTU, the length of a capture)? Else it is a bug of the exporter: a capture shows it.',
  },
  {
    rule: 'only-ipv6',
    severity: 'note',
    says: ({ records: { sampled, ip6 } }) =>
      sampled >= recordsMin && ip6 === sampled ? 'all flows are of IPv6' : null,
    advice: 'They are decoded and counted, but no site can be watched by IPv6 yet.',
  },
]

/** What the rules find, the worst first. */
export function findingsOf(stream: StreamReport, nowMs: number): Finding[] {
  const subject: Subject = { ...stream, nowMs }
  const found = rules.flatMap(({ rule, severity, says, advice }) => {
    const text = says(subject)
    return text === null ? [] : [{ rule, severity, text, advice }]
  })
  return found.toSorted((a, b) => severities.indexOf(a.severity) - severities.indexOf(b.severity))
}

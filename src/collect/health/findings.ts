// What is wrong with an exporter's export, in words for whoever can change it: a table of rules over what is known of a stream. To tell of
// something more, add a row.
import type { StreamCounters } from '../../decode/counters.ts'
import type { ExportProtocol } from '../../flow/columns.ts'
import type { StreamReport } from './report.ts'
import { counted, listed, share, shortened, span } from './words.ts'

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
  /** How many other sockets of the address send the same domain by the same protocol at the same time. */
  twins: number
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
/** Fewer datagrams, or records, prove little. */
const datagramsMin = 10
const recordsMin = 20

/** What sequence numbers count. */
export function sequenceUnit(protocol: ExportProtocol): 'datagrams' | 'records' {
  return protocol === 'netflow5' || protocol === 'ipfix' ? 'records' : 'datagrams'
}

/** Which part of what was sent lately is lost, by the sequence numbers, 0 to 1. */
export function lostShare({ protocol, recent }: Pick<StreamReport, 'protocol' | 'recent'>): number {
  const received = sequenceUnit(protocol) === 'datagrams' ? recent.datagrams : recordsOf(recent)
  return recent.sequenceLost === 0 ? 0 : recent.sequenceLost / (recent.sequenceLost + received)
}

export function recordsOf({ records, recordsWithoutAddress, optionRecords }: StreamCounters): number {
  return records + recordsWithoutAddress + optionRecords
}

const refreshAdvice = "Set the exporter's template refresh (template timeout, template data timeout) to 60 s or less."

const judgedLoss = (stream: Subject) => (stream.recent.datagrams < datagramsMin ? 0 : lostShare(stream))
const lossText = (stream: Subject) => {
  const { sequenceLost, sequenceGaps } = stream.recent
  const gaps = sequenceGaps === 1 ? '1 gap' : `${sequenceGaps} gaps`
  return `sequence numbers show ${share(lostShare(stream))} of the ${sequenceUnit(stream.protocol)} lost: ${sequenceLost} in ${gaps}`
}
const lossAdvice =
  "They were lost at the exporter, on the way, or in a receive buffer that is too small: see the kernel's drops and net.core.rmem_max, then the path and the exporter's own export counters."

const unknownRate = ({ sampling }: Subject) => sampling.rates.find(({ rate }) => rate === 0)?.share ?? 0
const usualRate = ({ sampling }: Subject) => sampling.rates.find(({ rate }) => rate > 0)?.rate ?? 0

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
    says: (stream) => (judgedLoss(stream) >= lossSerious ? lossText(stream) : null),
    advice: lossAdvice,
  },
  {
    rule: 'some-loss',
    severity: 'warning',
    says: (stream) => {
      const lost = judgedLoss(stream)
      return lost >= lossNotable && lost < lossSerious ? lossText(stream) : null
    },
    advice: lossAdvice,
  },
  {
    rule: 'no-template',
    severity: 'error',
    says: ({ waiting, firstMs, lastMs }) => {
      const templates = waiting.map(({ template }) => template).sort((a, b) => a - b)
      const sets = waiting.reduce((sum, { sets }) => sum + sets, 0)
      const heardMs = lastMs - firstMs
      return sets === 0
        ? null
        : `no template for ${listed('set', templates)} came${heardMs < 1_000 ? '' : ` in ${span(heardMs)}`}: ${counted(sets, 'set')} of data can not be read`
    },
    advice: refreshAdvice,
  },
  {
    rule: 'sets-given-up',
    severity: 'error',
    says: ({ recent: { setsExpired, setsCrowdedOut, setsOverflowed, setsOutdated } }) => {
      const givenUp = setsExpired + setsCrowdedOut + setsOverflowed + setsOutdated
      return givenUp === 0
        ? null
        : `${counted(givenUp, 'set')} of data waited for a template in vain and ${givenUp === 1 ? 'is' : 'are'} lost`
    },
    advice: refreshAdvice,
  },
  {
    rule: 'no-flows',
    severity: 'error',
    says: ({ counters, protocol, waiting, firstMs, lastMs }) =>
      counters.records === 0 &&
      counters.recordsWithoutAddress === 0 &&
      waiting.length === 0 &&
      lastMs - firstMs >= 60_000
        ? `${counters.datagrams} datagrams without any flow record in ${span(lastMs - firstMs)}${protocol === 'sflow5' ? ': counters only' : ''}`
        : null,
    advice:
      'Is the export bound to an interface that has traffic? In sFlow, is flow sampling on besides the polling of counters?',
  },
  {
    rule: 'no-address',
    severity: 'error',
    says: ({ recent: { records, recordsWithoutAddress } }) =>
      recordsWithoutAddress > records
        ? `${share(recordsWithoutAddress / (records + recordsWithoutAddress))} of the flow records have no destination address`
        : null,
    advice:
      "They can not be attributed to a site: let the exporter's record match on the IP destination address (layer 2 and MPLS records do not).",
  },
  {
    rule: 'sampling-unknown',
    severity: 'error',
    says: ({ recent: { samplingUnknown, records } }) =>
      samplingUnknown > records / 100 && samplingUnknown > 0
        ? `no sampling rate was told for ${share(Math.min(samplingUnknown / records, 1))} of the records, though the exporter samples`
        : null,
    advice:
      'They count as if every packet had been seen. Let the exporter send its sampler table (options data) for every sampler, each minute, or set the rate in ingest.sampling.',
  },
  {
    rule: 'sampling-swapped',
    severity: 'warning',
    says: (stream) =>
      stream.sampling.doubts.includes('byteOrder')
        ? `the sampling rate came in the wrong byte order, and is taken for 1:${usualRate(stream)}`
        : null,
    advice: 'An update of the exporter mends it (RouterOS 7). If the rate is still wrong, set it in ingest.sampling.',
  },
  {
    rule: 'sampling-odd',
    severity: 'warning',
    says: (stream) =>
      stream.sampling.doubts.includes('maybeByteOrder')
        ? `a sampling rate of 1:${usualRate(stream)} may be one in the wrong byte order`
        : null,
    advice: "It is believed. Compare it with the exporter's configuration, and set the right one in ingest.sampling.",
  },
  {
    rule: 'sampling-absurd',
    severity: 'error',
    says: ({ sampling: { doubts } }) =>
      doubts.includes('tooLarge') ? 'the sampling rate that was told is too large to be true, and not believed' : null,
    advice: "Set the rate of the exporter's configuration in ingest.sampling.",
  },
  {
    rule: 'sampling-above-links',
    severity: 'error',
    says: (stream) =>
      stream.sampling.doubts.includes('aboveLinks')
        ? `with a sampling rate of 1:${usualRate(stream)} there is more traffic than the interfaces can carry`
        : null,
    advice: "Compare the rate with the exporter's configuration, and set the right one in ingest.sampling.",
  },
  {
    rule: 'sampling-override',
    severity: 'note',
    says: (stream) =>
      stream.sampling.from === 'override'
        ? `records count with the rate of ingest.sampling, 1:${usualRate(stream)}`
        : null,
    advice: 'Whatever the exporter tells is passed over.',
  },
  {
    rule: 'sampling-untold',
    severity: 'note',
    says: (stream) =>
      unknownRate(stream) > 0.5 && stream.records.sampled >= recordsMin && stream.recent.samplingUnknown === 0
        ? 'no sampling rate was told'
        : null,
    advice:
      'That is right when every packet is counted. If the exporter samples, let it send its rate or set it in ingest.sampling, or all traffic here is too low by that factor.',
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
    rule: 'times-odd',
    severity: 'warning',
    says: ({ recent: { timesReplaced, records }, records: { sampled, withOddTimes } }) => {
      // Where times are left as they were exported, none is replaced.
      const odd = Math.max(
        timesReplaced >= recordsMin ? timesReplaced / records : 0,
        withOddTimes / Math.max(sampled, recordsMin),
      )
      return odd > 0.01 ? `${share(Math.min(odd, 1))} of the records have times that can not be` : null
    },
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
    says: ({ recent: { setsDecodedLate } }) =>
      setsDecodedLate > 0
        ? `${counted(setsDecodedLate, 'set')} of data came before their template, and waited for it`
        : null,
    advice: 'A shorter template refresh (60 s or less) makes the wait shorter.',
  },
  {
    rule: 'malformed',
    severity: 'warning',
    says: ({ recent: { badSets, truncated, templatesRefused, datagrams } }) => {
      const bad = badSets + truncated + templatesRefused
      return bad > datagrams / 1000 ? `${bad} datagrams, sets or templates are cut short or malformed` : null
    },
    advice:
      'Is something cutting datagrams (MTU, the length of a capture)? Else it is a bug of the exporter: a capture shows it.',
  },
  {
    rule: 'shared-address',
    severity: 'note',
    says: ({ twins }) =>
      twins > 0 ? `${twins + 1} sockets of this address send the same domain at the same time` : null,
    advice:
      'If these are several exporters behind address translation (a container network, a load balancer), let the service see their real addresses. Some exporters do so by themselves.',
  },
  {
    rule: 'only-ipv6',
    severity: 'note',
    says: ({ counters: { records, records6 } }) =>
      records >= recordsMin && records6 === records ? 'all flows are of IPv6' : null,
    advice: 'They are decoded and counted, but no site can be watched by IPv6 yet.',
  },
  {
    rule: 'unknown-elements',
    severity: 'note',
    says: ({ unknownElements }) =>
      unknownElements.length === 0
        ? null
        : `elements that are not known are skipped: ${shortened(unknownElements.map(({ enterprise, id }) => (enterprise === 0 ? `${id}` : `${enterprise}/${id}`)))}`,
    advice: 'Nothing is to be changed, unless one of them holds what is missing here.',
  },
]

/** What the rules find, the worst first. */
export function findingsOf(stream: StreamReport, { nowMs, twins = 0 }: { nowMs: number; twins?: number }): Finding[] {
  const subject: Subject = { ...stream, nowMs, twins }
  const found = rules.flatMap(({ rule, severity, says, advice }) => {
    const text = says(subject)
    return text === null ? [] : [{ rule, severity, text, advice }]
  })
  return found.toSorted((a, b) => severities.indexOf(a.severity) - severities.indexOf(b.severity))
}

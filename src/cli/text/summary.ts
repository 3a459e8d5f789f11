// The summary of a capture as text for a network engineer: for each exporter what it sends and how, and what should be changed.
import type { ExporterHealth, StreamHealth } from '../../collect/health/exporter.ts'
import type { Finding } from '../../collect/health/rule.ts'
import { sequenceUnit } from '../../collect/health/sequence-loss.ts'
import { share, shortened, span } from '../../collect/health/words.ts'
import type { SamplingEntry, SamplingSource } from '../../decode/sampling/sampling.ts'
import type { ExportProtocol } from '../../flow/columns.ts'
import { formatCount, formatTime } from './output.ts'
import { printable } from './terminal.ts'

const protocolNames: Record<ExportProtocol, string> = {
  netflow5: 'NetFlow v5',
  netflow9: 'NetFlow v9',
  ipfix: 'IPFIX',
  sflow5: 'sFlow v5',
}

/** Where a sampling rate comes from. */
const sourceNames: Record<SamplingSource, string> = {
  none: 'nowhere',
  header: 'by the header',
  record: 'in the records',
  sampler: "by the sampler's options",
  interface: "by the interface's options",
  template: "by the template's options",
  options: 'by options',
  sample: 'in the samples',
  override: 'by ingest.sampling',
}

/** Columns of a text beside its name. */
const widthMax = 100

/** What a domain is called in each protocol. */
const domainNames: Record<ExportProtocol, string> = {
  netflow5: 'engine',
  netflow9: 'source id',
  ipfix: 'observation domain',
  sflow5: 'sub-agent',
}

export interface CaptureFacts {
  file: string
  /** Unix milliseconds; null: there was no datagram. */
  fromMs: number | null
  toMs: number | null
  datagrams: number
  /** Frames without a whole UDP datagram. */
  framesSkipped: number
  /** Datagrams of no version that is understood, by reason. */
  notExports: Record<string, number>
}

export function renderSummary(capture: CaptureFacts, exporters: readonly ExporterHealth[]): string {
  const blocks = [captureText(capture, exporters.length), ...exporters.map(exporterText)]
  return blocks.map((lines) => lines.map(printable).join('\n')).join('\n\n')
}

function captureText({ file, fromMs, toMs, datagrams, framesSkipped, notExports }: CaptureFacts, exporters: number) {
  const lines = [`${file}: ${plural(datagrams, 'datagram')} of ${plural(exporters, 'exporter')}`]
  if (fromMs !== null && toMs !== null) lines[0] += `, ${utc(fromMs)} to ${utc(toMs)} UTC (${span(toMs - fromMs)})`
  for (const [reason, count] of Object.entries(notExports)) {
    lines.push(`! ${plural(count, 'datagram')} not understood: ${reason}`)
  }
  if (framesSkipped > 0) lines.push(`  ${plural(framesSkipped, 'frame')} without a whole UDP datagram`)
  return lines
}

function exporterText({ address, streams }: ExporterHealth): string[] {
  return [`EXPORTER ${address}`, ...streams.flatMap((stream) => ['', ...streamText(stream)])]
}

function streamText(stream: StreamHealth): string[] {
  const { protocol, domain, port, firstMs, lastMs, findings } = stream
  const rows = streamRows(stream).filter(([, text]) => text !== '')
  return [
    `  ${protocolNames[protocol]}, ${domainNames[protocol]} ${domain}, from port ${port}, ${utc(firstMs)} to ${utc(lastMs)}`,
    ...rows.flatMap(([name, text]) => wrapped(text).map((line, i) => `    ${(i === 0 ? name : '').padEnd(11)}${line}`)),
    ...(findings.length === 0 ? ['    findings   none: nothing to change'] : findings.flatMap(findingText)),
  ]
}

function streamRows(stream: StreamHealth): [name: string, text: string][] {
  const { counters, protocol } = stream
  const lost = `${counters.sequenceLost} ${sequenceUnit(protocol)} lost in ${plural(counters.sequenceGaps, 'gap')} (${share(stream.lostShare)})`
  return [
    ['datagrams', withRate(counters.datagrams, stream.datagramsPerSecond)],
    ['flows', `${withRate(counters.records, stream.recordsPerSecond)}${alsoText(stream)}`],
    ['sequence', counters.sequenceGaps === 0 ? 'nothing is missing' : lost],
    ['templates', templatesText(stream)],
    ['sampling', samplingText(stream)],
    ['clock', clockText(stream.clockAheadMs)],
    ['timeouts', timeoutsText(stream)],
  ]
}

function alsoText({ counters }: StreamHealth): string {
  const { records6, reverseRecords, recordsWithoutAddress, optionRecords, samplesSkipped } = counters
  const also = [
    ...(reverseRecords > 0 ? [plural(reverseRecords, 'way back', 'ways back')] : []),
    ...(recordsWithoutAddress > 0 ? [`${recordsWithoutAddress} without a destination address`] : []),
    ...(optionRecords > 0 ? [plural(optionRecords, 'record of options', 'records of options')] : []),
    ...(samplesSkipped > 0 ? [`${samplesSkipped} samples of other kinds`] : []),
  ]
  const ip6 = records6 > 0 ? ` (${records6} of IPv6)` : ''
  return also.length === 0 ? ip6 : `${ip6}; also ${also.join(', ')}`
}

function templatesText({ protocol, templates, templatesTotal, lastMs }: StreamHealth): string {
  if (protocol !== 'netflow9' && protocol !== 'ipfix') return ''
  const texts = templates.map(
    ({ id, options, fields, firstMs }) =>
      `${id} (${options ? 'options, ' : ''}${plural(fields, 'field')}, ${span(lastMs - firstMs)} old)`,
  )
  const more = templatesTotal > templates.length ? `, and ${templatesTotal - templates.length} more` : ''
  return texts.length === 0 ? 'none' : texts.map(unbroken).join(', ') + more
}

function samplingText({ sampling: { rates, from, told }, records: { sampled } }: StreamHealth): string {
  if (sampled === 0) return ''
  const source = from === 'none' ? '' : ` (${sourceNames[from]})`
  // One that all records have says nothing more.
  const options = told.length > 1 || rates.length > 1 ? told.map(toldText) : []
  const also = options.length === 0 ? '' : `; told: ${shortened(options)}`
  const text = (rate: number) => (rate === 0 ? 'not told' : rate === 1 ? '1:1 (every packet)' : `1:${rate}`)
  const shares = rates.map(({ rate, share: part }) => `${text(rate)} for ${share(part)} of the records`)
  return `${rates.length === 1 ? text(rates[0].rate) : shares.join(', ')}${source}${also}`
}

function toldText(entry: SamplingEntry): string {
  if (entry.scope === 'sequence') return `selection sequence ${entry.id} is of sampler ${entry.sampler}`
  const rate = entry.rate === 0 ? 'no rate' : `1:${entry.rate}`
  return entry.scope === 'exporter' ? `${rate} for the exporter` : `${rate} for ${entry.scope} ${entry.id}`
}

function clockText(aheadMs: number | null): string {
  if (aheadMs === null) return 'not told by this protocol'
  // Headers tell whole seconds.
  if (Math.abs(aheadMs) < 2_000) return 'right'
  return `${span(Math.abs(aheadMs))} ${aheadMs > 0 ? 'ahead' : 'behind'}`
}

function timeoutsText({ records }: StreamHealth): string {
  const { activeTimeoutSeconds, inactiveTimeoutSeconds, longestSeconds, lagSeconds } = records
  return [
    ...(activeTimeoutSeconds === null ? [] : [`active about ${seconds(activeTimeoutSeconds)}`]),
    ...(inactiveTimeoutSeconds === null ? [] : [`inactive about ${seconds(inactiveTimeoutSeconds)}`]),
    ...(longestSeconds === null ? [] : [`records last up to ${seconds(longestSeconds)}`]),
    ...(lagSeconds === null ? [] : [`half of them come within ${seconds(lagSeconds)} of their end`]),
  ].join(', ')
}

function findingText({ severity, text, advice }: Finding): string[] {
  const lines = [...wrapped(text), ...wrapped(advice)]
  return lines.map((line, i) => `    ${(i === 0 ? severity : '').padEnd(11)}${line}`)
}

/** A space where `wrapped` does not break. */
const hardSpace = '\u00a0'

function unbroken(text: string): string {
  return text.replaceAll(' ', hardSpace)
}

/** Broken between words, so that a report can be sent by mail. */
function wrapped(text: string): string[] {
  const lines: string[] = []
  let line = ''
  for (const word of text.split(' ')) {
    if (line !== '' && line.length + 1 + word.length > widthMax) {
      lines.push(line)
      line = word
    } else line += line === '' ? word : ` ${word}`
  }
  return [...lines, line].map((each) => each.replaceAll(hardSpace, ' '))
}

function withRate(count: number, perSecond: number | null): string {
  return perSecond === null || perSecond < 0.01 ? String(count) : `${count}, ${formatCount(perSecond)}/s`
}

function seconds(value: number): string {
  return `${value >= 10 ? Math.round(value) : Math.round(value * 10) / 10} s`
}

function plural(count: number, one: string, many = `${one}s`): string {
  return `${count} ${count === 1 ? one : many}`
}

function utc(ms: number): string {
  return formatTime(new Date(ms).toISOString())
}

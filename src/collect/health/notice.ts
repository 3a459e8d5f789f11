// What happened to exporters, for people: a short list beside the findings, which say what is.
import type { RateJump } from '../../decode/sampling/rate-jumps.ts'
import { hasWorked, type StreamReport } from './report.ts'

export const noticeKinds = ['new-sender', 'restart', 'sampling-jump', 'refused'] as const
export type NoticeKind = (typeof noticeKinds)[number]

/** What happened to an exporter, once or several times: the latest in words. */
export interface ExporterNotice {
  kind: NoticeKind
  address: string
  /** Unix milliseconds. */
  firstMs: number
  lastMs: number
  count: number
  text: string
}

/** What is known of a stream and its exporter before a report. */
export interface Before {
  /** The last report of the stream. */
  report: StreamReport | null
  /** The stream that it took the place of, from another port. */
  earlier: StreamReport | null
  /** Nobody has sent flow records from this address, and the exporters of the installation are known. */
  isNewSender: boolean
}

export type Happening = Pick<ExporterNotice, 'kind' | 'text'> & {
  /** Fields for the log. */
  details: Record<string, string | number>
}

/** What a report tells that the one before did not. */
export function happeningsOf(report: StreamReport, { report: before, earlier, isNewSender }: Before): Happening[] {
  const { protocol, port, domain, counters } = report
  const details = { protocol, port, domain }
  const happenings: Happening[] = []
  if (isNewSender && counters.records > 0) {
    const text = `it sends flows from port ${port}, by ${protocol}; nothing was heard from this address before`
    happenings.push({ kind: 'new-sender', text, details })
  }
  if (earlier !== null && hasWorked(earlier)) {
    const text = `domain ${domain} comes from port ${port}, where it had come from ${earlier.port}`
    happenings.push({ kind: 'restart', text, details })
  } else if (counters.restarts > restartsBefore(report, before)) {
    const text = `the uptime of domain ${domain} fell, or its sequence numbers began again`
    happenings.push({ kind: 'restart', text, details })
  }
  for (const jump of report.sampling.jumps) {
    if (before?.sampling.jumps.some((each) => isSame(each, jump))) continue
    const { scope, id, from, to, outcome } = jump
    const text = `${scope === 'exporter' ? 'the' : `${scope} ${id}: the`} sampling rate 1:${from || '?'} was told as 1:${to || '?'}: ${outcomeTexts[outcome]}`
    happenings.push({ kind: 'sampling-jump', text, details: { ...details, scope, id, from, to, outcome } })
  }
  return happenings
}

const outcomeTexts: Record<RateJump['outcome'], string> = {
  waits: 'the old one counts until the new one is told again',
  confirmed: 'it was told again, and counts',
  contradicted: 'the exporter contradicted it, and the old one counts',
}

/** A service that was started again counts from 0. */
function restartsBefore({ countedFromMs }: StreamReport, before: StreamReport | null): number {
  return before !== null && before.countedFromMs === countedFromMs ? before.counters.restarts : 0
}

function isSame(a: RateJump, b: RateJump): boolean {
  return a.scope === b.scope && a.id === b.id && a.outcome === b.outcome && a.decidedMs === b.decidedMs
}

// The part of an attack that an owner knows: what came since the address was theirs, judged by what could be learnt since then. Others may have watched the
// address before; nothing of what was counted or learnt for them is told. Pure.
import { noTraffic } from '../detect/incidents/attack-traffic.ts'
import type {
  Amount,
  Course,
  CourseRates,
  Episode,
  IncidentDetails,
  IncidentReport,
  Statistics,
  Why,
} from '../detect/incidents/incident-report.ts'
import { deviationOf } from '../detect/normal/baseline.ts'
import { laterLists } from './later-lists.ts'

/** From when an owner knows of an attack, Unix milliseconds, a whole second. */
export interface Knowledge {
  sinceMs: number
  /**
   * Lists as they were when the owner came: what they count is left out of later ones. Null: the attack was first seen after that, and its lists begin
   * with it. `frozen`: what was left out is not known any more, and the lists stay as they are.
   */
  before: { statistics: Statistics; frozen: boolean } | null
}

/** Null: the owner knows all of the attack, and what was normal before it. */
export function knownSince(sinceMs: number, startMs: number, learnSeconds: number): number | null {
  const since = Math.floor(sinceMs / 1000) * 1000
  return startMs - since >= learnSeconds * 1000 ? null : since
}

/** Incidents of which owners know different parts have an id for each part. */
export const separator = '+'

export function partId(incident: string, sinceMs: number | null): string {
  return sinceMs === null ? incident : `${incident}${separator}${sinceMs.toString(36)}`
}

/** The incident, and since when it is known; null: all of it. */
export function readPartId(id: string): { incident: string; sinceMs: number | null } {
  const at = id.lastIndexOf(separator)
  if (at === -1) return { incident: id, sinceMs: null }
  return { incident: id.slice(0, at), sinceMs: Number.parseInt(id.slice(at + 1), 36) }
}

/** The report as the owner knows it; null: it does not say how much came since, or nothing did. */
export function knownPart(report: IncidentReport, { sinceMs, before }: Knowledge): IncidentReport | null {
  const { startMs, details } = report
  if (sinceMs <= startMs) {
    const why = report.why.map(asNew)
    const { deviation } = report.why[0]?.unlearnt ?? report
    return { ...report, ...noTraffic.normals, why, deviation, ...detailsSince(details, sinceMs, null) }
  }
  const amount = details === null ? null : amountSince(details.course, sinceMs, report.endMs)
  if (amount === null) return null
  const { episode } = report
  const latest: Episode = episode.startMs >= sinceMs ? episode : { ...episode, ...amount, startMs: sinceMs }
  return {
    ...report,
    ...noTraffic.normals,
    ...amount,
    startMs: sinceMs,
    episode: latest,
    worst: {
      packetsPerSecond: Math.max(amount.packetsPerSecond, latest.packetsPerSecond),
      bytesPerSecond: Math.max(amount.bytesPerSecond, latest.bytesPerSecond),
    },
    why: report.why.map((why) => ({ ...asNew(why), value: peakOf(amount, why.metric) })),
    deviation: deviationOf(amount.peak.packetsPerSecond, 0, report.why[0]?.unlearnt?.measurable ?? 0),
    vectors: report.vectors.map((each) => ({ ...each, packetsPerSecond: each.share * amount.packetsPerSecond })),
    ...detailsSince(details, sinceMs, before),
  }
}

/** Whether what came is an attack by what the owner knows: with what was learnt before, it may be one though it is not. */
export function isAttackToNew({ why }: IncidentReport): boolean {
  return why.length === 0 || why.some(({ value, unlearnt }) => unlearnt !== null && value > unlearnt.threshold)
}

function asNew(why: Why): Why {
  const threshold = why.unlearnt?.threshold ?? why.threshold
  return { ...why, threshold, normal: null, band: null, source: why.source === 'baseline' ? 'absolute' : why.source }
}

function peakOf({ peak }: Amount, metric: string): number {
  if (metric === 'bytes') return peak.bytesPerSecond
  return metric === 'flows' || metric === 'connections' ? peak.flowsPerSecond : peak.packetsPerSecond
}

/** The course has the traffic of the attack by steps. Of the step in which the owner came, the part since then counts as its average: steps last up to half an hour. */
function amountSince({ fromMs, stepSeconds, attack }: Course, sinceMs: number, endMs: number): Amount | null {
  const sum = { packets: 0, bytes: 0, flows: 0, seconds: 0 }
  let peak = { packetsPerSecond: 0, bytesPerSecond: 0, flowsPerSecond: 0, atMs: sinceMs }
  for (let step = 0; step < attack.packetsPerSecond.length; step++) {
    const stepMs = fromMs + step * stepSeconds * 1000
    const atMs = Math.max(stepMs, sinceMs)
    const [packets, bytes, flows] = [
      attack.packetsPerSecond[step] ?? 0,
      attack.bytesPerSecond[step] ?? 0,
      attack.flowsPerSecond[step] ?? 0,
    ]
    const seconds = (Math.min(stepMs + stepSeconds * 1000, endMs) - atMs) / 1000
    if (seconds <= 0 || packets === 0) continue
    sum.seconds += seconds
    sum.packets += packets * seconds
    sum.bytes += bytes * seconds
    sum.flows += flows * seconds
    if (packets > peak.packetsPerSecond)
      peak = { packetsPerSecond: packets, bytesPerSecond: bytes, flowsPerSecond: flows, atMs }
  }
  if (sum.seconds === 0) return null
  return {
    activeSeconds: sum.seconds,
    packetsPerSecond: sum.packets / sum.seconds,
    bytesPerSecond: sum.bytes / sum.seconds,
    flowsPerSecond: sum.flows / sum.seconds,
    peak,
  }
}

/** In a form that fits every phase: only reports of an end must have details. */
function detailsSince(
  details: IncidentDetails | null,
  sinceMs: number,
  before: Knowledge['before'],
): { details: IncidentDetails } | Record<string, never> {
  if (details === null) return {}
  const { course, statistics } = details
  const shown =
    before === null ? statistics : before.frozen ? before.statistics : laterLists(statistics, before.statistics)
  return { details: { ...details, statistics: shown, course: courseSince(course, sinceMs) } }
}

/** Nothing is known of the steps before. */
function courseSince(course: Course, sinceMs: number): Course {
  const { fromMs, stepSeconds, total, attack } = course
  const first = Math.ceil((sinceMs - fromMs) / (stepSeconds * 1000))
  const since = (rates: (number | null)[]) => rates.map((rate, step) => (step < first ? null : rate))
  const ratesSince = ({ packetsPerSecond, bytesPerSecond, flowsPerSecond }: CourseRates): CourseRates => ({
    packetsPerSecond: since(packetsPerSecond),
    bytesPerSecond: since(bytesPerSecond),
    flowsPerSecond: since(flowsPerSecond),
  })
  return { fromMs, stepSeconds, total: ratesSince(total), attack: ratesSince(attack), normal: null }
}

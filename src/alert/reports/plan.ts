// What becomes of a rule's report as time goes by. Pure: killed before the state is written, the same is planned again.
import type { Rule } from '../rules/rule.ts'
import type { ReportState } from './report-store.ts'
import { nextReport, periodOf, type ReportSchedule } from './schedule.ts'

/** Who could not be told for as long is told the next report. */
const toldForMs = 86_400_000

/** `wanted`: the channels that are told now. */
export function planned(
  { id: ruleId }: Pick<Rule, 'id'>,
  schedule: ReportSchedule,
  { before, wanted, nowMs }: { before: ReportState | undefined; wanted: readonly string[]; nowMs: number },
): ReportState {
  if (before === undefined || !isSame(before.schedule, schedule)) {
    const nextMs = nextReport(schedule, nowMs)
    return { ruleId, schedule, sinceMs: nextMs - periodOf(schedule), nextMs, pending: null }
  }
  if (before.nextMs > nowMs) return { ...before, pending: pendingNow(before, wanted, nowMs) }
  // Who was away for several reports makes one of all of them.
  let untilMs = before.nextMs
  let nextMs = nextReport(schedule, untilMs)
  while (nextMs <= nowMs) [untilMs, nextMs] = [nextMs, nextReport(schedule, nextMs)]
  const pending = { fromMs: before.sinceMs, untilMs, left: [...wanted] }
  return { ...before, sinceMs: untilMs, nextMs, pending: wanted.length === 0 ? null : pending }
}

function pendingNow({ pending }: ReportState, wanted: readonly string[], nowMs: number): ReportState['pending'] {
  if (pending === null || nowMs - pending.untilMs > toldForMs) return null
  const left = pending.left.filter((id) => wanted.includes(id))
  return left.length === 0 ? null : { ...pending, left }
}

function isSame(a: ReportSchedule, b: ReportSchedule): boolean {
  return a.day === b.day && a.hour === b.hour && a.timeZone === b.timeZone
}

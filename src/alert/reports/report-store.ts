// What a store keeps of reports: when each is due, and who was not told yet.
import type { Rule } from '../rules/rule.ts'
import type { ReportSchedule } from './schedule.ts'

export interface ReportState {
  ruleId: string
  /** That it was planned by. */
  schedule: ReportSchedule
  /** The end of the latest report: the next one begins there. */
  sinceMs: number
  nextMs: number
  /** What is being told; null: nothing. */
  pending: PendingReport | null
}

export interface PendingReport {
  fromMs: number
  untilMs: number
  /** Channels that lack it. */
  left: readonly string[]
}

export interface ReportStore {
  /** Those that report; of the installation, those of admins. */
  reportingRules(): Promise<Rule[]>
  /** By rule. */
  reports(): Promise<ReportState[]>
  /** In place of all that there were. What is about no rule is left out. */
  saveReports(states: readonly ReportState[]): Promise<void>
  /**
   * Attacks that began within that time, and those from before that go on, without tests: how many there are, and the heaviest. `userId`: null: those on
   * anybody, each attack once.
   */
  attacksBetween(given: {
    userId: string | null
    fromMs: number
    untilMs: number
    limit: number
  }): Promise<{ count: number; heaviest: string[] }>
}

// What a store keeps of rules, and of what they still have to tell.
import type { Rule, RuleContent } from './rule.ts'

export type NewRule = RuleContent & Pick<Rule, 'id' | 'name'>
export type RuleChange = Partial<RuleContent & Pick<Rule, 'name'>>

/** When it is told that an attack goes on, by a rule. A row, so that it survives whatever happens to the process. */
export interface Reminder {
  eventId: string
  ruleId: string
  dueMs: number
}

/** `wasMs`: null: it is new, or replaces whatever there is. `dueMs`: null: it is deleted. */
export type ReminderChange = Pick<Reminder, 'eventId' | 'ruleId'> & { wasMs: number | null; dueMs: number | null }

export interface RuleStore {
  /** In order. */
  rulesOf(userId: string): Promise<Rule[]>
  /** In order of users: their own ones of the users given, and of every admin those of the installation. */
  rulesFor(userIds: readonly string[]): Promise<Rule[]>
  /** After the others. Throws AppError CONFLICT when the user has `max` rules. */
  addRule(userId: string, rule: NewRule, max: number): Promise<Rule>
  /** Null when the user has no such rule. */
  changeRule(userId: string, id: string, change: RuleChange): Promise<Rule | null>
  /** False when the user had no such rule. */
  deleteRule(userId: string, id: string): Promise<boolean>
  /** False when these are not all rules of the user, each once. */
  orderRules(userId: string, ids: readonly string[]): Promise<boolean>
  /** Those whose time has come, the earliest first. */
  dueReminders(given: { nowMs: number; limit: number }): Promise<Reminder[]>
}

// What a store keeps of escalations: a row for each step of a rule and each event that the rule fits, which stays as long as the event, so that no step is taken
// twice. Steps of an event that is over rest, and go on waiting, for the same time, when it comes back.

/** A step that is to be taken. */
export interface Escalation {
  eventId: string
  ruleId: string
  /** Its place among those of the rule, from 0. */
  step: number
  /** That of the step as the rule was then; null: it is not known. */
  afterMinutes: number | null
  dueMs: number
}

/** `isAcknowledged`: somebody has taken note of the event, or of the one that what it was told with is named after. */
export type DueEscalation = Escalation & { isAcknowledged: boolean }

/** What becomes of steps. */
export interface EscalationChanges {
  /** Where there is such a row it stays as it is. */
  begun: readonly Escalation[]
  /** They are never taken again. Where one is not as it was, somebody else has taken it: then nothing is written. */
  done: readonly Escalation[]
  /** Their event is over, though its owner was not told yet. */
  resting: readonly Escalation[]
}

export interface EscalationStore {
  /** Those whose time has come, the earliest first. */
  dueEscalations(given: { nowMs: number; limit: number }): Promise<DueEscalation[]>
}

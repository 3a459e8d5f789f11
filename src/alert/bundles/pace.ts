// How what is to be told is slowed down for people: a first message waits for others, and an end for the attack to come back. Programs get each at once. Pure.
import { isSerious } from '../../events/severity.ts'
import type { NewNotice } from '../notice.ts'
import type { Course } from '../rules/course.ts'
import { type Hold, heldByEnd, heldByGroup } from '../rules/hold.ts'
import { plainRule, type Rule } from '../rules/rule.ts'

const secondMs = 1_000
/** The longest that what is high or critical waits for others. */
const seriousWaitMs = 3 * secondMs

/** What the installation says. */
export interface Paces {
  /** Messages of a channel in an hour; what comes on top is told in digests. */
  perHour: number
  /** An attack that comes back within so long is the same one. */
  reopenMs: number
}

interface SlowedParts {
  /** Undefined: none. */
  rule: Pick<Rule, 'group' | 'endDelaySeconds'> | undefined
  paces: Pick<Paces, 'reopenMs'>
  /** What holds back the message whose place this one takes; null: there is none. */
  held: Hold | null
}

/**
 * The course of what people are told: what would be told now waits a little. A message that takes the place of one that waits for others waits no longer than
 * that one would have: else an attack that changes all the time would never be told.
 */
export function slowed(
  course: Course,
  { kind, facts: { severity, pulses }, atMs }: Pick<NewNotice, 'kind' | 'facts' | 'atMs'>,
  { rule, paces: { reopenMs }, held }: SlowedParts,
): Course {
  if (course.what !== 'now') return course
  const { group, endDelaySeconds } = rule ?? plainRule
  if (kind === 'ended') {
    const untilMs = atMs + (pulses === undefined ? endDelaySeconds * secondMs : reopenMs)
    return { what: 'hold', hold: { by: heldByEnd, untilMs } }
  }
  const waitMs = group.waitSeconds * secondMs
  const untilMs = atMs + (isSerious(severity) ? Math.min(waitMs, seriousWaitMs) : waitMs)
  const heldUntilMs = held?.by === heldByGroup ? held.untilMs : Number.POSITIVE_INFINITY
  return { what: 'hold', hold: { by: heldByGroup, untilMs: Math.min(untilMs, heldUntilMs) } }
}

// What holds a message back: silences of its channel's user, and quiet hours of the channel. Pure.
import type { HeldBy } from '../../contract/alerts/deliveries.ts'
import type { Severity } from '../../events/severity.ts'
import { compilePlaces, compileVectors, type Occasion } from './judge.ts'
import type { RuleCondition } from './rule.ts'
import { type CompiledWindow, compileWindow, type TimeWindow } from './time-window.ts'

/** A time in which nothing is told about some attacks: maintenance, or what is known already. Lists that are empty ask for nothing. */
export interface Silence extends Pick<RuleCondition, 'sites' | 'groups' | 'vectors'> {
  id: string
  userId: string
  /** Why, in its user's words. */
  reason: string
  fromMs: number
  untilMs: number
  createdMs: number
}

/** What holds a message back; of a silence, which one. */
export type Holder = { by: Exclude<HeldBy, 'silence'> } | { by: 'silence'; silenceId: string }
export type Hold = Holder & { untilMs: number }

export const heldByQuiet = 'quiet'
export const heldByEnd = 'end'
export const heldByGroup = 'group'

const words = [heldByQuiet, heldByEnd, heldByGroup] as const satisfies readonly HeldBy[]

/** As a store keeps it: the word, or the id of the silence alone, which is hexadecimal. */
export function holderKey(holder: Holder): string {
  return holder.by === 'silence' ? holder.silenceId : holder.by
}

export function parseHolderKey(key: string): Holder {
  const by = words.find((word) => word === key)
  return by === undefined ? { by: 'silence', silenceId: key } : { by }
}

/** Asked for one message to one channel; null: nothing holds it back. */
export type HoldOf = (occasion: Occasion, channel: HeldChannel, nowMs: number) => Hold | null

export interface HeldChannel {
  userId: string
  /** Null: it has none. */
  quiet: CompiledWindow | null
}

/** Quiet hours that never end may be changed: what they hold back is asked again after as long. */
const lookAgainMs = 3_600_000

/** Severities that quiet hours do not hold back. */
const loud: readonly Severity[] = ['critical']

export function compileQuiet(quiet: TimeWindow | null): CompiledWindow | null {
  return quiet === null ? null : compileWindow(quiet)
}

/** The hold that ends last; while it lasts nothing is told, so that the others are over by then. */
export function compileHolds(silences: readonly Silence[]): HoldOf {
  const compiled = silences.map((silence) => ({
    silence,
    tests: [compilePlaces(silence), compileVectors(silence.vectors)],
  }))
  return (occasion, { userId, quiet }, nowMs) => {
    const holds = compiled
      .filter(({ silence, tests }) => isHeld(silence, userId, nowMs) && tests.every((test) => test(occasion)))
      .map(({ silence: { id: silenceId, untilMs } }): Hold => ({ by: 'silence', silenceId, untilMs }))
    const quietUntilMs = quietEnd(occasion, quiet, nowMs)
    if (quietUntilMs !== null) holds.push({ by: heldByQuiet, untilMs: quietUntilMs })
    return holds.reduce<Hold | null>(
      (last, each) => (last !== null && last.untilMs >= each.untilMs ? last : each),
      null,
    )
  }
}

function isHeld({ userId, fromMs, untilMs }: Silence, ofUser: string, nowMs: number): boolean {
  return userId === ofUser && fromMs <= nowMs && nowMs < untilMs
}

function quietEnd({ severity }: Occasion, quiet: CompiledWindow | null, nowMs: number): number | null {
  if (quiet === null || loud.includes(severity) || !quiet.contains(nowMs)) return null
  return quiet.endAfter(nowMs) ?? nowMs + lookAgainMs
}

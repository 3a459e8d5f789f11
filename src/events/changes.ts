// What happens to events: the changes that the store writes together with the events, and that everybody who reports events reads back.
import type { EventDetail } from './records.ts'

/** `returned`: the attack came back after its end was recorded; `closed`: nothing of the event changes any more. */
export const changeKinds = ['made', 'updated', 'ended', 'returned', 'closed'] as const
export type ChangeKind = (typeof changeKinds)[number]

/** One thing that happened to an event of one user. */
export interface EventChange {
  userId: string
  /** The event's. */
  id: string
  change: ChangeKind
}

/** A change with its place in the log of all changes. */
export interface LoggedChange extends EventChange {
  /** It rises over the changes of all users, with gaps. No user may see it: the gaps tell how much goes on with others. */
  sequence: number
}

export interface ChangesRead {
  /** In the order of the sequence. */
  changes: LoggedChange[]
  /** Changes after the place that was asked for are deleted: the reader has to look at the events themselves. */
  isIncomplete: boolean
}

/** The part of an event that tells what happens to it. */
export interface EventState {
  /** Its end is recorded. */
  isOver: boolean
  isClosed: boolean
  /** The detector's number of the latest episode. */
  episode: number
}

export function stateOf({ endMs, phase, episode }: Pick<EventDetail, 'endMs' | 'phase' | 'episode'>): EventState {
  return { isOver: endMs !== null, isClosed: phase === 'closed', episode: episode.number }
}

/** What happens to an event that becomes `after`, one thing after the other. `before` is null for a new event; that may be over already. */
export function changesBetween(before: EventState | null, after: EventState): ChangeKind[] {
  const isBack = before?.isOver === true && after.episode > before.episode
  const changes: ChangeKind[] = before === null ? ['made'] : isBack ? ['returned'] : []
  if (after.isOver && (isBack || before?.isOver !== true)) changes.push('ended')
  if (after.isClosed && before?.isClosed !== true) changes.push('closed')
  return changes.length > 0 ? changes : ['updated']
}

// What is to be told about an event: the difference between what its owner was told last and what the event is now. Pure, so that whoever is
// killed between reading and writing comes to the same notices again.
import type { ChangeKind } from '../events/changes.ts'
import type { EventSummary } from '../events/records.ts'
import { type Severity, severityOf, severityRank, worseOf } from '../events/severity.ts'

/**
 * `started`: the attack is new to its owner; `worsened`: its severity is higher than any before; `vector`: its kind is another one;
 * `continues`: it goes on, as a rule asks to be told; `escalated`: nobody has acknowledged it within the time of a rule; `ended`: its end is recorded; `resumed`: it came back after that.
 */
export const turnKinds = ['started', 'worsened', 'vector', 'continues', 'escalated', 'ended', 'resumed'] as const
export type TurnKind = (typeof turnKinds)[number]

/** A kind of a newer version is no end: it says that something is new. */
export function turnKindOf(word: string): TurnKind {
  return turnKinds.find((each) => each === word) ?? 'worsened'
}

/** What a notice says apart from the event itself, which is read when the message is sent. */
export interface NoticeFacts {
  severity: Severity
  /** Null: of unknown kind. */
  label: string | null
  /** What was told before; null: nothing. */
  before: { severity: Severity; label: string | null } | null
  /** It begins and ends again and again: how often it began; `isNew`: that is said now. Left out: it does not. */
  pulses?: { count: number; isNew: boolean }
}

export interface NewNotice {
  userId: string
  eventId: string
  kind: TurnKind
  /** Its number within the event, from 1: messages of one event are sent in this order. */
  number: number
  /** When it was found, Unix milliseconds. */
  atMs: number
  facts: NoticeFacts
}

/** A notice with its place among all notices: it rises, with gaps. */
export interface Notice extends NewNotice {
  sequence: number
}

/** What the owner of an event was told last. */
export interface Told {
  /** The highest so far: averages fall as an attack tails off. */
  severity: Severity
  label: string | null
  isOver: boolean
  /** The number of the latest notice. */
  number: number
  /** Left out: it never did. */
  returns?: Returns
}

/** How often an event came back, and when the last times were. */
export interface Returns {
  count: number
  latestMs: readonly number[]
}

export const noReturns: Returns = { count: 0, latestMs: [] }

/** An attack that comes back so often within so long pulses. */
const pulsing = { returns: 3, withinMs: 600_000 } as const

type Now = Pick<EventSummary, 'id' | 'userId' | 'label' | 'endMs' | 'worst' | 'normalPacketsPerSecond'>

/**
 * The notices of an event, given what happened to it since the last ones, in order, and what it is now. An event that was never told about and is over
 * without having been made since is an old one: nobody is told about it.
 */
export function noticesOf(
  told: Told | null,
  event: Now,
  changes: readonly ChangeKind[],
  atMs: number,
): { notices: NewNotice[]; told: Told | null } {
  const isOver = event.endMs !== null
  if (told === null && isOver && !changes.some((change) => change === 'made' || change === 'returned'))
    return { notices: [], told: null }
  const severity = worseOf(told?.severity ?? 'low', severityOf(event))
  const { label } = event
  const before = told === null ? null : { severity: told.severity, label: told.label }
  const kinds = kindsOf(told, { severity, label, isOver }, changes)
  const first = (told?.number ?? 0) + 1
  let returns = told?.returns ?? noReturns
  const notices = kinds.map((kind, index): NewNotice => {
    const pulsed = isPulsing(returns, atMs)
    if (kind === 'resumed') returns = oneMore(returns, atMs)
    const pulses = isPulsing(returns, atMs) ? { pulses: { count: returns.count + 1, isNew: !pulsed } } : {}
    const facts = { severity, label, before, ...pulses }
    return { userId: event.userId, eventId: event.id, kind, number: first + index, atMs, facts }
  })
  const number = first + kinds.length - 1
  return { notices, told: { severity, label, isOver, number, ...(returns.count > 0 && { returns }) } }
}

function oneMore({ count, latestMs }: Returns, atMs: number): Returns {
  return { count: count + 1, latestMs: [...latestMs, atMs].slice(-pulsing.returns) }
}

function isPulsing({ latestMs }: Returns, atMs: number): boolean {
  // Later ones were dated by a clock that was wrong.
  const past = latestMs.filter((each) => each <= atMs)
  return past.length === pulsing.returns && atMs - past[0] <= pulsing.withinMs
}

function kindsOf(
  told: Told | null,
  now: Pick<Told, 'severity' | 'label' | 'isOver'>,
  changes: readonly ChangeKind[],
): TurnKind[] {
  const kinds: TurnKind[] = []
  let isOver = told?.isOver ?? true
  const beginning = () => (told === null && kinds.length === 0 ? 'started' : 'resumed')
  const turn = (over: boolean) => {
    if (over === isOver) return
    kinds.push(over ? 'ended' : beginning())
    isOver = over
  }
  for (const change of changes) {
    if (change === 'made' || change === 'returned') turn(false)
    if (change === 'ended') turn(true)
  }
  // The log may lack something for its age; what the event is now counts in any case.
  if (!isOver && told !== null) kinds.push(...differences(told, now))
  turn(now.isOver)
  return kinds
}

function differences(told: Told, now: Pick<Told, 'severity' | 'label'>): TurnKind[] {
  const kinds: TurnKind[] = []
  if (severityRank(now.severity) > severityRank(told.severity)) kinds.push('worsened')
  if (now.label !== told.label) kinds.push('vector')
  return kinds
}

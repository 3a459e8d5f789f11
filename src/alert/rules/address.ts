// To which channels something goes that is to be told about an event. Pure.
import type { Addressed, EventToTell } from '../alert-store.ts'
import type { NewNotice } from '../notice.ts'
import { courseOf, type Known, knownAfter } from './course.ts'
import type { HeldChannel, HoldOf } from './hold.ts'
import { compileRule, type Judge, noticeOfKind, type Occasion, type Unmet } from './judge.ts'
import type { Rule } from './rule.ts'

/** A channel that is told, and the rule that says so; null: no rule does, since it follows what the channel was told before. */
export interface Destination {
  channelId: string
  ruleId: string | null
}

export interface CompiledRule {
  rule: Rule
  judge: Judge
}

/** As much of a channel as decides whether it is told. */
export interface Told extends HeldChannel {
  id: string
  isDisabled: boolean
}

/** `stopped`: a rule before it fits, and says that those after it are not looked at. */
export interface Judgement {
  rule: Rule
  unmet: Unmet | 'stopped' | null
}

export function compileRules(rules: readonly Rule[]): CompiledRule[] {
  return rules.map((rule) => ({ rule, judge: compileRule(rule) }))
}

/** What each rule says, in order. The installation's leave out an attack that another owner's event stands for. */
export function judgeAll(
  rules: readonly CompiledRule[],
  { own, installation }: { own: Occasion; installation: Occasion | null },
): Judgement[] {
  const stopped = new Set<string>()
  return rules.flatMap(({ rule, judge }) => {
    const occasion = rule.reach === 'own' ? own : installation
    if (occasion === null) return []
    const list = `${rule.userId} ${rule.reach}`
    const unmet = stopped.has(list) ? 'stopped' : judge(occasion)
    if (unmet === null && rule.stop) stopped.add(list)
    return [{ rule, unmet }]
  })
}

/** An end, and a return, go where something of the event went before; what begins goes by the rules, to each channel once. */
export function destinationsOf(
  occasions: { own: Occasion; installation: Occasion | null },
  {
    rules,
    channels,
    reached,
  }: { rules: readonly CompiledRule[]; channels: readonly Told[]; reached: ReadonlySet<string> },
): Destination[] {
  const { kind } = occasions.own
  const follows = kind === 'ended' || kind === 'resumed'
  const found = new Map<string, Destination>()
  const add = (destination: Destination) => {
    if (!found.has(destination.channelId)) found.set(destination.channelId, destination)
  }
  if (follows) for (const channelId of reached) add({ channelId, ruleId: null })
  if (noticeOfKind[kind] === null) return [...found.values()]
  for (const { rule, unmet } of judgeAll(rules, occasions))
    if (unmet === null) for (const { id } of channelsOfRule(rule, channels)) add({ channelId: id, ruleId: rule.id })
  return [...found.values()]
}

/** The channels that a rule sends to and that take something now. */
export function channelsOfRule(rule: Rule, channels: readonly Told[]): Told[] {
  return channels.filter(
    ({ id, userId, isDisabled }) =>
      userId === rule.userId && !isDisabled && (rule.send === null || rule.send.includes(id)),
  )
}

/** What rules look at, of an event and of its whole incident. */
export function occasionsOf(
  { event, sites, groups, incident }: EventToTell,
  { kind, facts, atMs }: Pick<NewNotice, 'kind' | 'facts' | 'atMs'>,
): { own: Occasion; installation: Occasion | null } {
  const { severity, label, before } = facts
  const { address } = event
  const own = { kind, severity, severityBefore: before?.severity ?? null, label, address, sites, groups, atMs }
  return { own, installation: incident === null ? null : { ...own, ...incident } }
}

const knowsNothing: Known = { lastTold: null, held: null }

/** How each is told, by what it knows of the event and what holds it back; what stays as it is is left out. `known` is brought up to date. */
export function coursesOf(
  destinations: readonly Destination[],
  { own, installation }: { own: Occasion; installation: Occasion | null },
  {
    channels,
    holdOf,
    known,
    ownerId,
  }: {
    channels: readonly Told[]
    holdOf: HoldOf
    known: Map<string, Known>
    /** The event's. */
    ownerId: string
  },
): Addressed[] {
  return destinations.flatMap((destination) => {
    const { channelId } = destination
    const channel = channels.find(({ id }) => id === channelId)
    const occasion = channel?.userId === ownerId ? own : (installation ?? own)
    const hold = channel === undefined ? null : holdOf(occasion, channel, own.atMs)
    const before = known.get(channelId) ?? knowsNothing
    const course = courseOf(own.kind, before, hold)
    known.set(channelId, knownAfter(own.kind, before, course))
    return course.what === 'keep' ? [] : [{ ...destination, course }]
  })
}

// To which channels something goes that is to be told about an event. Pure.
import type { Addressed, EventToTell } from '../alert-store.ts'
import { bundleKey, bundleOf, ruleIdOf } from '../bundles/bundle-key.ts'
import { type Paces, slowed } from '../bundles/pace.ts'
import type { NewNotice } from '../notice.ts'
import { believesOpen, type Course, courseOf, type Known, knownAfter } from './course.ts'
import { type HeldChannel, type HoldOf, heldByGroup } from './hold.ts'
import { compileRule, type Judge, noticeOfKind, type Occasion, type Unmet } from './judge.ts'
import type { Rule } from './rule.ts'

/** A channel that is told, and the rule that says so; null: no rule does, since it follows what the channel was told before. */
export interface Destination {
  channelId: string
  ruleId: string | null
}

/** What rules look at: those of the owner, and those of the installation; null: for these an earlier event of the attack stands for it. */
export interface Occasions {
  own: Occasion
  installation: Occasion | null
}

export interface CompiledRule {
  rule: Rule
  judge: Judge
}

/** As much of a channel as decides whether it is told. */
export interface Recipient extends HeldChannel {
  id: string
  isDisabled: boolean
  /** What it is told waits for others; programs get each at once. */
  isForPeople: boolean
  /** It wakes people, or leads to what does. */
  isPager: boolean
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
export function judgeAll(rules: readonly CompiledRule[], { own, installation }: Occasions): Judgement[] {
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

/** What begins goes by the rules, to each channel once; an end, and a return, go where something of the event went before. */
export function destinationsOf(
  occasions: Occasions,
  {
    rules,
    channels,
    reached,
  }: { rules: readonly CompiledRule[]; channels: readonly Recipient[]; reached: ReadonlySet<string> },
): Destination[] {
  const { kind } = occasions.own
  const asked = noticeOfKind[kind] === null ? [] : judgeAll(rules, occasions)
  const byRules = asked.flatMap(({ rule, unmet }) => (unmet === null ? toChannels(rule, channels) : []))
  const follows = kind === 'ended' || kind === 'resumed' ? [...reached] : []
  return onceEach([...byRules, ...follows.map((channelId) => ({ channelId, ruleId: null }))])
}

/** To the channels that a rule sends to and that take something now. */
export function toChannels(
  rule: Rule,
  channels: readonly Pick<Recipient, 'id' | 'userId' | 'isDisabled'>[],
): Destination[] {
  return channels
    .filter(({ userId, isDisabled }) => userId === rule.userId && !isDisabled)
    .filter(({ id }) => rule.send === null || rule.send.includes(id))
    .map(({ id }) => ({ channelId: id, ruleId: rule.id }))
}

/** Each channel once, by the first rule that sends to it. */
export function onceEach(destinations: readonly Destination[]): Destination[] {
  return Array.from(Map.groupBy(destinations, ({ channelId }) => channelId).values(), ([first]) => first)
}

/** Where an event stands for its attack, rules of the installation look at the sites of all owners. */
export function occasionsOf(
  { event, sites, groups, incident }: EventToTell,
  { kind, facts, atMs }: Pick<NewNotice, 'kind' | 'facts' | 'atMs'>,
): Occasions {
  const { severity, label, before } = facts
  const { address } = event
  const attack = { kind, severity, severityBefore: before?.severity ?? null, label, address, isTest: event.isTest }
  const own = { ...attack, sites, groups, atMs }
  return { own, installation: incident === null ? null : { ...own, ...incident } }
}

/** The same of a notice by which an owner comes to an attack that was told before: to rules of the installation that owner's sites are new. */
export function newcomerOccasions({ own }: Pick<Occasions, 'own'>): Occasions {
  return { own, installation: own }
}

/** What a channel knows of an event, and with what it is told. */
export interface KnownTogether extends Known {
  /** The latest bundle; null: it is told alone. */
  bundle: string | null
}

const knowsNothing: KnownTogether = { lastTold: null, held: null, bundle: null }

/** What decides how somebody is told. `known` is brought up to date. */
interface CourseParts {
  channels: readonly Recipient[]
  holdOf: HoldOf
  ruleOf: (id: string) => Rule | undefined
  paces: Paces
  known: Map<string, KnownTogether>
  /** The event's. */
  ownerId: string
  /** What each channel knows of the event whose attack this one joins; left out: it joins none. */
  joined?: ReadonlyMap<string, KnownTogether>
}

/** How each is told, by what it knows of the event and what holds it back; what stays as it is is left out. */
export function coursesOf(
  destinations: readonly Destination[],
  { own, installation }: Occasions,
  notice: Pick<NewNotice, 'eventId' | 'kind' | 'facts' | 'atMs'>,
  { channels, holdOf, ruleOf, paces, known, ownerId, joined }: CourseParts,
): Addressed[] {
  const { kind, facts, atMs, eventId } = notice
  const bundleBefore = (channelId: string, before: KnownTogether) =>
    bundleNow(before) ?? bundleNow(joined?.get(channelId) ?? knowsNothing)
  return destinations.flatMap((destination) => {
    const { channelId, ruleId } = destination
    const channel = channels.find(({ id }) => id === channelId)
    const occasion = channel?.userId === ownerId ? own : (installation ?? own)
    const hold = channel === undefined ? null : holdOf(occasion, channel, atMs)
    const before = known.get(channelId) ?? knowsNothing
    const told = forTest(courseOf(kind, before, hold, facts.pulses?.isNew), own)
    const bundle =
      channel?.isForPeople === true
        ? (bundleBefore(channelId, before) ?? bundleKey(bundleOf(ruleOf(ruleId ?? ''), eventId, occasion)))
        : null
    const course =
      bundle === null ? told : slowed(told, notice, { rule: ruleOf(ruleIdOf(bundle) ?? ''), paces, held: before.held })
    known.set(channelId, { ...knownAfter(kind, before, course), bundle: bundle ?? before.bundle })
    return course.what === 'keep' ? [] : [{ ...destination, course, bundle }]
  })
}

/** What was held back of a test is of no use to anybody when it is over; others, with which it is told, do not keep it for long. */
function forTest(course: Course, { kind, isTest }: Pick<Occasion, 'kind' | 'isTest'>): Course {
  const isLate = isTest && kind === 'ended' && course.what === 'hold' && course.hold.by !== heldByGroup
  return isLate ? { what: 'drop' } : course
}

/** As long as the channel knows that it goes on, or something waits, the event stays where it is told. */
function bundleNow(known: KnownTogether): string | null {
  return known.held !== null || believesOpen(known) ? known.bundle : null
}

// Who would be told about an attack, and what each rule says. Nothing is written or sent.
import type { Addressed, AlertStore, EventToTell } from '../alert-store.ts'
import type { Paces } from '../bundles/pace.ts'
import { stepsOf, toStep } from '../escalation/escalate.ts'
import { rulesForTests } from '../simulated/rules.ts'
import {
  compileRules,
  coursesOf,
  destinationsOf,
  type Judgement,
  judgeAll,
  type KnownTogether,
  occasionsOf,
} from './address.ts'
import { compileHolds } from './hold.ts'
import { noticeOfKind, type Occasion } from './judge.ts'
import { recipientOf } from './rulebook.ts'

interface Previewed {
  told: Addressed[]
  judgements: Judgement[]
  /** Who would be told later, where nobody acknowledges it. */
  escalated: { channelId: string; ruleId: string; atMs: number }[]
}

/** `event`: null: the attack is made up. `given` replaces what the event has. Rules and channels are those of the user alone. */
export async function previewOf(
  store: Pick<AlertStore, 'rulesOf' | 'channelsOf' | 'silencesAt'>,
  userId: string,
  { event, given, paces }: { event: EventToTell | null; given: Occasion; paces: Paces },
): Promise<Previewed> {
  const all = compileRules(await store.rulesOf(userId))
  const channels = (await store.channelsOf(userId)).map(recipientOf)
  const holdOf = compileHolds(await store.silencesAt(given.atMs, [userId]))
  const ruleOf = (id: string) => all.find(({ rule }) => rule.id === id)?.rule
  const ofEvent = { rules: all, channels, holdOf, ruleOf, paces }
  const { rules } = given.isTest ? rulesForTests(ofEvent, userId) : ofEvent
  const facts = { severity: given.severity, label: given.label, before: null }
  const { installation } =
    event === null ? { installation: given } : occasionsOf(event, { kind: given.kind, facts, atMs: given.atMs })
  const occasions = { own: given, installation: installation && { ...given, ...placesOf(installation) } }
  const own = new Set(channels.map(({ id }) => id))
  const known = new Map<string, KnownTogether>([...(event?.known ?? [])].filter(([id]) => own.has(id)))
  const destinations = destinationsOf(occasions, { rules, channels, reached: new Set(known.keys()) })
  const notice = { eventId: event?.event.id ?? '', kind: given.kind, facts, atMs: given.atMs }
  const told = coursesOf(destinations, occasions, notice, { ...ofEvent, known, ownerId: userId })
  const judgements = judgeAll(rules, occasions)
  const steps = noticeOfKind[given.kind] === null ? [] : stepsOf(judgements, given.atMs)
  const escalated = steps.flatMap(({ rule, step, atMs }) =>
    toStep(rule, step, channels).map((destination) => ({ ...destination, ruleId: rule.id, atMs })),
  )
  return { told, judgements, escalated }
}

function placesOf({ sites, groups }: Occasion): Pick<Occasion, 'sites' | 'groups'> {
  return { sites, groups }
}

// Who is told where nobody acknowledges an attack. Given rows in, rows out; nothing waits in memory.
import type { AlertStore, Routing } from '../alert-store.ts'
import type { Paces } from '../bundles/pace.ts'
import type { NewNotice } from '../notice.ts'
import { type Destination, type Judgement, judgeAll, onceEach, type Recipient, toChannels } from '../rules/address.ts'
import { noticeOfKind, type Occasion } from '../rules/judge.ts'
import { noticesAgain } from '../rules/reminders.ts'
import type { EscalationStep, Rule } from '../rules/rule.ts'
import { openRulebook, type Rulebook, type RulebookStore, type RulesOfEvent } from '../rules/rulebook.ts'
import type { DueEscalation, Escalation } from './escalation-store.ts'

const minuteMs = 60_000

/** The steps of each rule that fits, also of one that tells nobody at first, or only those who are told by another rule. */
export function escalationsOf(
  occasions: { own: Occasion; installation: Occasion | null },
  { eventId, kind, atMs }: Pick<NewNotice, 'eventId' | 'kind' | 'atMs'>,
  { rules }: Pick<RulesOfEvent, 'rules'>,
): Escalation[] {
  if (noticeOfKind[kind] === null || rules.every(({ rule }) => rule.escalate.length === 0)) return []
  return stepsOf(judgeAll(rules, occasions), atMs).map(({ rule, number, step, atMs: dueMs }) => ({
    ...{ eventId, ruleId: rule.id, step: number, afterMinutes: step.afterMinutes, dueMs },
  }))
}

interface PlannedStep {
  rule: Rule
  number: number
  step: EscalationStep
  atMs: number
}

/** What follows on a beginning, the earliest first. */
export function stepsOf(judgements: readonly Judgement[], atMs: number): PlannedStep[] {
  return judgements
    .filter(({ unmet }) => unmet === null)
    .flatMap(({ rule }) =>
      rule.escalate.map((step, number) => ({ rule, number, step, atMs: atMs + step.afterMinutes * minuteMs })),
    )
    .toSorted((a, b) => a.atMs - b.atMs)
}

/** To the channels of a step that take something now. */
export function toStep(rule: Rule, { send }: EscalationStep, channels: readonly Recipient[]): Destination[] {
  return toChannels({ ...rule, send }, channels)
}

/** One notice for each event that goes on and that nobody has acknowledged. */
export async function escalateDue(
  due: readonly DueEscalation[],
  { store, nowMs, paces }: { store: Pick<AlertStore, 'eventsToTell'> & RulebookStore; nowMs: number; paces: Paces },
): Promise<Pick<Routing, 'notices' | 'told' | 'escalations'> & { acknowledged: number }> {
  const byEvent = Map.groupBy(due, ({ eventId }) => eventId)
  const events = await store.eventsToTell([...byEvent.keys()])
  const rules = await openRulebook(store, new Set(events.map(({ event }) => event.userId)), { nowMs, paces })
  const { notices, told, goesOn } = noticesAgain('escalated', events, {
    ...{ rules, nowMs },
    destinations: ({ event }) => escalatedTo(byEvent.get(event.id) ?? [], rules.of(event.userId), rules),
  })
  const { done = [], resting = [] } = Object.groupBy(due, ({ eventId }) => (goesOn.has(eventId) ? 'done' : 'resting'))
  const acknowledged = done.filter(({ isAcknowledged }) => isAcknowledged).length
  return { notices, told, escalations: { begun: [], done, resting }, acknowledged }
}

/** Steps may have been added and removed since: it is the one that is taken after as long. */
function plannedStep(
  { escalate }: Rule,
  planned: Pick<Escalation, 'step' | 'afterMinutes'>,
): EscalationStep | undefined {
  const { step: number, afterMinutes } = planned
  const isPlanned = (step: EscalationStep | undefined) => afterMinutes === null || step?.afterMinutes === afterMinutes
  return isPlanned(escalate[number]) ? escalate[number] : escalate.find(isPlanned)
}

function escalatedTo(
  due: readonly DueEscalation[],
  { channels }: Pick<RulesOfEvent, 'channels'>,
  rules: Pick<Rulebook, 'rule'>,
): Destination[] {
  const wanted = due.flatMap(({ ruleId, isAcknowledged, ...planned }) => {
    const rule = rules.rule(ruleId)?.rule
    const step = rule && plannedStep(rule, planned)
    return rule === undefined || step === undefined || isAcknowledged ? [] : toStep(rule, step, channels)
  })
  return onceEach(wanted)
}

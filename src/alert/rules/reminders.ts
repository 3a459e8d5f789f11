// What is told about an attack that goes on: by which rules, and when the next time. Given rows in, rows out; nothing waits in memory.
import type { AlertStore, EventToTell, Routing } from '../alert-store.ts'
import type { Paces } from '../bundles/pace.ts'
import type { NewNotice, Told, TurnKind } from '../notice.ts'
import { coursesOf, type Destination, occasionsOf, onceEach, toChannels } from './address.ts'
import type { Reminder, ReminderChange } from './rule-store.ts'
import { openRulebook, type Rulebook, type RulebookStore } from './rulebook.ts'

const minuteMs = 60_000

/** A rule by which an attack is told, and asks to be told that it goes on, is asked again after that time. */
export function remindersAfter(notices: Routing['notices'], rules: Rulebook): ReminderChange[] {
  return notices.flatMap(({ notice: { eventId, atMs }, to }) =>
    [...new Set(to.map(({ ruleId }) => ruleId))].flatMap((ruleId) => {
      const minutes = ruleId === null ? undefined : rules.rule(ruleId)?.rule.continuesMinutes
      if (ruleId === null || minutes === undefined || minutes === null) return []
      return [{ eventId, ruleId, wasMs: null, dueMs: atMs + minutes * minuteMs }]
    }),
  )
}

/** One notice for each event that goes on, to the channels of its rules that know of it. */
export async function tellDue(
  due: readonly Reminder[],
  { store, nowMs, paces }: { store: Pick<AlertStore, 'eventsToTell'> & RulebookStore; nowMs: number; paces: Paces },
): Promise<Pick<Routing, 'notices' | 'told' | 'reminders'>> {
  const byEvent = Map.groupBy(due, ({ eventId }) => eventId)
  const events = await store.eventsToTell([...byEvent.keys()])
  const rules = await openRulebook(store, new Set(events.map(({ event }) => event.userId)), { nowMs, paces })
  const { notices, told, goesOn } = noticesAgain('continues', events, {
    ...{ rules, nowMs },
    destinations: (event) => toldAgain(event, byEvent.get(event.event.id) ?? [], rules),
  })
  const reminders = due.map(({ eventId, ruleId, dueMs }) => {
    const minutes = goesOn.has(eventId) ? rules.rule(ruleId)?.rule.continuesMinutes : null
    return { eventId, ruleId, wasMs: dueMs, dueMs: minutes == null ? null : nowMs + minutes * minuteMs }
  })
  return { notices, told, reminders }
}

/** What is said of events that go on; `goesOn`: which of them do. */
export function noticesAgain(
  kind: TurnKind,
  events: readonly EventToTell[],
  given: { rules: Rulebook; nowMs: number; destinations: (event: EventToTell) => Destination[] },
): Pick<Routing, 'notices' | 'told'> & { goesOn: ReadonlySet<string> } {
  const { rules, nowMs, destinations } = given
  const notices: Routing['notices'][number][] = []
  const told = new Map<string, Told>()
  const goesOn = new Set<string>()
  for (const event of events) {
    const { id, userId } = event.event
    if (event.told === null || event.told.isOver || event.event.endMs !== null) continue
    goesOn.add(id)
    const { severity, label, number } = event.told
    const facts = { severity, label: event.event.label, before: { severity, label } }
    const notice: NewNotice = { userId, eventId: id, kind, number: number + 1, atMs: nowMs, facts }
    const parts = { ...rules.of(userId), known: new Map(event.known), ownerId: userId }
    const to = coursesOf(destinations(event), occasionsOf(event, notice), notice, parts)
    if (to.length === 0) continue
    told.set(id, { ...event.told, number: number + 1 })
    notices.push({ notice, to })
  }
  return { notices, told, goesOn }
}

function toldAgain({ event, known }: EventToTell, due: readonly Reminder[], rules: Rulebook): Destination[] {
  const { channels } = rules.of(event.userId)
  const wanted = due.flatMap(({ ruleId }) => {
    const rule = rules.rule(ruleId)?.rule
    return rule === undefined || rule.continuesMinutes === null ? [] : toChannels(rule, channels)
  })
  return onceEach(wanted.filter(({ channelId }) => known.has(channelId)))
}

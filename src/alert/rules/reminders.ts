// What is told of an attack that goes on: by which rules, and when the next time. Given rows in, rows out; nothing waits in memory.
import type { AlertStore, EventToTell, Routing } from '../alert-store.ts'
import type { Told } from '../notice.ts'
import { channelsOfRule, type Destination } from './address.ts'
import type { Reminder, ReminderChange } from './rule-store.ts'
import { openRulebook, type Rulebook } from './rulebook.ts'

const minuteMs = 60_000

/** A rule that tells of an attack, and asks to be told that it goes on, is asked again after that time. */
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
  { store, nowMs }: { store: Pick<AlertStore, 'eventsToTell' | 'rulesFor' | 'channelsOf'>; nowMs: number },
): Promise<Pick<Routing, 'notices' | 'told' | 'reminders'>> {
  const byEvent = Map.groupBy(due, ({ eventId }) => eventId)
  const events = await store.eventsToTell([...byEvent.keys()])
  const rules = await openRulebook(store, new Set(events.map(({ event }) => event.userId)))
  const notices: Routing['notices'][number][] = []
  const told = new Map<string, Told>()
  for (const event of events) {
    const to = toldAgain(event, byEvent.get(event.event.id) ?? [], rules)
    if (to.length === 0 || event.told === null) continue
    const { severity, label, number } = event.told
    const { id, userId } = event.event
    told.set(id, { ...event.told, number: number + 1 })
    const facts = { severity, label: event.event.label, before: { severity, label } }
    notices.push({ notice: { userId, eventId: id, kind: 'continues', number: number + 1, atMs: nowMs, facts }, to })
  }
  const reminders = due.map(({ eventId, ruleId, dueMs }) => {
    const minutes = told.has(eventId) ? rules.rule(ruleId)?.rule.continuesMinutes : null
    return { eventId, ruleId, wasMs: dueMs, dueMs: minutes == null ? null : nowMs + minutes * minuteMs }
  })
  return { notices, told, reminders }
}

function toldAgain({ event, told, channelIds }: EventToTell, due: readonly Reminder[], rules: Rulebook): Destination[] {
  if (told === null || told.isOver || event.endMs !== null) return []
  const { channels } = rules.of(event.userId)
  const found = new Map<string, Destination>()
  for (const { ruleId } of due) {
    const rule = rules.rule(ruleId)?.rule
    if (rule === undefined || rule.continuesMinutes === null) continue
    for (const { id } of channelsOfRule(rule, channels))
      if (channelIds.includes(id) && !found.has(id)) found.set(id, { channelId: id, ruleId })
  }
  return [...found.values()]
}

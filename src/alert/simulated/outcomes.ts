// What became of telling a simulated attack: for each channel of the rules that fit whether it has it, since when, and if not why.
import type { HeldBy } from '../../contract/alerts/deliveries.ts'
import type { EventSummary } from '../../events/records.ts'
import { severityOf } from '../../events/severity.ts'
import type { AlertStore, Channel, Delivery, EventToTell } from '../alert-store.ts'
import { judgeAll, occasionsOf } from '../rules/address.ts'
import { openRulebook, type RulebookStore } from '../rules/rulebook.ts'
import { isSentTo, rulesForTests } from './rules.ts'

/**
 * `waiting`: it comes; `held`: something holds it back on purpose; `done`: the channel has it; `failing`: an attempt failed, or its channel does; `dead`: it was
 * given up; `disabled`: the channel takes nothing; `pager`: no rule sends tests to it; `dropped`: what held it back lasted longer than the attack.
 */
type OutcomeState = 'waiting' | 'held' | 'done' | 'failing' | 'dead' | 'disabled' | 'pager' | 'dropped'

export interface ChannelOutcome {
  channel: Pick<Channel, 'id' | 'name' | 'kind'>
  state: OutcomeState
  /** When the channel had it, Unix milliseconds; null: it does not. */
  doneMs: number | null
  /** Null: nothing holds it back. */
  held: { by: HeldBy; untilMs: number } | null
  /** What came of the latest attempt, where it failed; null: nothing. */
  text: string | null
}

type OutcomeStore = RulebookStore & Pick<AlertStore, 'eventsToTell' | 'deliveriesOf' | 'attemptsOf'>

export interface OutcomeOptions {
  store: OutcomeStore
  nowMs: number
}

/** Messages about an event to one channel that are looked at: a test has few. */
const deliveriesMax = 20

/** By name of the channel. */
export async function outcomesOf(
  { id, userId }: Pick<EventSummary, 'id' | 'userId'>,
  { store, nowMs }: OutcomeOptions,
): Promise<ChannelOutcome[]> {
  const [event] = await store.eventsToTell([id])
  if (event === undefined) return []
  const wanted = await wantedOf(event, { store, nowMs })
  const channels = (await store.channelsOf(userId)).filter((each) => wanted.has(each.id) || event.known.has(each.id))
  const found: ChannelOutcome[] = []
  for (const channel of channels) {
    const deliveries = await store.deliveriesOf(userId, { eventId: id, channelId: channel.id, limit: deliveriesMax })
    const isPagerAlone = wanted.get(channel.id) === 'pager'
    found.push(await outcomeOf(channel, { deliveries, event, isPagerAlone, store }))
  }
  return found
}

/** The channels of the rules that fit; `pager`: no rule that fits sends tests there. */
async function wantedOf(
  event: EventToTell,
  { store, nowMs }: OutcomeOptions,
): Promise<ReadonlyMap<string, 'told' | 'pager'>> {
  const { userId, label } = event.event
  const paces = { perHour: 0, reopenMs: 0 }
  const all = (await openRulebook(store, [userId], { nowMs, paces })).of(userId)
  const { channels, rules } = rulesForTests(all, userId)
  const severity = event.told?.severity ?? severityOf(event.event)
  const occasions = occasionsOf(event, { kind: 'started', facts: { severity, label, before: null }, atMs: nowMs })
  const wanted = new Map<string, 'told' | 'pager'>()
  for (const { rule, unmet } of judgeAll(rules, occasions)) {
    const asked = unmet === null ? all.ruleOf(rule.id) : undefined
    for (const channel of asked === undefined ? [] : channels.filter((each) => isSentTo(asked, each))) {
      const isLeftOut = !isSentTo(rule, channel)
      if (!isLeftOut || !wanted.has(channel.id)) wanted.set(channel.id, isLeftOut ? 'pager' : 'told')
    }
  }
  return wanted
}

interface Facts {
  deliveries: readonly Delivery[]
  event: EventToTell
  isPagerAlone: boolean
  store: Pick<AlertStore, 'attemptsOf'>
}

async function outcomeOf(channel: Channel, { deliveries, event, isPagerAlone, store }: Facts): Promise<ChannelOutcome> {
  const { id, name, kind, userId, health, last } = channel
  const blank = { channel: { id, name, kind }, doneMs: null, held: null, text: null }
  const inState = (...states: Delivery['state'][]) => deliveries.find(({ state }) => states.includes(state))
  const attemptsOf = async (delivery: Delivery) => store.attemptsOf(userId, delivery.id)
  // The earliest: the latest comes first.
  const done = deliveries.findLast(({ state }) => state === 'done')
  if (done !== undefined) {
    const taken = (await attemptsOf(done)).find(({ isDone }) => isDone)
    return { ...blank, state: 'done', doneMs: taken === undefined ? done.dueMs : taken.atMs + taken.tookMs }
  }
  const held = event.known.get(id)?.held ?? null
  if (held !== null) return { ...blank, state: 'held', held: { by: held.by, untilMs: held.untilMs } }
  const failed = async (delivery: Delivery) => (await attemptsOf(delivery)).at(-1)?.text ?? last?.text ?? null
  const pending = inState('due', 'sending', 'joined')
  if (health.isDisabled) return { ...blank, state: 'disabled', text: last?.text ?? null }
  if (pending !== undefined) {
    const isFailing = pending.attempts > 0 || health.failingSinceMs !== null
    return isFailing ? { ...blank, state: 'failing', text: await failed(pending) } : { ...blank, state: 'waiting' }
  }
  const dead = inState('dead')
  if (dead !== undefined) return { ...blank, state: 'dead', text: await failed(dead) }
  if (deliveries.length > 0) return { ...blank, state: 'dropped' }
  return { ...blank, state: isPagerAlone ? 'pager' : 'waiting' }
}

// What becomes of messages whose hold is over. Asked again, since silences may have been made, and hours changed, meanwhile; then what people are told is
// gathered with whatever waits beside it.
import type { AlertStore, EventToTell } from '../alert-store.ts'
import { digestKey, parseBundleKey, ruleIdOf } from '../bundles/bundle-key.ts'
import type { BundlePlan, WaitingDelivery } from '../bundles/bundle-store.ts'
import type { Paces } from '../bundles/pace.ts'
import { digestEveryMs, isEnd, planOf } from '../bundles/plan.ts'
import { occasionsOf } from './address.ts'
import { believesOpen } from './course.ts'
import { type Hold, heldByEnd, heldByGroup } from './hold.ts'
import { plainRule } from './rule.ts'
import { openRulebook, type Rulebook, type RulebookStore } from './rulebook.ts'
import type { HeldDelivery } from './silence-store.ts'

const hourMs = 3_600_000

interface ReleaseParts {
  store: Pick<AlertStore, 'eventsToTell' | 'waitingIn' | 'threadOf' | 'openIn' | 'messagesBetween'> & RulebookStore
  nowMs: number
  paces: Paces
}

interface Released {
  /** Told alone; null: it is due. */
  alone: { held: HeldDelivery; hold: Hold | null }[]
  plans: BundlePlan[]
}

export async function releaseOf(due: readonly HeldDelivery[], parts: ReleaseParts): Promise<Released> {
  const { store, nowMs, paces } = parts
  const together = await waitingWith(due, store)
  const gathered = together.flatMap(({ rows }) => rows)
  // What there is no event of any more carries nobody.
  const alone = [...due.filter(({ bundle }) => bundle === null), ...gathered.filter(({ isThere }) => !isThere)]
  // Ends of what was told are asked nothing.
  const all = [...alone, ...gathered.filter((each) => !isEnd(each))]
  const events = await store.eventsToTell([...new Set(all.map(({ eventId }) => eventId))])
  const rules = await openRulebook(store, new Set(all.map(({ channelUserId }) => channelUserId)), { nowMs, paces })
  const holdOf = holdAgain(new Map(events.map((each) => [each.event.id, each])), rules, nowMs)
  const plans: BundlePlan[] = []
  for (const { rows } of together) {
    const left = rows.filter(({ isThere }) => isThere)
    if (left.length > 0) plans.push(await bundlePlan(left, holdOf, { ...parts, rules }))
  }
  return { alone: alone.map((held) => ({ held, hold: holdOf(held) })), plans }
}

async function waitingWith(
  due: readonly HeldDelivery[],
  store: ReleaseParts['store'],
): Promise<{ rows: WaitingDelivery[] }[]> {
  const bundles = Map.groupBy(
    due.filter(({ bundle }) => bundle !== null),
    ({ channelId, bundle }) => `${channelId} ${bundle}`,
  )
  const found: { rows: WaitingDelivery[] }[] = []
  for (const [{ channelId, bundle }] of bundles.values())
    found.push({ rows: await store.waitingIn(channelId, bundle ?? '') })
  return found.filter(({ rows }) => rows.length > 0)
}

/** Null: nothing holds it back. An end of what was told is held back by nobody, and what there is no event of any more is the sender's. */
function holdAgain(events: ReadonlyMap<string, EventToTell>, rules: Rulebook, nowMs: number) {
  return (held: HeldDelivery): Hold | null => {
    const event = events.get(held.eventId)
    const channel = rules.of(held.channelUserId).channels.find(({ id }) => id === held.channelId)
    if (held.by === heldByEnd || event === undefined || event.told === null || channel === undefined) return null
    const { severity, label } = event.told
    const facts = { severity, label, before: null }
    const { own, installation } = occasionsOf(event, { kind: held.kind, facts, atMs: nowMs })
    const occasion = held.channelUserId === event.event.userId ? own : (installation ?? own)
    return rules.of(held.channelUserId).holdOf(occasion, channel, nowMs)
  }
}

async function bundlePlan(
  rows: readonly WaitingDelivery[],
  holdOf: (held: HeldDelivery) => Hold | null,
  { store, rules, nowMs, paces }: ReleaseParts & { rules: Rulebook },
): Promise<BundlePlan> {
  const [{ channelId, bundle }] = rows
  const wait: BundlePlan['wait'][number][] = []
  const toDigest: HeldDelivery[] = []
  const free: WaitingDelivery[] = []
  const isTest = parseBundleKey(bundle).kind === 'test'
  for (const each of rows) {
    const isDue = each.dueMs <= nowMs
    const isGathered = each.by === heldByGroup || each.by === heldByEnd || bundle === digestKey
    const hold = isEnd(each) ? null : holdOf(each)
    if (hold !== null && isDue) wait.push({ waiting: each, untilMs: hold.untilMs, holder: hold })
    else if (hold === null && isDue && !isGathered && !believesOpen(each) && !isTest) toDigest.push(each)
    else if (hold === null && (isDue || isGathered)) free.push(each)
  }
  const told = await store.threadOf(channelId, bundle)
  const threads = new Set([...free.filter(isEnd).map(({ thread }) => thread), ...(told === null ? [] : [told.thread])])
  const open = new Map<string, Set<string>>()
  for (const thread of threads) open.set(thread, new Set(await store.openIn(channelId, thread)))
  const { group } = rules.rule(ruleIdOf(bundle) ?? '')?.rule ?? plainRule
  const plan = planOf(free, {
    ...{ channelId, bundle, told, open, nowMs },
    everyMs: bundle === digestKey ? digestEveryMs : group.everyMinutes * 60_000,
    isFull: !isTest && (await store.messagesBetween(channelId, nowMs - hourMs, nowMs)) >= paces.perHour,
  })
  return { ...plan, wait: [...wait, ...plan.wait], toDigest: [...toDigest, ...plan.toDigest] }
}

// The rules that count for some users' events, with the channels that they send to and what holds messages back: read once for a look, compiled once.
import type { AlertStore, Channel } from '../alert-store.ts'
import type { Paces } from '../bundles/pace.ts'
import { audienceOf, isPager } from '../channels/kinds.ts'
import { type CompiledRule, compileRules, type Recipient } from './address.ts'
import { compileHolds, compileQuiet, type HoldOf } from './hold.ts'
import type { Rule } from './rule.ts'

export interface RulesOfEvent {
  rules: readonly CompiledRule[]
  channels: readonly Recipient[]
  holdOf: HoldOf
  ruleOf: (id: string) => Rule | undefined
  paces: Paces
}

export interface Rulebook {
  /** For events of the user: the user's own rules, then those of the installation. */
  of(userId: string): RulesOfEvent
  rule(id: string): CompiledRule | undefined
}

export type RulebookStore = Pick<AlertStore, 'rulesFor' | 'channelsOf' | 'silencesAt'>

export async function openRulebook(
  store: RulebookStore,
  userIds: Iterable<string>,
  { nowMs, paces }: { nowMs: number; paces: Paces },
): Promise<Rulebook> {
  const owners = [...userIds]
  const rules = compileRules(await store.rulesFor(owners))
  const byId = new Map(rules.map((each) => [each.rule.id, each]))
  const { own = [], installation = [] } = Object.groupBy(rules, ({ rule }) => rule.reach)
  const ofUser = Map.groupBy(own, ({ rule }) => rule.userId)
  const channels = new Map<string, Recipient[]>()
  for (const userId of new Set([...owners, ...installation.map(({ rule }) => rule.userId)])) {
    const found = await store.channelsOf(userId)
    channels.set(userId, found.map(recipientOf))
  }
  const holdOf = compileHolds(await store.silencesAt(nowMs, [...channels.keys()]))
  const admins = [...new Set(installation.map(({ rule }) => rule.userId))]
  return {
    of: (userId) => ({
      rules: [...(ofUser.get(userId) ?? []), ...installation],
      channels: [...new Set([userId, ...admins])].flatMap((id) => channels.get(id) ?? []),
      holdOf,
      ruleOf: (id) => byId.get(id)?.rule,
      paces,
    }),
    rule: (id) => byId.get(id),
  }
}

export function recipientOf({ id, userId, kind, health: { isDisabled }, quiet }: Channel): Recipient {
  const audience = { isForPeople: audienceOf(kind) === 'people', isPager: isPager(kind) }
  return { id, userId, isDisabled, ...audience, quiet: compileQuiet(quiet) }
}

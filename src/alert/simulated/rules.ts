// How rules count for a simulated attack whose user asked to be told about it: those of that user alone, and pagers only where a rule says so. Pure.
import { compileRules, type Recipient } from '../rules/address.ts'
import type { Rule } from '../rules/rule.ts'
import type { RulesOfEvent } from '../rules/rulebook.ts'

/** Rules and channels of others are left out: nobody rings somebody else's phone with a test. */
export function rulesForTests(rules: RulesOfEvent, ownerId: string): RulesOfEvent {
  const channels = rules.channels.filter(({ userId }) => userId === ownerId)
  const own = rules.rules.map(({ rule }) => rule).filter(({ userId }) => userId === ownerId)
  return { ...rules, channels, rules: compileRules(own.map((rule) => forTests(rule, channels))) }
}

function forTests(rule: Rule, channels: readonly Recipient[]): Rule {
  if (rule.tests) return rule
  const send = channels.filter((channel) => !channel.isPager && isSentTo(rule, channel)).map(({ id }) => id)
  return { ...rule, send, escalate: [] }
}

/** Whether the rule names the channel, which may be disabled. */
export function isSentTo({ send }: Pick<Rule, 'send'>, { id }: Pick<Recipient, 'id'>): boolean {
  return send === null || send.includes(id)
}

// Who is told about the installation's own conditions: the channels of rules of admins that are about attacks anywhere, and all channels of its owner but the
// one that it is about. Pure.
import type { Channel } from '../alert-store.ts'
import type { Rule } from '../rules/rule.ts'
import { compileWindow } from '../rules/time-window.ts'
import { type Condition, conditionKinds } from './condition.ts'

/** A user with what decides about channels. */
export interface Listener {
  userId: string
  isAdmin: boolean
  rules: readonly Rule[]
  channels: readonly Channel[]
}

/** The channels that take it now. In quiet hours they do later, if it goes on, but for what is critical. */
export function destinationsOf(
  condition: Pick<Condition, 'type' | 'owner'>,
  listeners: readonly Listener[],
  nowMs: number,
): Channel[] {
  const { owner, type } = condition
  const { severity, isForAdmins } = conditionKinds[type]
  const isQuiet = ({ quiet }: Channel) =>
    quiet !== null && severity !== 'critical' && compileWindow(quiet).contains(nowMs)
  return listeners.flatMap(({ userId, isAdmin, rules, channels }) => {
    const fitting = isAdmin && isForAdmins ? rules.filter((rule) => isAbout(rule, severity, nowMs)) : []
    const isNamed = ({ id }: Channel) =>
      owner?.userId === userId || fitting.some(({ send }) => send === null || send.includes(id))
    return channels.filter(
      (channel) =>
        channel.id !== owner?.exceptChannelId && !channel.health.isDisabled && isNamed(channel) && !isQuiet(channel),
    )
  })
}

/** A rule that asks for sites, groups or vectors is about attacks alone. */
function isAbout({ when, at }: Rule, severity: Rule['when']['severities'][number], nowMs: number): boolean {
  const { severities, sites, groups, vectors } = when
  if (sites.length + groups.length + vectors.length > 0) return false
  if (severities.length > 0 && !severities.includes(severity)) return false
  return at === null || compileWindow(at).contains(nowMs)
}

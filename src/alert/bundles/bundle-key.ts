// What is told together on a channel has one key, which a store keeps as text. It is made and read here alone.
import type { Occasion } from '../rules/judge.ts'
import type { Rule } from '../rules/rule.ts'

export type Bundle =
  /** What the channel has too many messages for, and what was held back by a silence or at quiet hours. */
  | { kind: 'digest' }
  /** A test stands alone: it stands in no message about real attacks. `ruleId`: by which it is told; null: by none. */
  | { kind: 'test'; ruleId: string | null; eventId: string }
  /** An event that no rule tells stands alone. */
  | { kind: 'event'; eventId: string }
  /** What a rule gathers: `values` are what its events have in common, in the order of the rule. */
  | { kind: 'rule'; ruleId: string; values: readonly string[] }

const keyLengthMax = 1_000
/** Neither a host nor a label begins with it. */
const ofTest = 'test '
const ofEvent = 'event '

/** One line each: `digest`; `event ID`; a rule's id, and below it `test ID` or the values. Ids are hexadecimal, and no value has a line break. */
export function bundleKey(bundle: Bundle): string {
  switch (bundle.kind) {
    case 'digest':
      return 'digest'
    case 'event':
      return `${ofEvent}${bundle.eventId}`
    case 'test':
      return `${bundle.ruleId ?? ''}\n${ofTest}${bundle.eventId}`
    case 'rule':
      return [bundle.ruleId, ...bundle.values].join('\n').slice(0, keyLengthMax)
  }
}

export function parseBundleKey(key: string): Bundle {
  const [first, ...values] = key.split('\n')
  if (key === digestKey) return { kind: 'digest' }
  if (values.length === 0 && first.startsWith(ofEvent)) return { kind: 'event', eventId: first.slice(ofEvent.length) }
  const [second = ''] = values
  if (!second.startsWith(ofTest)) return { kind: 'rule', ruleId: first, values }
  return { kind: 'test', ruleId: first === '' ? null : first, eventId: second.slice(ofTest.length) }
}

export const digestKey = bundleKey({ kind: 'digest' })

/** The rule that gathers it, which may be gone; null: none does. */
export function ruleIdOf(key: string): string | null {
  const bundle = parseBundleKey(key)
  return 'ruleId' in bundle ? bundle.ruleId : null
}

/** Where the event belongs that is told by the rule; undefined: by none. */
export function bundleOf(rule: Pick<Rule, 'id' | 'group'> | undefined, eventId: string, occasion: Occasion): Bundle {
  if (occasion.isTest) return { kind: 'test', ruleId: rule?.id ?? null, eventId }
  if (rule === undefined) return { kind: 'event', eventId }
  const values: Record<(typeof rule.group.by)[number], string> = {
    site: occasion.sites[0] ?? '',
    group: occasion.groups.toSorted().join(' '),
    vector: occasion.label ?? '',
    severity: occasion.severity,
  }
  return { kind: 'rule', ruleId: rule.id, values: rule.group.by.map((field) => values[field]) }
}

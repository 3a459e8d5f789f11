// The order of rules. Pure.
import type { Rule } from './sentence.ts'

/** The ids with the one at a place taken to another. */
export function moved(ids: readonly string[], from: number, to: number): string[] {
  const rest = ids.filter((_, n) => n !== from)
  return [...rest.slice(0, to), ids[from], ...rest.slice(to)]
}

/** All rules in an order in which those of one reach are in that of `ids`: rules of different reach do not stop each other. */
export function allInOrder(rules: readonly Rule[], ids: readonly string[]): Rule[] {
  const byId = new Map(rules.map((rule) => [rule.id, rule]))
  const ordered = ids.flatMap((id) => byId.get(id) ?? [])
  return [...ordered, ...rules.filter(({ id }) => !ids.includes(id))]
}

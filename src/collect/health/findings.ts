// Finds what is wrong with an exporter's export, in words for whoever can change it, by tables of rules over what is known of a stream. To find
// something more, add a row to one of them.
import type { StreamReport } from './report.ts'
import { type Finding, type Rule, type Subject, type Surroundings, severities } from './rule.ts'
import { contentRules } from './rules-content.ts'
import { deliveryRules } from './rules-delivery.ts'
import { samplingRules } from './rules-sampling.ts'
import { timeRules } from './rules-times.ts'

export const rules: readonly Rule[] = [...deliveryRules, ...samplingRules, ...timeRules, ...contentRules]

/** The findings of all rules, the worst first. */
export function findingsOf(stream: StreamReport, surroundings: Surroundings): Finding[] {
  const subject: Subject = { ...stream, ...surroundings }
  const found = rules.flatMap(({ rule, severity, says, advice }) => {
    const text = says(subject)
    return text === null ? [] : [{ rule, severity, text, advice }]
  })
  return found.toSorted((a, b) => severities.indexOf(a.severity) - severities.indexOf(b.severity))
}

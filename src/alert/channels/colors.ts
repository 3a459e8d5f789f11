// Colors and urgencies by severity, for receivers that have them.
import type { Severity } from '../../events/severity.ts'
import { isOver, type Message } from './kind.ts'

interface Urgency {
  color: `#${string}`
  /** ntfy: 1 to 5. */
  ntfy: number
  /** Gotify: 0 to 10. */
  gotify: number
  pagerduty: 'critical' | 'error' | 'warning' | 'info'
  opsgenie: 'P1' | 'P2' | 'P3' | 'P4' | 'P5'
  /** RFC 5424 section 6.2.1. */
  syslog: number
  /** CEF and LEEF: 0 to 10. */
  siem: number
}

const urgencies: Readonly<Record<Severity, Urgency>> = {
  critical: { color: '#b3001b', ntfy: 5, gotify: 10, pagerduty: 'critical', opsgenie: 'P1', syslog: 1, siem: 10 },
  high: { color: '#d9480f', ntfy: 4, gotify: 8, pagerduty: 'error', opsgenie: 'P2', syslog: 2, siem: 8 },
  medium: { color: '#e0a800', ntfy: 3, gotify: 5, pagerduty: 'warning', opsgenie: 'P3', syslog: 4, siem: 5 },
  low: { color: '#3b7ddd', ntfy: 2, gotify: 3, pagerduty: 'info', opsgenie: 'P4', syslog: 5, siem: 3 },
}

/** What is over disturbs nobody. */
const over: Urgency = {
  ...urgencies.low,
  color: '#2b8a3e',
  ntfy: 2,
  gotify: 3,
  syslog: 5,
}

export function urgencyOf(message: Message): Urgency {
  return isOver(message) ? over : urgencies[message.facts.severity]
}

export const colorOf = (message: Message) => urgencyOf(message).color

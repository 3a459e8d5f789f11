// Messages of tests: about the example of the contract, but for what is given.
import type { Message } from '../../../src/alert/channels/kind.ts'
import type { NoticeFacts } from '../../../src/alert/notice.ts'
import { blankReport } from '../../../src/alert/own/blank-report.ts'
import type { EventReport } from '../../../src/contract/events/event.ts'
import { reportExample } from '../../../src/contract/events/examples.ts'

export function messageOf(type: string, given: Partial<EventReport> = {}, facts: Partial<NoticeFacts> = {}): Message {
  const report = { ...reportExample, ...given }
  const number = type === 'event.started' ? 1 : 2
  return {
    ...{ type, number, id: `msg_${report.id}_${number}`, atMs: Date.parse(report.start), event: report, report },
    facts: { severity: 'high', label: report.attackType, before: null, ...facts },
  }
}

/** About the installation itself. */
export function ownMessageOf(given: Partial<NonNullable<Message['own']>> = {}): Message {
  const sinceMs = Date.UTC(2026, 0, 1)
  const own = {
    ...{ subject: '192.0.2.1', detail: 'loss: 12 %', host: 'flows1' },
    ...{ sinceMs, untilMs: null, isOver: false },
  }
  const word = given.isOver === true ? ('exporter.recovered' as const) : ('exporter.problem' as const)
  const number = given.isOver === true ? 2 : 1
  const report = { ...blankReport(reportExample), id: '65a1b2c3d4e5f60718293a4b', site: 'Floodgauge flows1' }
  return {
    ...{ type: word, number, id: `msg_${report.id}_${number}`, atMs: sinceMs, event: null, report },
    facts: { severity: 'medium', label: null, before: null },
    own: { word, ...own, ...given },
  }
}

// Messages of tests: about the example of the contract, but for what is given.
import type { Message } from '../../../src/alert/channels/kind.ts'
import type { NoticeFacts } from '../../../src/alert/notice.ts'
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

// Events that the detector found, of many kinds of attack, as the API reports them. record.ts makes them.
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import type { EventReport, EventSeries } from '../../../src/contract/events/event.ts'

export interface RecordedEvent {
  /** The name of its scenario. */
  name: string
  event: EventReport
  series: EventSeries
}

export const recordedFile = fileURLToPath(new URL('./recorded.jsonl', import.meta.url))

/** Each line was checked against the contract when it was written. */
export function readRecordedEvents(): RecordedEvent[] {
  const lines = readFileSync(recordedFile, 'utf8').trimEnd().split('\n')
  return lines.map((line) => JSON.parse(line))
}

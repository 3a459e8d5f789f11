// What of an event a filter is about, as conditions of SQL.
import type { EventFilter } from '../../store.ts'

export const filterConditions = {
  site: 'host = ?',
  address: 'address = ?',
  isOpen: '(end_ms IS NULL) = ?',
  label: 'label IS ?',
  deviationMin: 'deviation >= ?',
  classification: '(SELECT classification FROM event_notes WHERE event_id = id) IS ?',
  isTest: 'is_test = ?',
  isAcknowledged: '((SELECT acknowledged_ms FROM event_notes WHERE event_id = id) IS NOT NULL) = ?',
  victimOrSource: `(
    SELECT address = wanted OR EXISTS (
      SELECT 1 FROM event_sources WHERE event_id = id AND instr(addresses, ' ' || wanted || ' ') > 0
    ) FROM (SELECT CAST(? AS INTEGER) AS wanted)
  )`,
  texts: `EXISTS (
    SELECT 1 FROM json_each(?) WHERE instr(lower(site || ' ' || domain || ' ' || coalesce(label, 'unknown')), value) > 0
  )`,
} as const satisfies Record<keyof EventFilter, string>
export type FilterName = keyof typeof filterConditions
/** In the order of their values. */
export const filterNames = Object.keys(filterConditions) as FilterName[]

/** SQLite has neither booleans nor lists. */
export function filterValue(value: EventFilter[FilterName]): string | number | null {
  if (typeof value === 'object' && value !== null) return JSON.stringify(value)
  return typeof value === 'boolean' ? Number(value) : (value ?? null)
}

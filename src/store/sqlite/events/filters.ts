// What of an event a filter is about, as conditions of SQL.
import type { StatementSync } from 'node:sqlite'
import type { EventFilter } from '../../store.ts'
import type { Database } from '../database.ts'
import { eventsOfSite } from './sites.ts'

const filterConditions = {
  site: 'host = ?',
  address: 'address = ?',
  // As it is, and not a value: an index is of events that go on.
  isOpen: { true: 'end_ms IS NULL', false: 'end_ms IS NOT NULL' },
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
} as const satisfies Record<keyof EventFilter, string | Record<'true' | 'false', string>>
type FilterName = keyof typeof filterConditions
/** In the order of their values. */
const filterNames = Object.keys(filterConditions) as FilterName[]

/** SQLite has neither booleans nor lists. */
function filterValue(value: EventFilter[FilterName]): string | number | null {
  if (typeof value === 'object' && value !== null) return JSON.stringify(value)
  return typeof value === 'boolean' ? Number(value) : (value ?? null)
}

/** Its condition takes a value. */
function takesValue(name: FilterName): boolean {
  return typeof filterConditions[name] === 'string'
}

function conditionOf(name: FilterName, filter: EventFilter): string {
  const condition: string | Record<'true' | 'false', string> = filterConditions[name]
  return typeof condition === 'string' ? condition : condition[filter[name] === true ? 'true' : 'false']
}

/** A statement for each combination of filters, prepared when it is first needed. */
export class FilteredStatements {
  readonly #made = new Map<string, StatementSync>()
  readonly #database: Database
  readonly #sqlOf: (source: EventSource, conditions: string) => string

  /** `sqlOf`: the SQL with where the events are read from, and conditions that each begin with AND. */
  constructor(database: Database, sqlOf: (source: EventSource, conditions: string) => string) {
    this.#database = database
    this.#sqlOf = sqlOf
  }

  /** The statement for a filter, and the values of its conditions. `isScan`: it may look through many events to find few. */
  of(filter: EventFilter): { statement: StatementSync; values: (string | number | null)[]; isScan: boolean } {
    const given = filterNames.filter((name) => filter[name] !== undefined)
    const conditions = given.map((name) => ` AND ${conditionOf(name, filter)}`).join('')
    const source = filter.site !== undefined ? ofSite : filter.isOpen === true ? ofOpen : ofAll
    const statement = this.#made.get(conditions) ?? this.#database.prepare(this.#sqlOf(source, conditions))
    this.#made.set(conditions, statement)
    const values = given.filter(takesValue).map((name) => filterValue(filter[name]))
    return { statement, values, isScan: source !== ofOpen && given.some((name) => name !== 'site') }
  }
}

/** Where events are read from, and the names that their columns have there. `bySequence`: the same in the order of the latest change. */
export interface EventSource {
  from: string
  bySequence: string
  user: string
  created: string
  id: string
}

const ofAll: EventSource = {
  from: 'events',
  bySequence: 'events INDEXED BY events_by_sequence',
  user: 'user_id',
  created: 'created_ms',
  id: 'id',
}

/** Those that go on are few, however many there were. */
const ofOpen: EventSource = {
  ...ofAll,
  from: 'events INDEXED BY events_open_by_site',
  bySequence: 'events INDEXED BY events_open_by_site',
}

/** Events of a site are read by the index of sites. */
const ofSite: EventSource = {
  from: eventsOfSite,
  bySequence: eventsOfSite,
  user: 'event_user',
  created: 'event_created_ms',
  id: 'event_id',
}

// How events lie in their tables: the columns are those of the rows of `src/events/fields.ts`, named as the fields are, in lower case with underscores.
import { AssertionError } from 'node:assert'
import type { SQLInputValue } from 'node:sqlite'
import type { Episode, Statistics } from '../../../detect/incidents/incident-report.ts'
import type { Cell } from '../../../events/columns.ts'
import {
  amountFields,
  amountOf,
  detailFields,
  entryFields,
  episodeFields,
  evidenceFields,
  type Field,
  fieldsBy,
  summaryFields,
  type ValuesOf,
} from '../../../events/fields.ts'
import type { EventDetail, EventEpisode, EventSummary } from '../../store.ts'
import { number, type Row, text } from '../rows.ts'

/** Some fields of an event as columns of a table. */
export class Columns<Fields extends Record<string, Field<unknown>>> {
  readonly #fields: readonly { name: string; column: string; field: Field<unknown> }[]

  constructor(fields: Fields) {
    this.#fields = Object.entries(fields).map(([name, field]) => ({ name, column: columnOf(name), field }))
  }

  get names(): string[] {
    return this.#fields.map(({ column }) => column)
  }

  /** The names for a statement, divided by commas. */
  get list(): string {
    return this.names.join(', ')
  }

  get placeholders(): string {
    return this.names.fill('?').join(', ')
  }

  /** What an UPDATE sets. */
  get assignments(): string {
    return this.names.map((column) => `${column} = ?`).join(', ')
  }

  /** In the order of the names. */
  cells(given: ValuesOf<Fields>): SQLInputValue[] {
    const values: Record<string, unknown> = given
    return this.#fields.map(({ name, field }) => field.column.toCell(values[name]))
  }

  /** The values that a row has, each of the type that its field says. */
  valuesFrom(row: Row): ValuesOf<Fields> {
    const values: Record<string, unknown> = {}
    for (const { name, column, field } of this.#fields) values[name] = field.column.fromCell(cellOf(row, column, field))
    return values as ValuesOf<Fields>
  }
}

/** `bytesPerSecond` -> `bytes_per_second`. */
function columnOf(name: string): string {
  return name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)
}

/** A cell of another type than its column declares is a bug. */
function cellOf(row: Row, name: string, { column }: Field<unknown>): Cell {
  const cell = row[name]
  const type = column.type === 'TEXT' ? 'string' : 'number'
  if (cell === null && column.isNullable) return null
  if ((typeof cell !== 'string' && typeof cell !== 'number') || typeof cell !== type)
    throw new AssertionError({ message: `column ${name} holds ${cell === null ? 'null' : typeof cell}` })
  return cell
}

/** All that lists show. */
export const summaryColumns = new Columns(summaryFields)
/** What the list under `/open` shows. */
export const entryColumns = new Columns(entryFields)
/** What an event is stored with; the store fills the others itself. */
export const givenColumns = new Columns(fieldsBy(summaryFields, 'fixed', 'owner', 'report'))
/** What an update changes. */
export const changingColumns = new Columns(fieldsBy(summaryFields, 'report'))
export const detailColumns = new Columns(detailFields)
export const changingDetailColumns = new Columns(fieldsBy(detailFields, 'report'))
export const evidenceColumns = new Columns(evidenceFields)
/** What an episode has in place of the event's. */
export const episodeColumns = new Columns(episodeFields)
const amountColumns = new Columns(amountFields)
const statisticsColumn = new Columns({ statistics: evidenceFields.statistics })

/** Each of these columns by itself, where an update writes it apart from the others. */
export const cellsOf = {
  dns: detailFields.dns.column,
  network: summaryFields.network.column,
  statistics: evidenceFields.statistics.column,
  course: evidenceFields.course.column,
}

export function summaryFrom(row: Row): EventSummary {
  return summaryColumns.valuesFrom(row)
}

/** A row of `event_episodes`. */
export function episodeFrom(row: Row): EventEpisode {
  return {
    id: text(row, 'id'),
    number: number(row, 'number'),
    createdMs: number(row, 'created_ms'),
    startMs: number(row, 'start_ms'),
    endMs: number(row, 'last_ms'),
    ...amountColumns.valuesFrom(row),
  }
}

export function statisticsFrom(row: Row): Statistics {
  return statisticsColumn.valuesFrom(row).statistics
}

/** What is large. */
export type Evidence = ValuesOf<typeof evidenceFields>

/** All but what is large, the latest episode and the sites. */
export function describedFrom(row: Row): Omit<EventDetail, keyof Evidence | 'episode' | 'ofEpisode' | 'sites'> {
  return { ...summaryColumns.valuesFrom(row), ...detailColumns.valuesFrom(row) }
}

/** The only episode of an event that has not come back, by its summary. `number`: the detector's. */
export function onlyEpisode(summary: EventSummary, number: number): Episode {
  const { startMs, lastMs } = summary
  return { number, startMs, endMs: lastMs, ...amountOf(summary) }
}

// The migration of SQLite's tables that fields of events are without a column for: `npm run generate` writes it, once. What was written is never changed.
import { DatabaseSync } from 'node:sqlite'
import { type EventNumberName, eventNumbers } from '../src/contract/events/numbers.ts'
import { detailFields, episodeFields, evidenceFields, type Field, summaryFields } from '../src/events/fields.ts'
import { Columns } from '../src/store/sqlite/events/rows.ts'
import { type Migration, readMigrations } from '../src/store/sqlite/migrate.ts'

const tables: Readonly<Record<string, Record<string, Field<unknown>>>> = {
  events: summaryFields,
  event_episodes: episodeFields,
  event_details: detailFields,
  event_evidence: evidenceFields,
}

interface MissingColumn {
  table: string
  /** The field's name. */
  name: string
  column: string
  field: Field<unknown>
}

/** By path: one file at most, none when every field has its columns. */
export function renderMissingColumns(
  migrations: readonly Migration[] = readMigrations(),
): [path: string, sql: string][] {
  const missing = missingColumns(migrations)
  if (missing.length === 0) return []
  const number = String(migrations.length + 1).padStart(3, '0')
  const path = `src/store/sqlite/migrations/${number}-event-${missing[0].column.replaceAll('_', '-')}.sql`
  return [[path, missing.map(renderColumn).join('')]]
}

function missingColumns(migrations: readonly Migration[]): MissingColumn[] {
  const database = new DatabaseSync(':memory:')
  for (const { sql } of migrations) database.exec(sql)
  const all = Object.entries(tables).flatMap(([table, fields]) => {
    const known = new Set(
      database
        .prepare(`SELECT name FROM pragma_table_info('${table}')`)
        .all()
        .map(({ name }) => name),
    )
    return Object.entries(fields).flatMap(([name, field]) => {
      const [column] = new Columns({ [name]: field }).names
      return known.has(column) ? [] : [{ table, name, column, field }]
    })
  })
  database.close()
  return all
}

/** Rows that are there already know nothing of the field: null, or 0 where it is never null. */
function renderColumn({
  table,
  name,
  column,
  field: {
    column: { type, isNullable },
  },
}: MissingColumn): string {
  if (!isNullable && type === 'TEXT')
    throw new Error(`${table}.${column}: what it is in events of before is to be said in a migration`)
  const rest = isNullable ? '' : ' NOT NULL DEFAULT 0'
  return `${commentOf(name)}ALTER TABLE ${table} ADD COLUMN ${column} ${type}${rest};\n`
}

function commentOf(name: string): string {
  return name in eventNumbers ? `-- ${eventNumbers[name as EventNumberName].description}\n` : ''
}

// What is generated from declarations is committed, so that it can be read and reviewed; here it is shown to be fresh.
import assert from 'node:assert/strict'
import { existsSync, readFileSync } from 'node:fs'
import { test } from 'node:test'
import { renderMissingColumns } from '../scripts/event-columns.ts'
import { generate } from '../scripts/generate.ts'
import { rules } from '../src/collect/health/findings.ts'
import { readMigrations } from '../src/store/sqlite/migrate.ts'

for (const [path, content] of generate()) {
  test(`${path} is what npm run generate makes`, () => {
    const file = new URL(`../${path}`, import.meta.url)
    const committed = existsSync(file) ? readFileSync(file, 'utf8') : ''
    assert.ok(committed === content, `${path} is stale: npm run generate`)
  })
}

test('the console says of findings what their rules say', () => {
  const english = JSON.parse(readFileSync(new URL('../web/messages/en.json', import.meta.url), 'utf8'))
  const said = Object.fromEntries(Object.entries(english).filter(([key]) => key.startsWith('finding.')))
  const entries = rules.flatMap(({ rule, about, advice }) => [
    [`finding.${rule}.about`, about],
    [`finding.${rule}.advice`, advice],
  ])
  assert.deepEqual(said, Object.fromEntries(entries))
})

test('a field of events without a column gets a migration that adds it to each table that has the field', () => {
  const migrations = readMigrations()
  const sql = ['events', 'event_episodes'].map((table) => `ALTER TABLE ${table} DROP COLUMN deviation;`).join('')
  const dropped = { version: migrations.length + 1, name: 'dropped', sql }
  const number = String(migrations.length + 2).padStart(3, '0')
  const [[path, added], ...others] = renderMissingColumns([...migrations, dropped])
  assert.deepEqual(others, [])
  assert.equal(path, `src/store/sqlite/migrations/${number}-event-deviation.sql`)
  assert.match(
    added,
    /^-- .+\nALTER TABLE events ADD COLUMN deviation REAL NOT NULL DEFAULT 0;\n-- .+\nALTER TABLE event_episodes ADD COLUMN deviation REAL NOT NULL DEFAULT 0;\n$/,
  )
})

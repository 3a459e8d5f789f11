import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { putFreshStore } from '../../../../test/helpers/store.ts'
import { Database } from '../database.ts'
import { text } from '../rows.ts'
import { mailStatements } from './mails.ts'

test('what an attempt of a mail asks of the store is found by an index, however much there is', async (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'floodgauge-mails-'))
  t.after(() => rmSync(folder, { recursive: true }))
  await putFreshStore(join(folder, 'store.db'))
  const database = new Database(join(folder, 'store.db'))
  t.after(() => database.close())
  const planOf = (sql: string) =>
    database
      .prepare(`EXPLAIN QUERY PLAN ${sql}`)
      .all()
      .map((row) => text(row, 'detail'))
  const { add, ...finding } = mailStatements
  for (const [name, sql] of Object.entries(finding)) {
    const plan = planOf(sql)
    assert.ok(plan.length > 0, name)
    for (const step of plan) assert.match(step, /^SEARCH mails_sent USING/, `${name}: ${step}`)
  }
  assert.deepEqual(planOf(add), [])
})

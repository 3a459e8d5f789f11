import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { test } from 'node:test'
import { openFreshStore } from '../../../../test/helpers/store.ts'
import { ManualClock } from '../../../clock.ts'
import { deletedPerChunk } from '../chunks.ts'

test('what is pruned of alerts goes in short transactions, with others in between', async (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'floodgauge-pruning-'))
  const path = join(folder, 'store.db')
  const store = await openFreshStore(path, { clock: new ManualClock(9) })
  const beside = new DatabaseSync(path)
  t.after(async () => {
    beside.close()
    await store.close()
    rmSync(folder, { recursive: true })
  })
  const count = 2 * deletedPerChunk + 100
  const many = `WITH RECURSIVE n (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM n WHERE n < ${count})`
  const ann = (await store.addUser({ email: 'ann@example.com', siteQuota: 1, allowed: null })).id
  await store.addChannel(ann, { id: 'c', kind: 'webhook', name: 'c', settings: {}, sealed: new Uint8Array() }, 9)
  const old = {
    deleted_events: `${many} INSERT INTO deleted_events SELECT n, '{}' FROM n`,
    alert_threads: `${many} INSERT INTO alert_threads SELECT 'c', n, n, 1, 'low' FROM n`,
    alert_silences: `${many} INSERT INTO alert_silences SELECT n, '${ann}', '', '{}', 0, 1, 0 FROM n`,
  }
  for (const sql of Object.values(old)) beside.exec(sql)
  const left = () =>
    Object.keys(old).map((table) => Number(beside.prepare(`SELECT count(*) AS n FROM ${table}`).get()?.n))
  const seen = [left()]
  let isDone = false
  const pruning = store.pruneAlerts({ beforeMs: 5, max: 9 }).then(() => {
    isDone = true
  })
  while (!isDone) {
    seen.push(left())
    await new Promise(setImmediate)
  }
  await pruning
  seen.push(left())
  assert.deepEqual(seen.at(-1), [0, 0, 0])
  for (const [n, counts] of seen.entries())
    for (const [table, before] of (seen[n - 1] ?? counts).entries())
      assert.ok(before - counts[table] <= deletedPerChunk, `${before}, then ${counts[table]}`)
})

import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { type TestContext, test } from 'node:test'
import { openFreshStore } from '../../../../test/helpers/store.ts'
import { channelOf } from '../../../../test/store-contract/alerts/parts.ts'
import { ManualClock } from '../../../clock.ts'
import { deletedPerChunk } from '../chunks.ts'

async function openWithMessages(t: TestContext, { count }: { count: number }) {
  const folder = mkdtempSync(join(tmpdir(), 'floodgauge-pruning-'))
  const path = join(folder, 'store.db')
  const store = await openFreshStore(path, { clock: new ManualClock(9) })
  const beside = new DatabaseSync(path)
  t.after(async () => {
    beside.close()
    await store.close()
    rmSync(folder, { recursive: true })
  })
  const ann = (await store.addUser({ email: 'ann@example.com', siteQuota: 1, allowed: null })).id
  await store.addChannel(ann, channelOf('c'), 9)
  beside.exec(`
    WITH RECURSIVE n (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM n WHERE n < ${count})
    INSERT INTO notices SELECT n, '${ann}', n, 'started', 1, 1, '{}' FROM n;
    INSERT INTO deliveries (channel_id, notice, user_id, event_id, number, state, attempts, created_ms, due_ms)
    SELECT 'c', sequence, user_id, event_id, 1, 'done', 0, 1, 1 FROM notices`)
  const left = () =>
    ['deliveries', 'notices'].map((table) => Number(beside.prepare(`SELECT count(*) AS n FROM ${table}`).get()?.n))
  return { store, ann, left }
}

/** What is left after each step, as somebody else sees it. */
async function stepsOf(work: Promise<unknown>, left: () => number[]): Promise<number[][]> {
  const seen = [left()]
  let isDone = false
  const ending = work.then(() => {
    isDone = true
  })
  while (!isDone) {
    seen.push(left())
    await new Promise(setImmediate)
  }
  await ending
  return [...seen, left()]
}

function assertShort(seen: readonly number[][]): void {
  for (const [n, counts] of seen.entries())
    for (const [table, before] of (seen[n - 1] ?? counts).entries())
      assert.ok(before - counts[table] <= deletedPerChunk, `${before}, then ${counts[table]}`)
}

test('what was sent on a channel, or to a user, goes in short transactions with the channel or the user', async (t) => {
  const count = 2 * deletedPerChunk + 100
  const one = await openWithMessages(t, { count })
  const ofChannel = await stepsOf(one.store.deleteChannel(one.ann, 'c'), one.left)
  assert.deepEqual([ofChannel.at(-1), await one.store.channelsOf(one.ann)], [[0, count], []])
  assertShort(ofChannel)
  const other = await openWithMessages(t, { count })
  const ofUser = await stepsOf(other.store.deleteUser(other.ann), other.left)
  assert.deepEqual([ofUser.at(-1), await other.store.userById(other.ann)], [[0, 0], null])
  assertShort(ofUser)
})

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
  const seen = await stepsOf(store.pruneAlerts({ beforeMs: 5, max: 9 }), left)
  assert.deepEqual(seen.at(-1), [0, 0, 0])
  assertShort(seen)
})

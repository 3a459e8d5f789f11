// How what is asked of messages is found: a channel has had many of one event, and an event goes to many channels.
import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { StatementSync } from 'node:sqlite'
import { type TestContext, test } from 'node:test'
import { putFreshStore } from '../../../../test/helpers/store.ts'
import { ManualClock } from '../../../clock.ts'
import { Database } from '../database.ts'
import { text } from '../rows.ts'
import { createBundles } from './bundles.ts'
import { createDeliveries } from './deliveries.ts'
import { createClosingWrites } from './ends/closings.ts'
import { createFarewells } from './ends/farewells.ts'
import { createGivingUp, createSurplus } from './giving-up.ts'
import { createReports } from './reports.ts'
import { createRouting } from './routing.ts'
import { createSettling } from './settling.ts'
import { createTurns } from './turns.ts'

/** Keeps what is prepared. */
class WatchedDatabase extends Database {
  readonly prepared: string[] = []

  override prepare(sql: string): StatementSync {
    this.prepared.push(sql)
    return super.prepare(sql)
  }
}

async function openFresh(t: TestContext): Promise<WatchedDatabase> {
  const folder = mkdtempSync(join(tmpdir(), 'floodgauge-plans-'))
  await putFreshStore(join(folder, 'store.db'))
  const database = new WatchedDatabase(join(folder, 'store.db'))
  t.after(() => {
    database.close()
    rmSync(folder, { recursive: true })
  })
  return database
}

test('the other messages of an event on a channel are found by both', async (t) => {
  const database = await openFresh(t)
  const clock = new ManualClock(0)
  createRouting(database, { clock })
  createTurns(database)
  createBundles(database)
  createGivingUp(database, { clock })
  createFarewells(database)
  createClosingWrites(database)
  // Within these statements `d` is what is asked about, and `b` and `p` are others of its event on its channel.
  const found = database.prepared
    .filter((sql) => /\b[bp]\.event_id = [dx]\.event_id AND [bp]\.channel_id = [dx]\.channel_id/.test(sql))
    .flatMap((sql) => database.prepare(`EXPLAIN QUERY PLAN ${sql}`).all())
    .map((row) => text(row, 'detail'))
    .filter((step) => /^(SEARCH|SCAN) [bp] /.test(step))
  assert.ok(found.length >= 10, `${found.length} look-ups`)
  for (const step of found) assert.match(step, /event_id=\? AND channel_id=\?|PRIMARY KEY/, step)
})

test('the other events of an attack are found by its incident, however many attacks there were', async (t) => {
  const database = await openFresh(t)
  createRouting(database, { clock: new ManualClock(0) })
  createReports(database)
  createFarewells(database)
  const found = database.prepared
    .filter((sql) => /\b[of]\.incident\b/.test(sql))
    .flatMap((sql) => database.prepare(`EXPLAIN QUERY PLAN ${sql}`).all())
    .map((row) => text(row, 'detail'))
    .filter((step) => /^(SEARCH|SCAN) [ofx] /.test(step))
  assert.ok(found.length >= 6, `${found.length} look-ups`)
  for (const step of found)
    assert.match(step, /INDEX events_(by_incident|open) \(incident|rule_id=\? AND event_id=\?/, step)
})

test('what waits for a channel is found among what waits, however much it has had', async (t) => {
  const database = await openFresh(t)
  const clock = new ManualClock(0)
  createSurplus(database)
  createGivingUp(database, { clock })
  createSettling(database, { clock })
  // Bound by its channel, and by no more than that.
  const found = database.prepared
    .filter((sql) => /channel_id = \?/.test(sql) && /deliveries/.test(sql))
    .flatMap((sql) => database.prepare(`EXPLAIN QUERY PLAN ${sql}`).all())
    .map((row) => text(row, 'detail'))
    .filter((step) => /channel_id=\?/.test(step) && !/(event_id|thread)=\?/.test(step))
  assert.ok(found.length >= 5, found.join('\n'))
  for (const step of found) assert.match(step, /INDEX deliveries_(waiting|order|bundle) /, step)
})

test('lists of messages are found by event, by channel, by what has not arrived, or by user, without being sorted', async (t) => {
  const database = await openFresh(t)
  createDeliveries(database, { clock: new ManualClock(0) })
  const plans = database.prepared
    .filter((sql) => /ORDER BY d\.id DESC/.test(sql))
    .map((sql) => database.prepare(`EXPLAIN QUERY PLAN ${sql}`).all())
    .map((rows) => rows.map((row) => text(row, 'detail')))
  const found = plans.map((steps) => /INDEX (\w+)/.exec(steps.find((step) => / d /.test(step)) ?? '')?.[1])
  assert.deepEqual(found, ['deliveries_user', 'deliveries_event', 'deliveries_listed', 'deliveries_unsettled'])
  const sorted = plans.map((steps) => steps.some((step) => /TEMP B-TREE/.test(step)))
  // What an event led to is little.
  assert.deepEqual(sorted, [false, true, false, false])
})

test('what is sent again is found among what was given up for the channel, or by its id', async (t) => {
  const database = await openFresh(t)
  createDeliveries(database, { clock: new ManualClock(0) })
  const found = database.prepared
    .filter((sql) => /UPDATE deliveries SET state = 'due'/.test(sql))
    .map((sql) => database.prepare(`EXPLAIN QUERY PLAN ${sql}`).all())
    .map((rows) => rows.map((row) => text(row, 'detail')).filter((step) => /^(SEARCH|SCAN) d /.test(step)))
  const without = (index: string) => found.filter((steps) => !steps.some((step) => step.includes(index)))
  assert.equal(found.length, 4)
  for (const index of ['deliveries_dead', 'PRIMARY KEY', 'deliveries_event', 'deliveries_user'])
    assert.equal(without(index).length, 3, `${index}: ${found.join(', ')}`)
})

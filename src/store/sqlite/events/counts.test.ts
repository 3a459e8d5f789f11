import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import fc from 'fast-check'
import { addEvents, eventOf } from '../../../../test/helpers/events.ts'
import { fuzzRuns } from '../../../../test/helpers/fuzz.ts'
import { openFreshStore } from '../../../../test/helpers/store.ts'
import { ManualClock } from '../../../clock.ts'
import { Database } from '../database.ts'

const hourMs = 3_600_000
const startMs = 400_000 * hourMs

type Step =
  | { kind: 'make'; atMs: number; isTest: boolean }
  | { kind: 'note'; n: number; acknowledged: boolean }
  | { kind: 'move'; n: number; atMs: number; isTest: boolean }
  | { kind: 'unnote'; n: number }
  | { kind: 'prune'; beforeMs: number }

/** Some hours, with times that are whole hours among them. */
const time = fc.oneof(
  fc.integer({ min: 0, max: 8 * hourMs }),
  fc.integer({ min: 0, max: 8 }).map((n) => n * hourMs),
)
const n = fc.integer({ min: 0, max: 30 })
const steps = fc.array(
  fc.oneof(
    { weight: 5, arbitrary: fc.record({ kind: fc.constant('make'), atMs: time, isTest: fc.boolean() }) },
    { weight: 3, arbitrary: fc.record({ kind: fc.constant('note'), n, acknowledged: fc.boolean() }) },
    fc.record({ kind: fc.constant('move'), n, atMs: time, isTest: fc.boolean() }),
    fc.record({ kind: fc.constant('unnote'), n }),
    fc.record({ kind: fc.constant('prune'), beforeMs: time }),
  ) as fc.Arbitrary<Step>,
  { minLength: 5, maxLength: 40 },
)

test('counts that are kept agree with a plain count of the rows, whatever is made, noted, moved and deleted', async (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'counts-'))
  const file = join(folder, 'test.db')
  const clock = new ManualClock(0)
  const store = await openFreshStore(file, { clock })
  const rows = new Database(file)
  t.after(async () => {
    rows.close()
    await store.close()
    rmSync(folder, { recursive: true })
  })
  const plainSql = `
    SELECT count(*) AS events FROM events LEFT JOIN event_notes ON event_id = id
    WHERE user_id = ? AND is_test = 0 AND created_ms >= ? AND created_ms < ? AND (? = 0 OR acknowledged_ms IS NULL)`
  const plain = rows.prepare(plainSql)
  let users = 0
  let events = 0
  await fc.assert(
    fc.asyncProperty(steps, fc.array(fc.tuple(time, time), { minLength: 1, maxLength: 3 }), async (made, windows) => {
      const limits = { siteQuota: 1, allowed: null }
      const user = (await store.addUser({ email: `u${++users}@example.com`, ...limits })).id
      const ids: string[] = []
      for (const step of made) {
        if (step.kind === 'make') {
          const createdMs = startMs + step.atMs
          const [event] = await addEvents(store, [eventOf(user, ++events, { createdMs, isTest: step.isTest })])
          ids.push(event.id)
        } else if (step.kind === 'prune') {
          const before = { eventsMs: startMs + step.beforeMs, seriesMs: 0, bindingsMs: 0 }
          await store.prune(before)
        } else if (ids.length > 0) {
          const id = ids[step.n % ids.length]
          if (step.kind === 'note')
            await store.changeNote(user, id, { acknowledged: step.acknowledged }, { by: 'x', atMs: 1 })
          if (step.kind === 'unnote') rows.prepare('DELETE FROM event_notes WHERE event_id = ?').run(id)
          if (step.kind === 'move')
            rows
              .prepare('UPDATE events SET created_ms = ?, is_test = ? WHERE id = ?')
              .run(startMs + step.atMs, Number(step.isTest), id)
        }
      }
      for (const [from, to] of [...windows, [null, null] as const]) {
        const [fromMs, toMs] = [from === null ? null : startMs + from, to === null ? null : startMs + to]
        for (const isUnacknowledged of [false, true]) {
          const filter = { isTest: false, ...(isUnacknowledged ? { isAcknowledged: false } : {}) }
          const counted = await store.countEvents(user, { fromMs, toMs, filter })
          const bounds = [fromMs ?? 0, toMs ?? Number.MAX_SAFE_INTEGER] as const
          assert.equal(counted, plain.get(user, ...bounds, Number(isUnacknowledged))?.events)
        }
      }
      await store.deleteUser(user)
      const left = rows.prepare('SELECT count(*) AS hours FROM event_counts').get()
      assert.equal(left?.hours, 0)
    }),
    { numRuns: fuzzRuns * 4 },
  )
})

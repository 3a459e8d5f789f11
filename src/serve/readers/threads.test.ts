import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { addEvents, eventOf } from '../../../test/helpers/events.ts'
import { openWithReaders } from '../../../test/helpers/store.ts'
import { ManualClock } from '../../clock.ts'
import { Database } from '../../store/sqlite/database.ts'

async function open(t: TestContext) {
  const folder = mkdtempSync(join(tmpdir(), 'readers-'))
  const file = join(folder, 'test.db')
  const store = await openWithReaders(file, { clock: new ManualClock(1e12) }, { threads: 2 })
  t.after(async () => {
    await store.close()
    rmSync(folder, { recursive: true })
  })
  const user = (await store.addUser({ email: 'ann@example.com', siteQuota: 9, allowed: null })).id
  return { file, store, user }
}

const window = { fromMs: null, toMs: null, after: null, limit: 100 }

test('a thread sees what was acknowledged before it was asked, each time', async (t) => {
  const { store, user } = await open(t)
  for (let n = 1; n <= 50; n++) {
    const [made] = await addEvents(store, [eventOf(user, n)])
    await store.changeNote(user, made.id, { acknowledged: true }, { by: 'ann', atMs: n })
    const [events, notes, count] = await Promise.all([
      store.eventsBetween(user, window),
      store.notesOf(user, [made.id]),
      store.countEvents(user, { fromMs: null, toMs: null, filter: { isTest: false } }),
    ])
    assert.equal(events.at(-1)?.id, made.id)
    assert.equal(notes.get(made.id)?.acknowledged?.atMs, n)
    assert.equal(count, n)
  }
})

test('threads can write nothing', async (t) => {
  const { file } = await open(t)
  const database = new Database(file, { isReadOnly: true })
  t.after(() => database.close())
  assert.throws(() => database.exec("UPDATE users SET email = 'x'"), { code: 'STORE_UNAVAILABLE' })
  assert.throws(() => new Database(`${file}.none`, { isReadOnly: true }), { code: 'STORE_UNAVAILABLE' })
})

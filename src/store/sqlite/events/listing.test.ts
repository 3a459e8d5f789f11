import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { addEvents, eventOf, updateOf } from '../../../../test/helpers/events.ts'
import { openWithReaders } from '../../../../test/helpers/store.ts'
import { systemClock } from '../../../clock.ts'
import { openSqliteStore } from '../index.ts'

/** A process whose transaction stands still for longer than a second, from when its events have been dated. */
const slowWriter = `
  const [module, file, recording] = process.argv.slice(1)
  const { openSqliteStore } = await import(module)
  const lock = new Int32Array(new SharedArrayBuffer(4))
  let times = 0
  const now = () => {
    if (++times === 2) Atomics.wait(lock, 0, 0, 1_300)
    return Date.now()
  }
  const store = await openSqliteStore(file, { clock: { now } })
  await store.record(JSON.parse(recording))`

test('readers of windows that join miss no event whose commit lasts over the second that it is dated at', async (t) => {
  const folder = await mkdtemp(join(tmpdir(), 'listing-'))
  const file = join(folder, 'test.db')
  const open = () => openSqliteStore(file, { clock: systemClock })
  const openReading = () => openWithReaders(file, { clock: systemClock })
  const readers = await Promise.all(
    [open, open, openReading].map(async (each) => ({ store: await each(), fromMs: Date.now(), seen: [] as string[] })),
  )
  t.after(async () => {
    for (const { store } of readers) await store.close()
    await rm(folder, { recursive: true })
  })
  const [{ store }] = readers
  const user = (await store.addUser({ email: 'ann@example.com', siteQuota: 1, allowed: null })).id
  const [ended] = await addEvents(store, [eventOf(user, 1, { endMs: 5, phase: 'over' })])
  while (Date.now() <= ended.createdMs) await delay(20)
  for (const reader of readers) reader.fromMs = Date.now()

  const made = [eventOf(user, 2)]
  const returned = {
    incident: ended.incident,
    eventId: ended.id,
    userId: user,
    id: '3'.padStart(24, '0'),
    createdMs: 0,
  }
  const back = { ...ended, endMs: null, phase: 'active' as const, episode: { ...ended.episode, number: 1 } }
  const recording = { made, updates: [updateOf(back)], returns: [returned] }
  const module = new URL('../index.ts', import.meta.url).href
  const writer = spawn(
    process.execPath,
    ['--input-type=module', '-e', slowWriter, module, file, JSON.stringify(recording)],
    { stdio: ['ignore', 'ignore', 'inherit'] },
  )
  const closed = once(writer, 'close')
  for (let isLast = false; !isLast; ) {
    isLast = writer.exitCode !== null
    for (const reader of readers) {
      const toMs = Date.now()
      const window = { fromMs: reader.fromMs, toMs, after: null, limit: 10 }
      reader.seen.push(...(await reader.store.entriesBetween(user, window)).map(({ id }) => id))
      reader.fromMs = toMs
    }
    await delay(10)
  }
  assert.deepEqual(await closed, [0, null])
  for (const { seen } of readers) assert.deepEqual(seen.toSorted(), [made[0].id, returned.id])
})

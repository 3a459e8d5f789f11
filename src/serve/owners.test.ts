import assert from 'node:assert/strict'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { reportOf, reportStartMs as startMs } from '../../test/helpers/reports.ts'
import { ManualClock } from '../clock.ts'
import { AppError } from '../errors.ts'
import { createLogger } from '../log.ts'
import type { Match } from '../names/attribution.ts'
import { openSqliteStore } from '../store/sqlite/index.ts'
import type { Store } from '../store/store.ts'
import { Recorder } from './recorder.ts'

test('an event has every site of its owner that its victims belong to, and keeps them when the victims change', async (t) => {
  const folder = await mkdtemp(join(tmpdir(), 'owners-'))
  const clock = new ManualClock(startMs + 5_250)
  const store = await openSqliteStore(join(folder, 'test.db'), { clock })
  t.after(async () => {
    await store.close()
    await rm(folder, { recursive: true })
  })
  const users: string[] = []
  for (const email of ['a@example.com', 'b@example.com'])
    users.push((await store.addUser({ email, siteQuota: 10, allowed: null })).id)
  const matchOf = (user: number, ...sites: string[]): Match => {
    return { userId: users[user], site: sites[0], sites, domain: '', dns: [] }
  }
  const byAddress: Record<number, Match[]> = {
    1: [matchOf(0, 'a.example', '*.example')],
    2: [matchOf(0, 'b.example'), matchOf(1, 'c.example')],
    3: [matchOf(0, 'd.example', '*.example')],
  }
  let isDown = false
  const updateEvents: Store['updateEvents'] = async (...given) => {
    if (isDown) throw new AppError('STORE_UNAVAILABLE', 'disk full')
    return store.updateEvents(...given)
  }
  let made = 0
  const recorder = new Recorder({
    store: { ...store, updateEvents },
    clock,
    log: createLogger('silent'),
    incidentsMax: 10,
    match: ({ address }) => byAddress[address],
    mayKnowSources: () => true,
    newEventId: () => `${++made}`.padStart(24, '0'),
    onEvents: () => {},
    onTests: () => {},
  })
  const hit = async (addresses: number[], phase: 'updated' | 'ended' | 'closed' = 'updated') => {
    const victims = addresses.map((address) => ({ address, packetsPerSecond: 1, bytesPerSecond: 1 }))
    recorder.take([reportOf({ phase, address: addresses[0], victims })])
    await recorder.write()
  }
  const touched = async (user: number) => {
    const [{ id }] = await store.eventsBetween(users[user], { fromMs: null, toMs: null, after: null, limit: 1 })
    return (await store.eventById(users[user], id))?.sites
  }
  await hit([1])
  assert.deepEqual(await touched(0), ['a.example', '*.example'])
  await hit([2])
  assert.deepEqual(await touched(0), ['a.example', '*.example', 'b.example'])
  isDown = true
  await hit([3])
  isDown = false
  await recorder.write()
  const all = ['a.example', '*.example', 'b.example', 'd.example']
  assert.deepEqual(await touched(0), all)
  await hit([2, 1], 'ended')
  assert.deepEqual(await touched(0), all)
  assert.deepEqual(await touched(1), ['c.example'])
  // A site that is added when the attack is over was not hit by it.
  byAddress[1] = [matchOf(0, 'a.example', 'late.example')]
  await hit([2, 1], 'closed')
  assert.deepEqual(await touched(0), all)
  await recorder.stop()
})

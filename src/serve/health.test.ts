import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ManualClock } from '../clock.ts'
import { AppError } from '../errors.ts'
import { createHealth, openWarning } from './health.ts'

const listeners = [{ host: '::', port: 2055, receiveBufferBytes: 1 }]
const policy = 'single'
const parts = { tables: { check: () => ({ ok: true, detail: 'have room' }) } }

test('the service is ready while it listens, detects and can write; each check says what is known', async () => {
  const clock = new ManualClock(100_000)
  const store = { checkWritable: async () => {} }
  const well = { listeners, lastPassMs: 99_500, lastDatagramMs: null }
  assert.deepEqual(await createHealth({ store, pipeline: well, parts, clock, policy })(), {
    ready: true,
    checks: {
      listeners: { ok: true, detail: '[::]:2055' },
      flows: { ok: true, detail: 'no datagram yet' },
      detection: { ok: true, detail: 'last run 0.5 s ago' },
      tables: { ok: true, detail: 'have room' },
      store: { ok: true, detail: 'writable' },
    },
  })
  for (const change of [{ listeners: [] }, { lastPassMs: null }, { lastPassMs: 90_000 }]) {
    const { ready } = await createHealth({ store, pipeline: { ...well, ...change }, parts, clock, policy })()
    assert.equal(ready, false, JSON.stringify(change))
  }
})

test('a policy under which anybody may watch anything is pointed out', async () => {
  const pipeline = { listeners, lastPassMs: 99_500, lastDatagramMs: null }
  const clock = new ManualClock(100_000)
  const health = createHealth({ store: { checkWritable: async () => {} }, pipeline, parts, clock, policy: 'open' })
  const { ready, checks } = await health()
  assert.deepEqual([ready, checks.policy], [true, { ok: true, detail: openWarning }])
})

test('the store is written to once a second, however often somebody asks', async () => {
  const clock = new ManualClock(100_000)
  let writes = 0
  const store = {
    checkWritable: async () => {
      if (++writes > 1) throw new AppError('STORE_UNAVAILABLE', 'disk full')
    },
  }
  const pipeline = { listeners, lastPassMs: 100_000, lastDatagramMs: null }
  const health = createHealth({ store, pipeline, parts, clock, policy })
  for (let i = 0; i < 5; i++) assert.equal((await health()).ready, true)
  assert.equal(writes, 1)
  clock.advance(1_000)
  const { ready, checks } = await health()
  assert.deepEqual([ready, checks.store], [false, { ok: false, detail: 'disk full' }])
  clock.set(50_000)
  await health()
  assert.equal(writes, 3)
})

import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { ManualClock } from '../../clock.ts'
import { AppError } from '../../errors.ts'
import { checkDetection, checkFlows, checkListeners, checkWatch, storeCheck } from './checks.ts'

const nowMs = 100_000
const well = {
  listeners: [{ host: '::', port: 2055, receiveBufferBytes: 1 }],
  lastPassMs: 99_500,
  lastAway: null,
  behindMs: 300,
  lastDatagramMs: null,
  watchLateMs: () => 800,
}

describe('the checks of the pipeline', () => {
  it('ports have to be bound', () => {
    assert.deepEqual(checkListeners(well), { ok: true, detail: '[::]:2055' })
    assert.equal(checkListeners({ ...well, listeners: [] }).ok, false)
  })

  it('quiet exporters are no reason', () => {
    assert.deepEqual(checkFlows(well, nowMs), { ok: true, detail: 'no datagram yet' })
    assert.deepEqual(checkFlows({ ...well, lastDatagramMs: 40_000 }, nowMs), {
      ok: true,
      detail: 'last datagram 60.0 s ago',
    })
  })

  it('detection has to run, and not to be behind', () => {
    assert.deepEqual(checkDetection(well, nowMs), { ok: true, detail: 'last run 0.5 s ago' })
    assert.equal(checkDetection({ ...well, lastPassMs: null }, nowMs).ok, false)
    assert.equal(checkDetection({ ...well, lastPassMs: 90_000 }, nowMs).ok, false)
    assert.equal(checkDetection({ ...well, behindMs: 9_999 }, nowMs).ok, true)
    assert.deepEqual(checkDetection({ ...well, behindMs: 12_000 }, nowMs), {
      ok: false,
      detail: 'last run 0.5 s ago, of what came 12 s before',
    })
  })

  it('detection warns for a while that it stood still', () => {
    const lastAway = { fromMs: 20_000, toMs: 95_000 }
    assert.deepEqual(checkDetection({ ...well, lastAway }, nowMs), {
      ok: true,
      isWarning: true,
      detail: 'stood still from 1970-01-01T00:00:20Z to 1970-01-01T00:01:35Z: attacks of that time may be missing',
    })
    const later = { ...well, lastAway, lastPassMs: 694_500 }
    assert.equal(checkDetection(later, 694_999).isWarning, true)
    assert.equal(checkDetection(later, 695_000).isWarning, undefined)
    assert.equal(checkDetection({ ...well, lastAway: { fromMs: 90_001, toMs: 95_000 } }, nowMs).isWarning, undefined)
    assert.equal(checkDetection({ ...well, lastAway, lastPassMs: 80_000 }, nowMs).ok, false)
  })

  it('the sites have to be read, and the collectors to use what was made of them', () => {
    const ofSites = { ok: true, detail: '5 addresses are watched' }
    assert.equal(checkWatch(well, ofSites), ofSites)
    const unread = { ok: false, detail: 'the sites could not be read for 12 s' }
    assert.equal(checkWatch({ ...well, watchLateMs: () => 60_000 }, unread), unread)
    assert.deepEqual(checkWatch({ ...well, watchLateMs: () => 12_400 }, ofSites), {
      ok: false,
      detail: 'a collector has not taken up the list of addresses for 12 s',
    })
  })
})

it('the store is written to every five seconds, however often somebody asks', async () => {
  const clock = new ManualClock(nowMs)
  let writes = 0
  const check = storeCheck(
    {
      checkWritable: async () => {
        if (++writes > 1) throw new AppError('STORE_UNAVAILABLE', 'disk full')
      },
    },
    clock,
  )
  for (let i = 0; i < 5; i++) assert.equal((await check()).ok, true)
  clock.advance(4_999)
  await check()
  assert.equal(writes, 1)
  clock.advance(1)
  assert.deepEqual(await check(), { ok: false, detail: 'disk full' })
  clock.set(50_000)
  await check()
  assert.equal(writes, 3)
})

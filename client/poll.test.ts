import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { eventAt, FakeService, json } from '../test/helpers/servers/fake-service.ts'
import { ProblemError } from './problem.ts'
import type { DdosEvent } from './types.ts'

const minute = 60_000

/** A service with these events, each listable from its `cts` on; `fails` says which calls it can't answer. */
function serviceWith(events: DdosEvent[], fails: (call: number) => number | null = () => null): FakeService {
  const service: FakeService = new FakeService(({ url }) => {
    const status = fails(service.calls.length - 1)
    if (status === 0) throw new TypeError('fetch failed')
    if (status !== null) return json({}, status)
    const start = Date.parse(url.searchParams.get('start') ?? '')
    return json({ data: events.filter(({ cts }) => Date.parse(cts) >= start && Date.parse(cts) <= service.nowMs) })
  })
  return service
}

test('each call looks back ten minutes, every five, and an event is given once', async () => {
  const service = serviceWith([])
  const startMs = service.nowMs
  const events = [eventAt(startMs - 9 * minute), eventAt(startMs + minute), eventAt(startMs + 11 * minute)]
  const told = serviceWith(events)
  const got: string[] = []
  for await (const event of told.client().pollEvents()) {
    got.push(event._id)
    if (got.length === events.length) break
  }
  assert.deepEqual(
    got,
    events.map(({ _id }) => _id),
  )
  assert.deepEqual(
    told.calls.map(({ url }) => Date.parse(url.searchParams.get('start') ?? '') - startMs),
    [-10, -5, 0, 5].map((each) => each * minute),
  )
  assert.deepEqual(
    told.waitsMs,
    [5, 5, 5].map((each) => each * minute),
  )
})

test('failed calls are told and made again, and the window then covers the outage', async () => {
  const startMs = new FakeService(() => json({})).nowMs
  const duringOutage = eventAt(startMs + 7 * minute)
  const statuses = [null, 500, 0, 503, 503, 503, 503, 408, 429, 429, 429, 429]
  const service = serviceWith([duringOutage], (call) => statuses[call] ?? null)
  const errors: unknown[] = []
  for await (const event of service.client().pollEvents({ onError: (error) => errors.push(error) })) {
    assert.equal(event._id, duringOutage._id)
    break
  }
  assert.equal(errors.length, 5)
})

test('what trying again cannot help is thrown', async () => {
  const service = serviceWith([], () => 401)
  await assert.rejects(
    service.client().pollEvents().next(),
    (error) => error instanceof ProblemError && error.status === 401,
  )
  await assert.rejects(service.client().pollEvents({ everyMs: 10, windowMs: 10 }).next(), RangeError)
})

test('an aborted signal ends the iterator without an error', async () => {
  const stop = new AbortController()
  const service: FakeService = new FakeService(() => {
    if (service.calls.length === 3) stop.abort()
    return json({ data: [] })
  })
  for await (const _ of service.client().pollEvents({ signal: stop.signal })) assert.fail()
  assert.equal(service.calls.length, 3)
})

test('memory is bounded: only the most recent events are remembered', async () => {
  const startMs = new FakeService(() => json({})).nowMs
  const old = eventAt(startMs, 'old')
  const rest = Array.from({ length: 3 }, (_, i) => eventAt(startMs, `rest${i}`))
  const service = serviceWith([old, ...rest])
  const got: string[] = []
  for await (const event of service.client().pollEvents({ seenMax: 3 })) {
    got.push(event._id)
    if (got.length === 5) break
  }
  assert.deepEqual(got, ['old', 'rest0', 'rest1', 'rest2', 'old'])
})

test('whenever events come and calls fail, each event is given exactly once', async () => {
  const offsets = fc.uniqueArray(fc.integer({ min: 0, max: 3600 }), { maxLength: 20 })
  const failures = fc.array(fc.option(fc.constantFrom(0, 500, 503), { nil: null }), { maxLength: 12 })
  await fc.assert(
    fc.asyncProperty(offsets, failures, async (seconds, statuses) => {
      const stop = new AbortController()
      const startMs = new FakeService(() => json({})).nowMs
      const events = seconds.sort((a, b) => a - b).map((second) => eventAt(startMs + second * 1000))
      const service = serviceWith(events, (call) => statuses[call] ?? null)
      const got: string[] = []
      const client = service.client({
        retries: 0,
        timing: {
          ...service.timing,
          sleep: async (ms, signal) => {
            await service.timing.sleep(ms, signal)
            if (service.nowMs > startMs + 3 * 3600_000) stop.abort()
          },
        },
      })
      for await (const event of client.pollEvents({ signal: stop.signal })) got.push(event._id)
      assert.deepEqual(
        got,
        events.map(({ _id }) => _id),
      )
    }),
    { numRuns: 100 },
  )
})

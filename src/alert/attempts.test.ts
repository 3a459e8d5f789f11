import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { type Audience, afterAttempt, type ChannelHealth, goodHealth, type Next, type Outcome } from './attempts.ts'

const start = 1_000_000
interface Given {
  audience?: Audience
  pauseMs?: number | null
  attempts?: number
  health?: ChannelHealth
  nowMs?: number
  random?: number
  isAwaited?: boolean
}

function after(outcome: Outcome, given: Given = {}): Next {
  const {
    audience = 'people',
    pauseMs = null,
    attempts = 0,
    health = goodHealth,
    nowMs = start,
    random = 0.5,
    isAwaited = false,
  } = given
  const sending = { attempts, createdMs: start, isAwaited }
  return afterAttempt({ outcome, pauseMs }, { audience, sending, health }, { nowMs, random })
}

/** Pauses between attempts that all fail, seconds, until the message is given up. */
function pauses(audience: Audience): number[] {
  const found: number[] = []
  let nowMs = start
  let attempts = 0
  for (;;) {
    const next = after('failed', { audience, attempts, nowMs })
    if (next.state === 'dead') return found
    found.push((next.dueMs - nowMs) / 1_000)
    nowMs = next.dueMs
    attempts = next.attempts
  }
}

describe('attempts', () => {
  it('are made for a day where people are told, for longer where programs are', () => {
    assert.deepEqual(pauses('people').slice(0, 8), [5, 15, 60, 300, 900, 1_800, 1_800, 1_800])
    assert.equal(Math.round(pauses('people').reduce((sum, each) => sum + each) / 3_600), 24)
    assert.deepEqual(pauses('programs'), [5, 60, 300, 1_800, 7_200, 18_000, 36_000, 36_000])
  })

  it('are made for longer for an end that somebody waits for', () => {
    const late = { nowMs: start + 29 * 86_400_000 }
    assert.equal(after('failed', late).state, 'dead')
    assert.equal(after('failed', { ...late, isAwaited: true }).state, 'due')
    assert.equal(after('failed', { nowMs: start + 30 * 86_400_000, isAwaited: true }).state, 'dead')
    const refused = after('refused', { attempts: 6, audience: 'programs', isAwaited: true })
    assert.deepEqual([refused.state, refused.dueMs - start], ['due', 1_800_000])
    assert.equal(refused.health.failures, 1)
    const gone = after('gone', { isAwaited: true })
    assert.deepEqual([gone.state, gone.health.isDisabled], ['due', true])
  })

  it('come back apart from each other', () => {
    assert.equal(after('failed', { random: 0 }).dueMs - start, 4_000)
    assert.equal(after('failed', { random: 1 }).dueMs - start, 6_000)
  })

  it('wait as long as the receiver asks, within an hour, and that costs no attempt', () => {
    const busy = after('busy', { pauseMs: 30_000 })
    assert.deepEqual([busy.state, busy.attempts, busy.dueMs - start], ['due', 0, 30_000])
    assert.equal(busy.health.closedUntilMs, start + 30_000)
    assert.equal(after('busy', { pauseMs: 1e9 }).dueMs - start, 3_600_000)
  })

  it('are for nobody where nobody may be sent to within a day', () => {
    const unready = after('unready', { pauseMs: 3_600_000 })
    assert.deepEqual([unready.state, unready.attempts, unready.health.failures], ['due', 0, 0])
    assert.deepEqual([unready.dueMs, unready.health], [start + 3_600_000, goodHealth])
    const dayLater = { pauseMs: 3_600_000, nowMs: start + 24 * 3_600_000 }
    assert.deepEqual([after('unready', dayLater).state, after('busy', dayLater).state], ['superseded', 'dead'])
  })

  it('are made again where some have it, and the channel is well', () => {
    const partly = after('partly', { pauseMs: 5_000, health: { ...goodHealth, failures: 5, failingSinceMs: 1 } })
    assert.deepEqual([partly.state, partly.attempts, partly.dueMs - start], ['due', 0, 5_000])
    assert.deepEqual([partly.health, partly.isBack], [goodHealth, true])
  })

  it('end after three where the receiver refuses the message, and the channel is well all the same', () => {
    const third = after('refused', { attempts: 2, health: { ...goodHealth, failures: 3, failingSinceMs: 1 } })
    assert.equal(after('refused', { attempts: 1 }).state, 'due')
    assert.equal(third.state, 'dead')
    assert.deepEqual(third.health, goodHealth)
  })

  it('end at once, and the channel with them, where the receiver wants no message any more', () => {
    const gone = after('gone')
    assert.deepEqual([gone.state, gone.health.isDisabled], ['dead', true])
  })

  it('are one a minute for a channel that has failed five times, and cost the message nothing', () => {
    let health = goodHealth
    for (let n = 0; n < 5; n++) health = after('failed', { health }).health
    assert.deepEqual([health.failures, health.failingSinceMs, health.closedUntilMs], [5, start, start + 60_000])
    assert.equal(after('failed', { health, attempts: 2 }).attempts, 2)
    const back = after('done', { health })
    assert.deepEqual([back.health, back.isBack], [goodHealth, true])
    assert.equal(after('done', { health: { ...health, failures: 4 } }).isBack, false)
  })

  it('never go back in time, nor beyond what a message is worth', () => {
    const outcome = fc.constantFrom<Outcome>('busy', 'refused', 'failed', 'partly', 'unready')
    const audience = fc.constantFrom<Audience>('people', 'programs')
    const step = fc.record({
      outcome,
      pauseMs: fc.option(fc.nat(1e9)),
      random: fc.double({ min: 0, max: 1, noNaN: true }),
    })
    fc.assert(
      fc.property(audience, fc.array(step, { minLength: 1, maxLength: 200 }), (who, steps) => {
        let [nowMs, attempts, health] = [start, 0, goodHealth]
        for (const { random, ...attempt } of steps) {
          const given = { audience: who, sending: { attempts, createdMs: start, isAwaited: false }, health }
          const next = afterAttempt(attempt, given, { nowMs, random })
          assert.ok(next.dueMs >= nowMs)
          if (next.state === 'dead' || next.state === 'superseded') return
          assert.ok(next.dueMs <= start + 28 * 3_600_000)
          ;({ dueMs: nowMs, attempts, health } = next)
        }
      }),
    )
  })
})

import assert from 'node:assert/strict'
import { beforeEach, describe, it } from 'node:test'
import { pino } from 'pino'
import type { Check } from '../../api/http/health.ts'
import { ManualClock } from '../../clock.ts'
import { type CheckName, checkNames } from '../../contract/checks.ts'
import { createLogger } from '../../log.ts'
import { type Ask, Readiness } from './health.ts'
import { checkRows } from './rows.ts'

const well: Check = { ok: true, detail: 'well' }
let clock: ManualClock
let answers: Record<string, Check | null>

function readiness(log = createLogger('silent')): Readiness {
  const checks = Object.fromEntries(checkNames.map((name) => [name, () => answers[name]]))
  return new Readiness({ checks: checks as Record<CheckName, Ask>, clock, log })
}

beforeEach(() => {
  clock = new ManualClock(100_000)
  answers = Object.fromEntries(checkNames.map((name) => [name, well]))
})

describe('readiness', () => {
  for (const name of checkNames) {
    it(`rests on ${name}, and says since when it fails`, async () => {
      const one = readiness()
      assert.equal((await one.look()).ready, true)
      answers[name] = { ok: false, detail: 'broken' }
      clock.advance(5_000)
      await one.look()
      clock.advance(5_000)
      const { ready, checks } = await one.look()
      assert.equal(ready, false)
      assert.deepEqual(checks[name], { ok: false, isWarning: false, detail: 'broken', sinceMs: 105_000 })
      answers[name] = well
      assert.deepEqual((await one.look()).checks[name]?.sinceMs, null)
    })
  }

  it('is there with a warning, which has a time of its own', async () => {
    const one = readiness()
    answers.backups = { ok: true, isWarning: true, detail: 'late' }
    const { ready, checks } = await one.look()
    assert.deepEqual([ready, checks.backups?.sinceMs], [true, 100_000])
    answers.backups = { ok: false, isWarning: true, detail: 'late' }
    clock.advance(1_000)
    assert.deepEqual((await one.look()).checks.backups?.sinceMs, 101_000)
  })

  it('is looked at once a second, however many ask, and again after a failure', async () => {
    let looks = 0
    const failing = new Set([3])
    const checks = Object.fromEntries(checkNames.map((name) => [name, () => answers[name]]))
    checks.store = () => {
      looks++
      if (failing.has(looks)) throw new Error('no answer')
      return well
    }
    const one = new Readiness({ checks: checks as Record<CheckName, Ask>, clock, log: createLogger('silent') })
    const asked = await Promise.all(Array.from({ length: 100 }, () => one.recent()))
    assert.deepEqual([looks, new Set(asked).size], [1, 1])
    clock.advance(999)
    await one.recent()
    assert.equal(looks, 1)
    clock.advance(1)
    await one.recent()
    assert.equal(looks, 2)
    clock.advance(1_000)
    await assert.rejects(one.recent(), /no answer/)
    await one.recent()
    assert.equal(looks, 4)
  })

  it('leaves out what does not apply', async () => {
    answers.policy = null
    assert.equal('policy' in (await readiness().look()).checks, false)
  })

  it('is logged when it changes, and only then', async () => {
    const lines: { check: string; level: number }[] = []
    const one = readiness(pino({}, { write: (line: string) => lines.push(JSON.parse(line)) }))
    for (const state of [{ ok: false, detail: 'full' }, { ok: false, detail: 'fuller' }, well, well]) {
      answers.store = state
      await one.look()
      await one.tasks[0].run()
    }
    assert.deepEqual(
      lines.map(({ check, level }) => [check, level]),
      [
        ['store', 40],
        ['store', 30],
      ],
    )
  })
})

it('every check says what it is about, and what to do', () => {
  assert.deepEqual(Object.keys(checkRows).toSorted(), [...checkNames].toSorted())
  for (const { well: is, help } of Object.values(checkRows)) assert.ok(is.length > 10 && help.endsWith('.'))
})

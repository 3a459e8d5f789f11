import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { AnsweredNames } from './answered-names.ts'

const minuteMs = 60_000

function made({ size = 100, failing = 0, holders = 1, isOneParty = true } = {}) {
  const queries = { NOERROR: 0, SERVFAIL: 0, TIMEOUT: 0 }
  const names = { schedule: { size, failing }, resolvers: [{ queries }] }
  return { queries, check: new AnsweredNames(names, { holders: () => holders, isOneParty }) }
}

describe('the names of sites', () => {
  it('are none, or all answered', () => {
    assert.deepEqual(made({ size: 0 }).check.check(0), { ok: true, detail: 'there are none' })
    assert.deepEqual(made().check.check(0), { ok: true, detail: 'all are answered' })
  })

  it('are no reason when their own servers do not answer, however many; many are worth a word', () => {
    assert.equal(made({ failing: 10 }).check.check(0).isWarning, undefined)
    assert.deepEqual(made({ failing: 100 }).check.check(0), {
      ok: true,
      isWarning: true,
      detail: '100 of 100 could not be resolved when last asked',
    })
  })

  it('are not known to be right when no resolver has answered twenty questions in a quarter of an hour', () => {
    const { queries, check } = made({ failing: 100 })
    check.check(0)
    queries.TIMEOUT = 19
    assert.equal(check.check(15 * minuteMs).ok, true, 'too few questions')
    queries.TIMEOUT = 20
    assert.equal(check.check(15 * minuteMs - 1).ok, true, 'too short')
    const { ok, detail } = check.check(16 * minuteMs)
    assert.deepEqual([ok, detail], [false, 'no resolver has answered for 16 min; the last addresses are watched'])
    queries.SERVFAIL++
    assert.equal(check.check(17 * minuteMs).ok, true, 'an answer is an answer')
  })

  it('of one user among several cannot make the service unready', () => {
    for (const [holders, isOneParty, ok] of [
      [1, false, true],
      [2, false, false],
      [1, true, false],
    ] as const) {
      const { queries, check } = made({ holders, isOneParty })
      check.check(0)
      queries.TIMEOUT = 1_000
      assert.deepEqual([check.check(20 * minuteMs).ok, check.check(20 * minuteMs).isWarning], [ok, true])
    }
  })

  it('start over when the clock is set back', () => {
    const { queries, check } = made()
    check.check(100 * minuteMs)
    queries.TIMEOUT = 1_000
    assert.equal(check.check(0).ok, true)
    assert.equal(check.check(10 * minuteMs).ok, true)
  })
})

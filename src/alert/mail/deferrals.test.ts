import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { afterDeferral, type Deferral, leftOf } from './deferrals.ts'

const [ann, bob, carl] = ['ann@example.org', 'bob@example.org', 'carl@example.org']

describe('recipients that a server puts off', () => {
  it('are tried again for half an hour', () => {
    const pauses: number[] = []
    let deferral: Deferral | null = null
    for (let nowMs = 7, taken = 2; ; taken = 0) {
      const next: ReturnType<typeof afterDeferral> = afterDeferral(deferral, { taken, left: [bob] }, nowMs)
      if (next === null) break
      deferral = next.deferral
      assert.deepEqual([deferral.left, deferral.taken, deferral.sinceMs], [[bob], 2, 7])
      pauses.push(next.pauseMs / 1_000)
      nowMs += next.pauseMs
    }
    assert.deepEqual(pauses, [5, 15, 60, 300, 300, 300, 300, 300])
  })

  it('are those whom the mail is still for', () => {
    const { deferral = null } = afterDeferral(null, { taken: 1, left: [bob, carl] }, 0) ?? {}
    assert.deepEqual(leftOf([ann, carl], deferral), [carl])
    assert.deepEqual(leftOf([ann, carl], null), [ann, carl])
    assert.equal(afterDeferral(deferral, { taken: 1, left: [] }, 5_000), null)
  })
})

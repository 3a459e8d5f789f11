import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { Turn } from './alert-store.ts'
import { chooseTurns, sendingMax, sendingPerUser, sendingToFailing } from './turns.ts'

let latest = 0
const turn = (userId: string, given: Partial<Turn> = {}): Turn => {
  const deliveryId = ++latest
  return { deliveryId, channelId: `c${deliveryId}`, userId, dueMs: 0, isFailing: false, ...given }
}
const many = (count: number, userId: string, given: Partial<Turn> = {}) =>
  Array.from({ length: count }, () => turn(userId, given))
const ofUser = (turns: Turn[], userId: string) => turns.filter((each) => each.userId === userId).length

describe('turns', () => {
  it('are given to each user, however many one has, and however long those wait', () => {
    const chosen = chooseTurns([...many(200, 'ann', { dueMs: -9 }), turn('bob'), turn('cid')], [])
    assert.deepEqual([ofUser(chosen, 'ann'), ofUser(chosen, 'bob'), ofUser(chosen, 'cid')], [sendingPerUser, 1, 1])
  })

  it('are given to who has least under way, where there is little room', () => {
    const crowd = Array.from({ length: sendingMax - 1 }, (_, n) => turn(`crowd${n % 20}`))
    const chosen = chooseTurns([...many(3, 'crowd1', { dueMs: -9 }), turn('bob')], crowd)
    assert.deepEqual([chosen.length, chosen[0].userId], [1, 'bob'])
    assert.deepEqual(chooseTurns([turn('bob')], [...crowd, turn('cid')]), [])
  })

  it('are for channels that work first, and few for those that fail', () => {
    const failing = Array.from({ length: 100 }, (_, n) => turn(`failing${n}`, { isFailing: true, dueMs: -9 }))
    const chosen = chooseTurns([...failing, turn('bob')], [])
    assert.deepEqual([chosen.length, ofUser(chosen, 'bob')], [sendingToFailing + 1, 1])
    const [first] = chooseTurns([turn('ann', { isFailing: true, dueMs: -9 }), turn('ann')], [])
    assert.equal(first.isFailing, false)
  })

  it('come in the order of their time', () => {
    const [late, soon] = [turn('ann', { dueMs: 7 }), turn('ann', { dueMs: 5 })]
    assert.deepEqual(chooseTurns([late, soon], []), [soon, late])
  })
})

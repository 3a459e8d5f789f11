import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { Deferrals } from './deferrals.ts'

const [ann, bob, carl] = ['ann@example.org', 'bob@example.org', 'carl@example.org']

describe('recipients that a server puts off', () => {
  it('are tried again alone, for half an hour', () => {
    const deferrals = new Deferrals()
    const mail = { id: 'm1', to: [ann, bob, carl] }
    assert.deepEqual(deferrals.leftOf(mail), mail.to)
    const pauses: number[] = []
    for (let nowMs = 7, taken = 2; ; taken = 0) {
      const pauseMs = deferrals.settle('m1', { taken, left: [bob] }, nowMs)
      if (pauseMs === null) break
      assert.deepEqual([deferrals.leftOf(mail), deferrals.takenOf('m1')], [[bob], 2])
      pauses.push(pauseMs / 1_000)
      nowMs += pauseMs
    }
    assert.deepEqual(pauses, [5, 15, 60, 300, 300, 300, 300, 300])
    assert.deepEqual([deferrals.leftOf(mail), deferrals.takenOf('m1')], [mail.to, 0], 'sent again by hand, all get it')
  })

  it('are those whom the mail is still for', () => {
    const deferrals = new Deferrals()
    deferrals.settle('m1', { taken: 1, left: [bob, carl] }, 0)
    assert.deepEqual(deferrals.leftOf({ id: 'm1', to: [ann, carl] }), [carl])
    assert.deepEqual(deferrals.leftOf({ id: 'm2', to: [ann] }), [ann])
    assert.equal(deferrals.settle('m1', { taken: 1, left: [] }, 5_000), null)
  })

  it('are known of the latest thousand mails', () => {
    const deferrals = new Deferrals()
    for (let n = 0; n <= 1_000; n++) deferrals.settle(`m${n}`, { taken: 1, left: [bob] }, n)
    assert.deepEqual([deferrals.takenOf('m0'), deferrals.takenOf('m1'), deferrals.takenOf('m1000')], [0, 1, 1])
  })
})

import assert from 'node:assert/strict'
import { beforeEach, describe, it } from 'node:test'
import { WatchConfirmations } from './watch-confirmations.ts'

let lists: WatchConfirmations

beforeEach(() => {
  lists = new WatchConfirmations()
  lists.expect(0, 0)
  lists.expect(1, 0)
})

describe('the watch lists of the collectors', () => {
  it('are late from when a list was sent that one of them does not use', () => {
    assert.equal(lists.sent(1_000), 1)
    lists.confirmed(0, 1, 1_500)
    lists.confirmed(1, 0, 1_500)
    assert.equal(lists.lateMs(1_600), 600)
    lists.confirmed(1, 1, 2_000)
    assert.equal(lists.lateMs(2_000), 500, 'since the other one was heard')
    lists.confirmed(0, 1, 2_000)
    assert.equal(lists.lateMs(2_000), 0)
  })

  it('are not late where they only change faster than collectors report', () => {
    for (let second = 1; second <= 30; second++) {
      const version = lists.sent(second * 1_000)
      for (const collector of [0, 1]) lists.confirmed(collector, version - 1, second * 1_000)
    }
    assert.ok(lists.lateMs(30_000) <= 1_000, `${lists.lateMs(30_000)} ms`)
  })

  it('are late while a collector stays with an old one, however many are sent', () => {
    for (let second = 1; second <= 30; second++) {
      const version = lists.sent(second * 1_000)
      lists.confirmed(0, version, second * 1_000)
      lists.confirmed(1, Math.min(version, 5), second * 1_000)
    }
    assert.ok(lists.lateMs(30_000) >= 23_000, `${lists.lateMs(30_000)} ms`)
  })

  it('are late when a collector is silent', () => {
    lists.sent(0)
    for (const collector of [0, 1]) lists.confirmed(collector, 1, 1_000)
    lists.confirmed(0, 1, 20_000)
    assert.equal(lists.lateMs(20_000), 19_000)
    assert.equal(lists.lateMs(500), 0, 'a clock that is set back makes none late')
  })
})

import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { addressSearch, isChanged, whatIfOf } from './search.ts'

describe('the address of the screen of one address', () => {
  test('has the moment that is explained and the settings that are tried', () => {
    const search = {
      ...{ address: '192.0.2.10', at: '2017-03-08T10:09:00.000Z', last: '7d' },
      ...{ packetsPerSecond: 5_000, bytesPerSecond: 0, sensitivity: 'high' },
    }
    assert.deepEqual(addressSearch(search), search)
    assert.deepEqual(whatIfOf(search), {
      packetsPerSecond: 5_000,
      bytesPerSecond: 0,
      sensitivity: 'high',
      last: '7d',
    })
    assert.deepEqual(whatIfOf({ last: '1d' }), {})
  })

  test('is read without what means nothing', () => {
    const nonsense = { at: 'then', last: '9d', packetsPerSecond: -1, bytesPerSecond: '5', flowsPerSecond: Number.NaN }
    assert.deepEqual(addressSearch({ ...nonsense, sensitivity: 'none', other: 'x' }), {})
  })
})

describe('other settings', () => {
  test('are a limit or a sensitivity, not a time', () => {
    assert.equal(isChanged({ last: '31d' }), false)
    assert.equal(isChanged({ flowsPerSecond: 0 }), true)
    assert.equal(isChanged({ sensitivity: 'low' }), true)
  })
})

import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { type Bundle, bundleKey, parseBundleKey, ruleIdOf } from './bundle-key.ts'

describe('the key of a bundle', () => {
  // As stores have them.
  const rows: [key: string, bundle: Bundle, ruleId: string | null][] = [
    ['digest', { kind: 'digest' }, null],
    ['event e1', { kind: 'event', eventId: 'e1' }, null],
    ['\ntest e1', { kind: 'test', ruleId: null, eventId: 'e1' }, null],
    ['r1\ntest e1', { kind: 'test', ruleId: 'r1', eventId: 'e1' }, 'r1'],
    ['r1', { kind: 'rule', ruleId: 'r1', values: [] }, 'r1'],
    ['r1\na.example\n', { kind: 'rule', ruleId: 'r1', values: ['a.example', ''] }, 'r1'],
  ]
  for (const [key, bundle, ruleId] of rows)
    it(`is read as it was made: ${JSON.stringify(key)}`, () => {
      assert.equal(bundleKey(bundle), key)
      assert.deepEqual(parseBundleKey(key), bundle)
      assert.equal(ruleIdOf(key), ruleId)
    })

  it('is no longer than stores keep', () => {
    const key = bundleKey({ kind: 'rule', ruleId: 'r1', values: ['g'.repeat(2_000)] })
    assert.equal(key.length, 1_000)
    assert.equal(ruleIdOf(key), 'r1')
  })
})

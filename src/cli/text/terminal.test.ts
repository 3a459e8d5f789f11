import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { printable } from './terminal.ts'

test('what moves the cursor, forges a line or hides text is shown as its code', () => {
  assert.equal(printable('a\u001b[2J\r\nb'), 'a\\x1b[2J\\x0d\\x0ab')
  assert.equal(printable('\u202eevil\u200b'), '\\u202eevil\\u200b')
  assert.equal(printable('bücher.例え'), 'bücher.例え')
})

test('no control character passes, and text without any is untouched', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (text) => {
      assert.ok(!/\p{Cc}/u.test(printable(text)))
    }),
  )
  fc.assert(
    fc.property(fc.string({ unit: fc.constantFrom(...'az09-. é例') }), (text) => assert.equal(printable(text), text)),
  )
})

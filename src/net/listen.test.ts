import assert from 'node:assert/strict'
import { test } from 'node:test'
import { formatListen, parseListen } from './listen.ts'

test('a listen address is taken apart and put together again', () => {
  const cases = {
    '127.0.0.1:8080': { host: '127.0.0.1', port: 8080 },
    'localhost:0': { host: 'localhost', port: 0 },
    '[::1]:2055': { host: '::1', port: 2055 },
  }
  for (const [text, address] of Object.entries(cases)) {
    assert.deepEqual(parseListen(text), address)
    assert.equal(formatListen(address), text)
  }
})

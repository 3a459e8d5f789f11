import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { formatServer, parseServer, systemServers } from './servers.ts'

describe('parseServer', () => {
  const cases: [text: string, formatted: string | null][] = [
    ['192.0.2.1', '192.0.2.1:53'],
    ['192.0.2.1:5353', '192.0.2.1:5353'],
    ['2001:db8::1', '[2001:db8::1]:53'],
    ['[2001:db8::1]:5353', '[2001:db8::1]:5353'],
    ['192.0.2.1:0', null],
    ['192.0.2.1:65536', null],
    ['192.0.2.256', null],
    ['dns.example.com', null],
    ['', null],
  ]
  for (const [text, formatted] of cases) {
    it(`${text} -> ${formatted}`, () => {
      const server = parseServer(text)
      assert.equal(server && formatServer(server), formatted)
    })
  }

  it('the system has at least one', () => {
    assert.ok(systemServers().length > 0)
  })
})

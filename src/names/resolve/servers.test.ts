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
    ['tls://192.0.2.1', 'tls://192.0.2.1:853'],
    ['tls://192.0.2.1:8853#dns.example.com', 'tls://192.0.2.1:8853'],
    ['tls://[2001:db8::1]:8853', 'tls://[2001:db8::1]:8853'],
    ['tls://dns.example.com', null],
    ['tls://192.0.2.1#', null],
    ['tls://192.0.2.1#a#b', null],
    ['192.0.2.1#dns.example.com', null],
  ]
  for (const [text, formatted] of cases) {
    it(`${text} -> ${formatted}`, () => {
      const server = parseServer(text)
      assert.equal(server && formatServer(server), formatted)
    })
  }

  it('a certificate is to be for the name, or else for the address', () => {
    const names = ['tls://192.0.2.1', 'tls://192.0.2.1#DNS.example.com.', '192.0.2.1'].map(
      (text) => parseServer(text)?.certificateName,
    )
    assert.deepEqual(names, ['192.0.2.1', 'dns.example.com', undefined])
  })

  it('the system has at least one', () => {
    assert.ok(systemServers().length > 0)
  })
})

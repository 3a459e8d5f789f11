import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { AcknowledgingLinks } from './acknowledging.ts'

const link = { eventId: '58bfd7ae1f0a4b3c9d2e6f70', channelId: '5f2c8d1a90b3e476' }
const [key, otherKey] = [1, 2].map((octet) => new Uint8Array(32).fill(octet))
const publicUrl = 'https://ddos.example.net/'
const links = new AcknowledgingLinks({ publicUrl, key: () => key })
const nowMs = Date.UTC(2026, 0, 15)
const tokenOf = (url: string | null) => new URL(String(url)).searchParams.get('t') ?? ''
const token = tokenOf(links.urlFor(link, nowMs))

describe('a link that acknowledges', () => {
  it('leads to this service, and says what it is good for, for a day', () => {
    const url = String(links.urlFor(link, nowMs))
    assert.match(url, /^https:\/\/ddos\.example\.net\/api\/v1\/alerts\/acknowledge\?t=[0-9a-f.]+$/)
    for (const [afterMs, isExpired] of [
      [0, false],
      [86_400_000, false],
      [86_402_000, true],
    ] as const)
      assert.deepEqual(links.read(token, nowMs + afterMs), { ...link, isExpired })
  })

  it('is good for nothing when a character of it is another one, or it is signed with another key', () => {
    for (let at = 0; at < token.length; at++) {
      const changed = `${token.slice(0, at)}${token[at] === '1' ? '2' : '1'}${token.slice(at + 1)}`
      assert.equal(links.read(changed, nowMs), null, changed)
    }
    for (const given of ['', 'x', token.slice(0, -1), `${token}0`, token.toUpperCase(), 'x'.repeat(1_000_000)])
      assert.equal(links.read(given, nowMs), null)
    const others = new AcknowledgingLinks({ publicUrl, key: () => otherKey })
    assert.equal(others.read(token, nowMs), null)
  })

  it('is not made where there is no key, or no address', () => {
    const keyless = new AcknowledgingLinks({ publicUrl, key: () => null })
    assert.equal(keyless.urlFor(link, nowMs), null)
    assert.equal(keyless.read(token, nowMs), null)
    assert.equal(new AcknowledgingLinks({ publicUrl: '', key: () => key }).urlFor(link, nowMs), null)
  })
})

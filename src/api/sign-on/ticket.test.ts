import assert from 'node:assert/strict'
import { test } from 'node:test'
import { issueTicket, readTicket } from './ticket.ts'

const [secret, other] = ['ab'.repeat(32), 'cd'.repeat(32)]
const nowMs = Date.UTC(2026, 0, 15)
const expiresMs = nowMs + 900_000

test('a ticket is read by the browser that it was given to, until it expires', () => {
  const ticket = issueTicket(secret, { next: '/events?severity=high', expiresMs })
  assert.deepEqual(readTicket(secret, ticket.state, nowMs), { ...ticket, next: '/events?severity=high' })
  assert.equal(readTicket(other, ticket.state, nowMs), null)
  assert.equal(readTicket(secret, ticket.state, expiresMs), null)
  assert.match(ticket.verifier, /^[\w-]{43}$/)
  assert.equal(new Set([ticket.nonce, ticket.verifier, ticket.state.split('.')[2]]).size, 3)
})

test('a state that was changed is of nobody', () => {
  const { state } = issueTicket(secret, { next: '/', expiresMs })
  const [expires, next, mac] = state.split('.')
  const later = (Number.parseInt(expires, 36) + 1).toString(36)
  const elsewhere = Buffer.from('/events').toString('base64url')
  const wrong = [
    '',
    '..',
    'x',
    `${later}.${next}.${mac}`,
    `${expires}.${elsewhere}.${mac}`,
    `${state}A`,
    state.slice(1),
  ]
  for (const each of wrong) assert.equal(readTicket(secret, each, nowMs), null, each)
})

test('it leads to the console and nowhere else', () => {
  const places = [
    '//evil.example',
    '/\\evil.example',
    'https://evil.example',
    '',
    'events',
    '/a b',
    '/\n',
    `/${'x'.repeat(600)}`,
  ]
  for (const next of places) {
    const { state } = issueTicket(secret, { next, expiresMs })
    assert.equal(readTicket(secret, state, nowMs)?.next, '/', next)
  }
})

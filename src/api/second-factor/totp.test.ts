import assert from 'node:assert/strict'
import { test } from 'node:test'
import { base32, hotp, keyUri, stepAt, stepOf } from './totp.ts'

/** As both RFCs have it. */
const secret = Buffer.from('12345678901234567890')

test('codes by counter are those of RFC 4226, appendix D', () => {
  const codes = ['755224', '287082', '359152', '969429', '338314', '254676', '287922', '162583', '399871', '520489']
  for (const [counter, code] of codes.entries()) assert.equal(hotp(secret, counter), code)
})

test('codes by time are those of RFC 6238, appendix B, less the first two of their eight digits', () => {
  const rows: [seconds: number, code: string][] = [
    [59, '94287082'],
    [1_111_111_109, '07081804'],
    [1_111_111_111, '14050471'],
    [1_234_567_890, '89005924'],
    [2_000_000_000, '69279037'],
    [20_000_000_000, '65353130'],
  ]
  for (const [seconds, code] of rows) {
    assert.equal(hotp(secret, stepAt(seconds * 1000)), code.slice(2))
    assert.equal(stepOf(code.slice(2), secret, seconds * 1000), Math.floor(seconds / 30))
  }
})

test('codes of the step before and of the one after are taken, of no other', () => {
  const nowMs = 1_111_111_109_000
  const present = stepAt(nowMs)
  const taken = [-2, -1, 0, 1, 2].map((by) => stepOf(hotp(secret, present + by), secret, nowMs))
  assert.deepEqual(taken, [null, present - 1, present, present + 1, null])
})

test('what is no code is of no step', () => {
  const code = hotp(secret, stepAt(59_000))
  for (const given of [
    '',
    code.slice(1),
    `${code}0`,
    ` ${code}`,
    '28708２',
    '28708Ĳ',
    '\u0000'.repeat(6),
    'é'.repeat(6),
  ])
    assert.equal(stepOf(given, secret, 59_000), null, JSON.stringify(given))
  assert.equal(stepOf(hotp(secret, 0), secret, 0), 0)
})

test('a secret is told to an authenticator as the key URI says', () => {
  // RFC 4648 section 10, without padding.
  for (const [text, coded] of [
    ['fooba', 'MZXW6YTB'],
    ['', ''],
  ])
    assert.equal(base32(Buffer.from(text)), coded)
  const uri = new URL(keyUri({ secret, email: 'ann+x@example.net', issuer: 'Floodgauge ddos.example.net' }))
  assert.equal(decodeURIComponent(uri.pathname), '/Floodgauge ddos.example.net:ann+x@example.net')
  assert.equal(uri.searchParams.get('secret'), 'GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ')
  assert.equal(uri.searchParams.get('issuer'), 'Floodgauge ddos.example.net')
})

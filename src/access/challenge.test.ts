import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { challengeName, challengeText, readChallenge, siteOf, subjectOf, widerSubjects } from './challenge.ts'
import { requireHostRecord } from './host-record.ts'

const day = 86_400_000
const nowMs = Date.UTC(2026, 10, 21, 12)
const token = 'mq4x7kz2vdn3s5yhw6etb2ajcpfr7olg'

function nameOf(host: string): string | null {
  const record = requireHostRecord(host)
  const subject = subjectOf(record)
  return subject === null ? null : challengeName(subject)
}

describe('where the record has to be', () => {
  const long = `${'a'.repeat(60)}.${'b'.repeat(60)}.${'c'.repeat(60)}.${'d'.repeat(40)}.example`
  const rows: [host: string, name: string | null][] = [
    ['www.example.com', '_floodgauge-host-challenge.www.example.com'],
    ['*.example.com', '_floodgauge-domain-challenge.example.com'],
    ['192.0.2.0/24', '_floodgauge-challenge.2.0.192.in-addr.arpa'],
    ['192.0.2.7', '_floodgauge-challenge.7.2.0.192.in-addr.arpa'],
    ['192.0.2.16/28', '_floodgauge-challenge.16-28.2.0.192.in-addr.arpa'],
    ['192.0.2.128/25', '_floodgauge-challenge.128-25.2.0.192.in-addr.arpa'],
    ['co.uk', null],
    ['github.io', null],
    ['someone.github.io', '_floodgauge-host-challenge.someone.github.io'],
    [long, null],
  ]
  for (const [host, name] of rows) it(`of ${host} is ${name ?? 'nowhere'}`, () => assert.equal(nameOf(host), name))
})

describe('what is proved', () => {
  for (const host of ['www.example.com', '*.example.com', '192.0.2.0/24', '192.0.2.7', '192.0.2.16/28'])
    it(`for ${host} is that site`, () => {
      const subject = subjectOf(requireHostRecord(host))
      assert.equal(subject === null ? null : siteOf(subject), host)
    })

  const textsOf = (host: string) => {
    const subject = subjectOf(requireHostRecord(host))
    return subject === null ? [] : [...widerSubjects(subject)].map(({ kind, text }) => `${kind} ${text}`)
  }

  it('is proved by domains that the name is in, and by networks that the address is in, as well', () => {
    assert.deepEqual(textsOf('www.example.com'), ['domain www.example.com', 'domain example.com', 'domain com'])
    assert.deepEqual(textsOf('*.example.com'), ['domain com'])
    const networks = textsOf('192.0.2.7')
    assert.deepEqual(
      [networks.length, networks[0], networks[7], networks[31]],
      [32, 'network 192.0.2.6/31', 'network 192.0.2.0/24', 'network 0.0.0.0/0'],
    )
  })
})

describe('the text of the record', () => {
  it('is good for a year, and stays as it is until there is little left of that', () => {
    assert.equal(challengeText(token, { expiresMs: null, nowMs }), `token=${token} expiry=2027-11-21`)
    const expiresMs = nowMs + 40 * day
    assert.equal(challengeText(token, { expiresMs, nowMs }), `token=${token} expiry=2026-12-31`)
    assert.equal(challengeText(token, { expiresMs: nowMs + 20 * day, nowMs }), `token=${token} expiry=2027-11-21`)
  })

  it('is read back', () => {
    const text = challengeText(token, { expiresMs: null, nowMs })
    assert.equal(readChallenge([text], token, nowMs), Date.UTC(2027, 10, 22))
  })

  const rows: [what: string, texts: string[], until: number | null][] = [
    ['none', [], null],
    ['others, among them it', ['v=spf1 -all', `token=other`, `token=${token}`], Number.POSITIVE_INFINITY],
    ['of another', ['token=aaaabbbbccccddddeeeeffffgggghhhh expiry=never'], null],
    ['its token with more or less', [`token=${token}a`, `token=${token.slice(1)}`, `xtoken=${token}`, token], null],
    ['in capitals', [`TOKEN=${token.toUpperCase()} EXPIRY=NEVER`], Number.POSITIVE_INFINITY],
    ['the other way round', [`expiry=2026-11-21   token=${token}`], Date.UTC(2026, 10, 22)],
    ['over since yesterday', [`token=${token} expiry=2026-11-20`], null],
    [
      'over, and one that is not',
      [`token=${token} expiry=2026-11-20`, `token=${token} expiry=2026-11-22`],
      Date.UTC(2026, 10, 23),
    ],
    ['until a moment', [`token=${token} expiry=2026-11-21T14:00:00+01:00`], Date.UTC(2026, 10, 21, 13)],
    ['over since a moment', [`token=${token} expiry=2026-11-21T13:00:00+01:00`], null],
    ['no date', [`token=${token} expiry=soon`], null],
    ['no possible date', [`token=${token} expiry=2026-13-41`], null],
  ]
  for (const [what, texts, until] of rows)
    it(`counts when there are: ${what}`, () => assert.equal(readChallenge(texts, token, nowMs), until))
})

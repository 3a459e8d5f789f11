import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { endpoints } from '../../contract/endpoints.ts'
import type { SiteReport } from '../../contract/sites/report.ts'
import { proofLines, renderSite, stateLine } from './site.ts'

const { response: site } = endpoints.getSite.example
const proof = site.proof ?? assert.fail('the example has no proof')

const proofOf = (change: Partial<NonNullable<SiteReport['proof']>>, isWatched = true): string[] =>
  proofLines({ ...site, isWatched, proof: { ...proof, expiresAt: null, ...change } })

describe('the text of a site', () => {
  it('says whether it is watched', () => {
    assert.match(stateLine({ ...site, isWatched: false }), /^www\.example\.com: not watched, added /)
    assert.match(stateLine({ ...site, isWatched: false, isEnabled: false }), /: disabled, /)
  })

  it('says what is to be put into the DNS, unless it is there', () => {
    const record = `Put this into the DNS: ${proof.record.name}. TXT "${proof.record.text}"`
    assert.deepEqual(proofOf({}), ['proof: verified, last there 2017-03-08 06:12:40'])
    assert.deepEqual(proofOf({ state: 'pending', confirmedAt: null }, false), ['proof: pending', record])
    assert.deepEqual(proofOf({ state: 'pending', confirmedAt: null }), ['proof: none of its own, another covers it'])
    assert.deepEqual(proofOf({ state: 'missed', misses: 2 }), [
      'proof: missed, 2 times not there, last there 2017-03-08 06:12:40',
      record,
    ])
    const watchedUntil = '2017-03-18T06:12:40+00:00'
    assert.deepEqual(proofOf({ state: 'unverified', misses: 3, watchedUntil }), [
      'proof: unverified, 3 times not there, last there 2017-03-08 06:12:40, watched until 2017-03-18 06:12:40',
      record,
    ])
  })

  it('says why it is not watched when there is nothing to be proved', () => {
    assert.deepEqual(proofLines({ ...site, proof: null }), [])
    assert.deepEqual(proofLines({ ...site, proof: null, isWatched: false }), [
      'It is not among what this user may watch.',
    ])
  })

  it('tells no traffic of an address that is not the user’s', () => {
    const [first] = site.addresses
    const text = renderSite({
      ...site,
      addresses: [{ ...first, isOwn: false, traffic: 'unknown', lastTrafficAt: null }],
    })
    assert.match(text, /192\.0\.2\.10 +not told +- /)
  })
})

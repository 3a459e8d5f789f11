import assert from 'node:assert/strict'
import { it } from 'node:test'
import fc from 'fast-check'
import { SignedAnswers, signRequest, type TsigKey } from '../../src/names/zones/tsig.ts'
import { encodeZoneQuestion, readMessage, readName, types } from '../../src/names/zones/wire.ts'
import { fuzz } from '../helpers/fuzz.ts'
import { a, cname } from '../helpers/servers/dns-server.ts'
import { signed, soa, type ZoneAsked, zoneMessage } from '../helpers/servers/zone-server.ts'
import { fuzzMs, mutated, mutations, poisoned } from './bytes.ts'

const zone = 'example.com'
const now = 1_800_000_000
const key: TsigKey = { name: 'transfer.key', algorithm: 'hmac-sha256', secret: Buffer.from('secret') }
const request = signRequest(encodeZoneQuestion(1, zone, types.AXFR), key, now)
const asked: ZoneAsked = { id: 1, name: zone, type: 'AXFR', message: request.message }
const plain = zoneMessage(asked, [
  soa(zone, 7),
  a('www.example.com', '192.0.2.1'),
  cname('a.example.com', 'www.example.com'),
])
const [message] = signed(request.message, [plain], { key, timeSigned: now })

const bufferOf = (view: DataView) => Buffer.from(view.buffer, view.byteOffset, view.byteLength)
const name = /^$|^(\*\.)?[a-z0-9._-]{1,253}$/

it('hostile messages of a transfer: records within the message, nothing read beyond its end', () => {
  for (const good of [plain, message]) assert.equal(readMessage(good)?.answers.length, 3)
  const property = fc.property(fc.constantFrom(plain, message), mutations, (good, list) => {
    const bytes = mutated(Uint8Array.from(good), list)
    const read = readMessage(bufferOf(poisoned(bytes, 0xff)))
    assert.deepEqual(readMessage(bufferOf(poisoned(bytes, 0x00))), read)
    for (const record of read?.answers ?? []) {
      assert.ok(record.at < record.dataAt && record.dataAt <= record.end && record.end <= bytes.length)
      if (record.name !== null) assert.match(record.name, name)
      const target = readName(Buffer.from(bytes), record.dataAt)
      if (target !== null && target.text !== null) assert.match(target.text, name)
    }
  })
  fuzz(property, fuzzMs())
})

it('a signed message that was changed in any way is not taken, but for letters that do not count', () => {
  const take = (given: Buffer) => {
    const { mac } = macOf(request.message)
    const read = readMessage(given)
    return read !== null && new SignedAnswers(key, mac).take(given, read, now)
  }
  assert.ok(take(message))
  const property = fc.property(mutations, (list) => {
    const bytes = Buffer.from(mutated(Uint8Array.from(message), list))
    if (bytes.toString('latin1').toLowerCase() === message.toString('latin1').toLowerCase()) return
    // The id is that of the question, which the one who asked compares.
    if (bytes.subarray(2).equals(message.subarray(2))) return
    assert.equal(take(bytes), false)
  })
  fuzz(property, fuzzMs())
})

/** The MAC of a request with HMAC-SHA-256. */
function macOf(signedRequest: Buffer): { mac: Buffer } {
  return { mac: signedRequest.subarray(signedRequest.length - 38, signedRequest.length - 6) }
}

import assert from 'node:assert/strict'
import { it } from 'node:test'
import fc from 'fast-check'
import { readTold } from '../../src/names/dnstap/answers.ts'
import { FrameReader, frameBytesMax } from '../../src/names/dnstap/frame-stream.ts'
import { readDnstap } from '../../src/names/dnstap/message.ts'
import { addressesMax, chainMax } from '../../src/names/resolve/answer.ts'
import { isWithin } from '../../src/net/hostname.ts'
import { fuzz } from '../helpers/fuzz.ts'
import { a, cname } from '../helpers/servers/dns-server.ts'
import {
  dataFrame,
  dnsMessage,
  dnstapMessage,
  readyFrame,
  startFrame,
  stopFrame,
  wireForm,
} from '../helpers/servers/dnstap-sender.ts'
import { fuzzMs, mutated, mutations, poisoned } from './bytes.ts'

const www = 'www.example.com'
const edge = 'edge.example.com'
const answers = [cname(www, edge), a(edge, '192.0.2.1'), a(edge, '192.0.2.2')]
const messages = [
  dnstapMessage({ name: www, answers }),
  dnstapMessage({ name: www, answers, type: 'RESOLVER_RESPONSE', zone: 'example.com' }),
].map((message) => Uint8Array.from(message))
const wants = (name: string) => isWithin(name, 'example.com')

const bufferOf = (view: DataView) => Buffer.from(view.buffer, view.byteOffset, view.byteLength)

/** What a frame tells, as text; with the bounds that must hold. */
function takenFrom(frame: Buffer): string {
  const message = readDnstap(frame)
  if (message.kind !== 'response') return message.kind
  const answer = readTold(message, wants)
  if (answer.kind !== 'told') return answer.kind
  const { name, chain, addresses, ttlSeconds } = answer.told
  assert.ok(wants(name) && chain.length <= chainMax && addresses.length <= addressesMax)
  assert.ok(ttlSeconds >= 0 && ttlSeconds <= 0x7fffffff)
  for (const each of [name, ...chain]) assert.match(each, /^[a-z0-9._-]{1,253}$/)
  return JSON.stringify(answer.told)
}

it('hostile dnstap messages: an answer or none, nothing read beyond the end', () => {
  assert.ok(messages.every((message) => takenFrom(Buffer.from(message)).includes('addresses')))
  const seen = new Map<string, number>()
  const property = fc.property(fc.constantFrom(...messages), mutations, (message, list) => {
    const bytes = mutated(message, list)
    const taken = takenFrom(bufferOf(poisoned(bytes, 0xff)))
    assert.equal(takenFrom(bufferOf(poisoned(bytes, 0x00))), taken)
    const kind = taken.startsWith('{') ? 'told' : taken
    seen.set(kind, (seen.get(kind) ?? 0) + 1)
  })
  fuzz(property, fuzzMs())
  for (const kind of ['told', 'other', 'broken']) assert.ok(seen.has(kind), kind)
})

it('hostile answers within good messages', () => {
  const response = Uint8Array.from(dnsMessage(www, answers))
  const property = fc.property(
    mutations,
    fc.constantFrom(wireForm(''), wireForm('example.com'), null),
    (list, zone) => {
      const bytes = mutated(response, list)
      const read = (poison: number) =>
        readTold({ type: 'RESOLVER_RESPONSE', zone, response: bufferOf(poisoned(bytes, poison)) }, wants)
      assert.deepEqual(read(0xff), read(0x00))
    },
  )
  fuzz(property, fuzzMs())
})

it('hostile streams: frames within their bounds, the same however the octets come', () => {
  const stream = Uint8Array.from(Buffer.concat([readyFrame, startFrame, ...messages.map(dataFrame), stopFrame]))
  const framesOf = (octets: Uint8Array, cuts: readonly number[]) => {
    const reader = new FrameReader()
    const frames: string[] = []
    let from = 0
    for (const to of [...cuts.map((cut) => cut % (octets.length + 1)), octets.length].toSorted((x, y) => x - y)) {
      for (const frame of reader.read(Buffer.from(octets.subarray(from, to)))) {
        frames.push(JSON.stringify(frame))
        if (frame.kind === 'data') assert.ok(frame.octets.length > 0 && frame.octets.length <= frameBytesMax)
        if (frame.kind === 'broken' || frame.kind === 'long') return frames
      }
      from = to
    }
    return frames
  }
  const property = fc.property(mutations, fc.array(fc.nat(2_000), { maxLength: 8 }), (list, cuts) => {
    const bytes = mutated(stream, list)
    assert.deepEqual(framesOf(bytes, cuts), framesOf(bytes, []))
  })
  fuzz(property, fuzzMs())
})

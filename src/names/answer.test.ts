import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { decode, encode } from 'dns-packet'
import fc from 'fast-check'
import { a, cname, response } from '../../test/helpers/dns-server.ts'
import { addressesMax, chainMax, decodeAnswer, encodeQuestion, readAnswer } from './answer.ts'

const question = { id: 0x1234, name: 'www.example.com' }
const asked = { id: question.id, name: question.name, spelled: question.name, over: 'udp', port: 0 } as const
const fuzzMs = Number(process.env.FUZZ_SECONDS ?? 1) * 1_000

/** What the resolver makes of a datagram, whoever sent it; with the bounds that must hold. */
function take(message: Buffer): string {
  const packet = decodeAnswer(message, question)
  if (packet === null) return 'foreign'
  const answer = readAnswer(packet, question.name)
  if (answer.kind === 'addresses') {
    assert.ok(answer.addresses.length > 0 && answer.addresses.length <= addressesMax)
    for (const address of answer.addresses)
      assert.ok(Number.isInteger(address) && address >= 0 && address <= 0xffffffff)
  }
  if (answer.kind === 'addresses' || answer.kind === 'alias') {
    assert.ok(answer.chain.length <= chainMax)
    assert.equal(new Set([question.name, ...answer.chain]).size, answer.chain.length + 1)
    assert.ok(answer.ttlSeconds >= 0 && answer.ttlSeconds <= 0x7fffffff)
    for (const name of answer.chain) assert.match(name, /^[a-z0-9._-]{1,253}$/)
  }
  return answer.kind
}

describe('answer', () => {
  it('asks for recursion, and offers 1232 octets', () => {
    const packet = decode(encodeQuestion(question))
    assert.deepEqual(
      [packet.id, packet.flag_rd, packet.questions],
      [question.id, true, [{ type: 'A', class: 'IN', name: question.name }]],
    )
    const [opt] = packet.additionals ?? []
    assert.equal(opt?.type === 'OPT' && opt.udpPayloadSize, 1_232)
  })

  it('takes a question that is echoed in other case, and records of any order, case and class', () => {
    const echo = [{ type: 'A', class: 'IN', name: 'WWW.Example.com' } as const]
    const answers = [
      a('WWW.EXAMPLE.COM', '192.0.2.1', 5),
      a(question.name, '192.0.2.1', 7),
      { ...a(question.name, '192.0.2.9'), class: 'CH' as const },
    ]
    const packet = decodeAnswer(encode(response(asked, answers, { questions: echo })), question)
    assert.ok(packet !== null)
    assert.deepEqual(readAnswer(packet, question.name), {
      kind: 'addresses',
      addresses: [0xc0000201],
      chain: [],
      ttlSeconds: 5,
    })
  })

  it('reads at most so many addresses, and a TTL with its top bit as none', () => {
    const many = Array.from({ length: 400 }, (_, i) => a(question.name, `10.0.${i >> 8}.${i & 255}`, 0x80000000))
    const packet = decodeAnswer(encode(response(asked, many)), question)
    assert.ok(packet !== null)
    const answer = readAnswer(packet, question.name)
    assert.ok(answer.kind === 'addresses')
    assert.deepEqual([answer.addresses.length, answer.ttlSeconds], [addressesMax, 0])
  })

  it('survives any octets', () => {
    const valid = encode(
      response(asked, [
        cname(question.name, 'a.example'),
        cname('a.example', 'b.example'),
        a('b.example', '192.0.2.1'),
      ]),
    )
    assert.equal(take(valid), 'addresses')
    const mutated = fc.array(fc.tuple(fc.nat(valid.length - 1), fc.nat(255)), { maxLength: 6 }).map((changes) => {
      const message = Buffer.from(valid)
      for (const [at, octet] of changes) message[at] = octet
      return message
    })
    const cut = fc.nat(valid.length).map((length) => valid.subarray(0, length))
    const random = fc.uint8Array({ maxLength: 600 }).map((octets) => Buffer.concat([valid.subarray(0, 33), octets]))
    const kinds = new Map<string, number>()
    fc.assert(
      fc.property(fc.oneof(mutated, cut, random), (message) => {
        const kind = take(message)
        kinds.set(kind, (kinds.get(kind) ?? 0) + 1)
      }),
      { numRuns: 1_000_000, interruptAfterTimeLimit: fuzzMs },
    )
    // The fuzz reached past the first checks.
    for (const kind of ['foreign', 'addresses', 'alias', 'absent', 'failed']) assert.ok(kinds.has(kind), kind)
  })
})

import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { decode, encode } from 'dns-packet'
import { a, response } from '../../../test/helpers/servers/dns-server.ts'
import { addressesMax, decodeAnswer, encodeQuestion, readAnswer } from './answer.ts'

const question = { id: 0x1234, name: 'www.example.com' }
const asked = { id: question.id, name: question.name, spelled: question.name, over: 'udp', port: 0 } as const

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

  it('reads a bounded number of addresses, and a TTL with its top bit as none', () => {
    const many = Array.from({ length: 400 }, (_, i) => a(question.name, `10.0.${i >> 8}.${i & 255}`, 0x80000000))
    const packet = decodeAnswer(encode(response(asked, many)), question)
    assert.ok(packet !== null)
    const answer = readAnswer(packet, question.name)
    assert.ok(answer.kind === 'addresses')
    assert.deepEqual([answer.addresses.length, answer.ttlSeconds], [addressesMax, 0])
  })
})

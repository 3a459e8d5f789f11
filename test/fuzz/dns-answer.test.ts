// What resolvers answer, or somebody in their place: any octets, in datagrams and in streams, and any records in good messages.
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { describe, it } from 'node:test'
import { createServer, type TLSSocket } from 'node:tls'
import { type Answer, encode, TRUNCATED_RESPONSE } from 'dns-packet'
import fc from 'fast-check'
import { addressesMax, chainMax, decodeAnswer, readAnswer } from '../../src/names/resolve/answer.ts'
import { type Resolution, Resolver } from '../../src/names/resolve/resolver.ts'
import { readTexts } from '../../src/names/resolve/text-answer.ts'
import { formatIpv4 } from '../../src/net/ipv4.ts'
import { fuzz, fuzzRuns } from '../helpers/fuzz.ts'
import { a, certificates, cname, dname, response, txt } from '../helpers/servers/dns-server.ts'
import { fuzzMs, mutated, mutations } from './bytes.ts'

const question = { id: 0x1234, name: 'www.example.com' }
const asked = { ...question, spelled: question.name, over: 'udp', port: 0 } as const

const opt = { type: 'OPT', name: '.', udpPayloadSize: 1_232, extendedRcode: 0, ednsVersion: 0, flags: 0 } as const
const seeds = [
  response(asked, [a(question.name, '192.0.2.1'), a(question.name, '192.0.2.2', 0x8000_0000)]),
  response(asked, [cname(question.name, 'a.example'), cname('a.example', 'b.example'), a('b.example', '192.0.2.1')]),
  response(asked, [dname('example.com', 'example.net'), a('www.example.net', '192.0.2.1')], {
    additionals: [{ ...opt, flag_do: false, options: [] }],
  }),
  response(asked, [cname(question.name, 'a.example')]),
  response(asked, [cname(question.name, 'a.example'), txt('a.example', ['token=abc ', 'expiry=never'])]),
  response(asked, [], { flags: TRUNCATED_RESPONSE }),
  response(asked, [], { flags: 3 }),
  response(asked, [cname(question.name, 'a.example'), cname('a.example', question.name)]),
  response({ ...asked, id: 0x4321 }, []),
  response(
    asked,
    Array.from({ length: 300 }, (_, i) => a(question.name, formatIpv4(0xc0000200 + i))),
  ),
].map((packet) => new Uint8Array(encode(packet)))

const messages = fc.oneof(
  fc.tuple(fc.constantFrom(...seeds), mutations).map(([seed, list]) => mutated(seed, list)),
  // Any octets after the header and the question, which have to be right to get further.
  fc.uint8Array({ maxLength: 600 }).map((octets) => Buffer.concat([seeds[0].subarray(0, 33), octets])),
  fc.uint8Array({ maxLength: 600 }),
)

/** What is made of a message, whose bounds must hold. */
function read(message: Uint8Array): string {
  const packet = decodeAnswer(Buffer.from(message), question)
  if (packet === null) return 'foreign'
  const texts = readTexts(packet, question.name)
  if (texts.kind === 'alias') assert.match(texts.target, /^[a-z0-9._-]{1,253}$/)
  if (texts.kind === 'texts') assert.ok(texts.texts.length <= 100 && texts.texts.every(({ length }) => length <= 1_000))
  const answer = readAnswer(packet, question.name)
  if (answer.kind === 'addresses') {
    assert.ok(answer.addresses.length > 0 && answer.addresses.length <= addressesMax)
    for (const each of answer.addresses) assert.ok(Number.isInteger(each) && each >= 0 && each <= 0xffff_ffff)
  }
  if (answer.kind === 'addresses' || answer.kind === 'alias') {
    assert.ok(answer.chain.length <= chainMax)
    assert.equal(new Set([question.name, ...answer.chain]).size, answer.chain.length + 1)
    assert.ok(answer.ttlSeconds >= 0 && answer.ttlSeconds <= 0x7fff_ffff)
    for (const name of answer.chain) assert.match(name, /^[a-z0-9._-]{1,253}$/)
  }
  return answer.kind
}

const names = [
  'www.example.com',
  'example.com',
  'www.example.net',
  'example.net',
  'a.www.example.com',
  'example',
  'com',
]
const name = fc.constantFrom(...names)
const records = fc.array(
  fc.oneof(
    fc.tuple(name, fc.nat(255)).map(([owner, last]) => a(owner, `192.0.2.${last}`)),
    fc.tuple(name, name).map(([owner, target]) => cname(owner, target)),
    fc.tuple(name, name).map(([owner, target]) => dname(owner, target)),
  ),
  { maxLength: 10 },
)

/** The same by a plain search of the records: where a name leads, through which others. */
function searched(answers: Answer[]): { kind: string; chain: string[]; addresses: string[] } {
  const dataOf = (type: 'A' | 'CNAME' | 'DNAME', owner: string) =>
    answers.flatMap((each) => (each.type === type && each.name === owner ? [String(each.data)] : []))
  const path = [question.name]
  for (;;) {
    const at = path[path.length - 1]
    const chain = path.slice(1)
    const addresses = [...new Set(dataOf('A', at))]
    if (addresses.length > 0) return { kind: 'addresses', chain, addresses }
    const labels = at.split('.')
    const byDname = labels.slice(1).flatMap((_, i) => {
      const target = dataOf('DNAME', labels.slice(i + 1).join('.'))[0]
      return target === undefined ? [] : [[...labels.slice(0, i + 1), target].join('.')]
    })
    const next = dataOf('CNAME', at)[0] ?? byDname[0]
    if (next === undefined) return { kind: chain.length === 0 ? 'absent' : 'alias', chain, addresses }
    if (path.includes(next) || path.length > chainMax) return { kind: 'failed', chain: [], addresses: [] }
    path.push(next)
  }
}

describe('answers of resolvers', () => {
  it('any octets keep the bounds', () => {
    const kinds = new Set(seeds.map(read))
    assert.deepEqual([...kinds].toSorted(), ['absent', 'addresses', 'alias', 'failed', 'foreign'])
    fuzz(
      fc.property(messages, (message) => {
        read(message)
      }),
      fuzzMs(),
    )
  })

  it('records lead where a plain search of them leads, and whatever is not on the way has no effect', () => {
    fuzz(
      fc.property(records, records, (answers, elsewhere) => {
        const sections = { authorities: elsewhere, additionals: elsewhere }
        const packet = decodeAnswer(encode(response(asked, answers, sections)), question)
        assert.ok(packet !== null)
        const answer = readAnswer(packet, question.name)
        const chain = 'chain' in answer ? answer.chain : []
        const addresses = 'addresses' in answer ? answer.addresses.map(formatIpv4) : []
        assert.deepEqual({ kind: answer.kind, chain, addresses }, searched(answers))
      }),
      fuzzMs(),
    )
  })

  it('any octets in a stream are survived, and the next answer is read all the same', async () => {
    let garbage: Uint8Array | null = null
    const sockets = new Set<TLSSocket>()
    const server = createServer(
      { cert: readFileSync(certificates.certificate), key: readFileSync(certificates.key) },
      (socket) => {
        sockets.add(socket)
        socket.on('error', () => {})
        socket.on('data', (sent) => {
          for (let at = 0; at < sent.length; at += 2 + sent.readUInt16BE(at)) {
            socket.write(garbage ?? answerTo(sent.readUInt16BE(at + 2)))
            garbage = null
          }
        })
      },
    ).listen(0, '127.0.0.1')
    await once(server, 'listening')
    const bound = server.address()
    const port = typeof bound === 'object' && bound !== null ? bound.port : 0
    const outcomes: Promise<Resolution>[] = []
    const cuts = fc.oneof({ weight: 9, arbitrary: fc.constant(0) }, fc.nat(300))
    const stop = new AbortController()
    const resolver = new Resolver({
      server: { address: '127.0.0.1', port, family: 4, certificateName: '127.0.0.1' },
      authorities: readFileSync(certificates.authority, 'utf8'),
      timeoutMs: 500,
      attempts: 1,
      signal: stop.signal,
      onAsk: () => {},
      onDuration: () => {},
    })
    try {
      await fc.assert(
        fc.asyncProperty(fc.array(messages, { minLength: 1, maxLength: 4 }), cuts, async (list, cut) => {
          const framed = Buffer.concat(list.map((message) => withLength(message)))
          garbage = framed.subarray(0, framed.length - Math.min(cut, framed.length - 1))
          const first = resolver.resolve(question.name)
          // The rest of what was cut may be taken out of the first answers, and a busy machine may be late with others. A connection that
          // is stuck remains so, however often it is asked.
          let tries = 0
          while ((await resolver.resolve(question.name)).kind !== 'addresses') assert.ok(++tries < 20)
          outcomes.push(first)
        }),
        // In number rather than in time: a machine that is busy must not pass for one that has tried, nor fail for it.
        { numRuns: fuzzRuns * 8, endOnFailure: true },
      )
    } finally {
      await Promise.all(outcomes)
      stop.abort()
      for (const socket of sockets) socket.destroy()
      server.close()
    }
    assert.ok(resolver.foreign > 0 && resolver.queries.NOERROR > 0)
  })
})

function withLength(message: Uint8Array): Buffer {
  const length = Buffer.alloc(2)
  length.writeUInt16BE(message.length)
  return Buffer.concat([length, message])
}

/** A right answer in a frame. */
function answerTo(id: number): Buffer {
  return withLength(encode(response({ ...asked, id }, [a(question.name, '192.0.2.1')])))
}

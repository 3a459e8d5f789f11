import assert from 'node:assert/strict'
import { after, before, beforeEach, describe, it } from 'node:test'
import { TRUNCATED_RESPONSE } from 'dns-packet'
import { a, cname, DnsServer, dname, response, txt } from '../../../test/helpers/servers/dns-server.ts'
import { Resolver } from './resolver.ts'

const www = 'www.example.com'
const NXDOMAIN = 3
const SERVFAIL = 2

describe('Resolver', () => {
  const server = new DnsServer(() => [])
  const stopped = new AbortController()
  let durations: number[]
  let asked: number
  before(() => server.start())
  after(() => server.stop())
  beforeEach(() => {
    server.asked.length = 0
    durations = []
    asked = 0
  })

  function resolver({ timeoutMs = 2_000, attempts = 1, signal = stopped.signal } = {}): Resolver {
    const at = { address: '127.0.0.1', port: server.port, family: 4 } as const
    return new Resolver({
      server: at,
      authorities: null,
      timeoutMs,
      attempts,
      signal,
      onAsk: () => asked++,
      onDuration: (seconds) => durations.push(seconds),
    })
  }

  it('follows a chain of three aliases, with the least TTL', async () => {
    server.reply = (asked) => [
      response(asked, [
        // Order is no promise.
        a('edge.cdn.example', '192.0.2.2', 300),
        cname('b.cdn.example', 'EDGE.cdn.example.', 20),
        cname(www, 'a.cdn.example', 3_600),
        cname('a.cdn.example', 'b.cdn.example', 90),
        a('edge.cdn.example', '192.0.2.1', 300),
      ]),
    ]
    const one = resolver()
    assert.deepEqual(await one.resolve(www), {
      kind: 'addresses',
      addresses: [0xc0000202, 0xc0000201],
      chain: ['a.cdn.example', 'b.cdn.example', 'edge.cdn.example'],
      ttlSeconds: 20,
    })
    assert.equal(one.queries.NOERROR, 1)
    assert.equal(durations.length, 1)
  })

  it('asks on when an alias comes without its address', async () => {
    server.reply = (asked) =>
      asked.name === www
        ? [response(asked, [cname(www, 'a.cdn.example', 30)])]
        : [response(asked, [cname('a.cdn.example', 'b.cdn.example', 10), a('b.cdn.example', '192.0.2.1', 300)])]
    assert.deepEqual(await resolver().resolve(www), {
      kind: 'addresses',
      addresses: [0xc0000201],
      chain: ['a.cdn.example', 'b.cdn.example'],
      ttlSeconds: 10,
    })
    assert.equal(asked, 2)
  })

  it('asks for every link of a chain, where none comes with the next', async () => {
    server.reply = ({ name, ...rest }) => {
      const link = name === www ? 0 : Number(/^n(\d+)/.exec(name)?.[1])
      const next = `n${link + 1}.example`
      return [response({ name, ...rest }, [link === 16 ? a(name, '192.0.2.1') : cname(name, next)])]
    }
    const resolution = await resolver().resolve(www)
    assert.equal(resolution.kind === 'addresses' && resolution.chain.length, 16)
    assert.equal(asked, 17)
  })

  it('asks from another port with another id each time', async () => {
    server.reply = (asked) => [response(asked, [a(www, '192.0.2.1')])]
    const one = resolver()
    for (let i = 0; i < 20; i++) await one.resolve(www)
    assert.ok(new Set(server.asked.map(({ id }) => id)).size > 10)
    assert.ok(new Set(server.asked.map(({ port }) => port)).size > 10)
  })

  it('tells a name without address from a failure', async () => {
    const outcomes: unknown[] = []
    server.reply = (asked) => [response(asked, [], { flags: NXDOMAIN })]
    outcomes.push(await resolver().resolve(www))
    server.reply = (asked) => [response(asked, [])]
    outcomes.push(await resolver().resolve(www))
    server.reply = (asked) => [
      response(asked, asked.name === www ? [cname(www, 'gone.example')] : [], { flags: NXDOMAIN }),
    ]
    outcomes.push(await resolver().resolve(www))
    server.reply = (asked) => [response(asked, asked.name === www ? [cname(www, 'gone.example')] : [])]
    outcomes.push(await resolver().resolve(www))
    assert.deepEqual(outcomes, Array(4).fill({ kind: 'absent' }))
    server.reply = (asked) => [response(asked, [], { flags: SERVFAIL })]
    const one = resolver()
    assert.deepEqual(await one.resolve(www), { kind: 'failed', reason: 'rcode' })
    assert.equal(one.queries.SERVFAIL, 1)
  })

  it('goes over to TCP when the answer was cut', async () => {
    server.reply = (asked) =>
      asked.over === 'udp'
        ? [response(asked, [a(www, '192.0.2.1')], { flags: TRUNCATED_RESPONSE })]
        : [response(asked, [a(www, '192.0.2.1'), a(www, '192.0.2.2')])]
    const resolution = await resolver().resolve(www)
    assert.deepEqual(resolution.kind === 'addresses' && resolution.addresses, [0xc0000201, 0xc0000202])
    assert.deepEqual(
      server.asked.map(({ over }) => over),
      ['udp', 'tcp'],
    )
  })

  it('passes over what answers another question, and takes the answer that comes after', async () => {
    const forged = [a(www, '198.51.100.66')]
    server.reply = (asked) => [
      response(asked, forged, { id: (asked.id + 1) & 0xffff }),
      response(asked, forged, { questions: [{ type: 'A', class: 'IN', name: 'other.example' }] }),
      response(asked, forged, { questions: [{ type: 'AAAA', class: 'IN', name: www }] }),
      response(asked, forged, { questions: [] }),
      response(asked, forged, { type: 'query' }),
      Buffer.from('nonsense'),
      Buffer.alloc(0),
      response(asked, [a(www, '192.0.2.1')]),
    ]
    const one = resolver()
    const resolution = await one.resolve(www)
    assert.deepEqual(resolution.kind === 'addresses' && resolution.addresses, [0xc0000201])
    assert.equal(one.foreign, 7)
  })

  it('believes nothing but the answer section, walked from the question', async () => {
    server.reply = (asked) => [
      response(asked, [a('other.example', '198.51.100.66'), cname('other.example', 'another.example')], {
        authorities: [a(www, '198.51.100.67')],
        additionals: [a(www, '198.51.100.68')],
      }),
    ]
    assert.deepEqual(await resolver().resolve(www), { kind: 'absent' })
  })

  it('follows a DNAME record, with the alias that a server makes of it or without', async () => {
    const expected = {
      kind: 'addresses',
      addresses: [0xc0000201],
      chain: ['www.b.example.net'],
      ttlSeconds: 30,
    }
    const records = [dname('example.com', 'B.example.net', 30), a('www.b.example.net', '192.0.2.1', 300)]
    server.reply = (asked) => [response(asked, [...records, cname(www, 'www.b.example.net', 30)])]
    assert.deepEqual(await resolver().resolve(www), expected)
    server.reply = (asked) => [response(asked, records)]
    assert.deepEqual(await resolver().resolve(www), expected)
    // It is for what lies below its owner, and a name can become too long by it.
    server.reply = (asked) => [response(asked, [dname(www, 'b.example.net'), dname('ample.com', 'b.example.net')])]
    assert.deepEqual(await resolver().resolve(www), { kind: 'absent' })
    const long = Array(4).fill('x'.repeat(62)).join('.')
    server.reply = (asked) => [response(asked, [dname('com', long)])]
    assert.deepEqual(await resolver().resolve(www), { kind: 'failed', reason: 'chain' })
  })

  it('asks in letters of random case, and takes nothing else for an answer', async () => {
    const name = `${'abcdefgh'.repeat(4)}.example`
    server.reply = (asked) => [
      response(asked, [a(name, '198.51.100.66')], { questions: [{ type: 'A', class: 'IN', name }] }),
      response(asked, [a(name, '192.0.2.1')]),
    ]
    const one = resolver({ attempts: 2 })
    const resolution = await one.resolve(name)
    assert.deepEqual(resolution.kind === 'addresses' && resolution.addresses, [0xc0000201])
    assert.equal(one.foreign, 1)
    await one.resolve(name)
    assert.notEqual(server.asked[0].spelled, server.asked[1].spelled)
  })

  it('asks again in plain letters, for a server that does not keep the case', async () => {
    server.reply = (asked) => [
      response(asked, [a(asked.name, '192.0.2.1')], { questions: [{ type: 'A', class: 'IN', name: asked.name }] }),
    ]
    const one = resolver({ attempts: 2, timeoutMs: 300 })
    assert.equal((await one.resolve('abcdefgh'.repeat(4))).kind, 'addresses')
    assert.deepEqual([one.queries.TIMEOUT, one.queries.NOERROR], [1, 1])
  })

  it('gives up on loops and on chains without end', async () => {
    server.reply = (asked) => [response(asked, [cname(www, 'a.example'), cname('a.example', www)])]
    assert.deepEqual(await resolver().resolve(www), { kind: 'failed', reason: 'chain' })
    server.reply = (asked) => [response(asked, [cname(asked.name, asked.name === www ? 'a.example' : www)])]
    assert.deepEqual(await resolver().resolve(www), { kind: 'failed', reason: 'chain' })
    const long = Array.from({ length: 20 }, (_, i) => cname(i === 0 ? www : `n${i}.example`, `n${i + 1}.example`))
    server.reply = (asked) => [response(asked, [...long, a('n20.example', '192.0.2.1')])]
    assert.deepEqual(await resolver().resolve(www), { kind: 'failed', reason: 'chain' })
    server.reply = (asked) => [response(asked, [cname(asked.name, `x${asked.name}`)])]
    assert.deepEqual(await resolver().resolve(www), { kind: 'failed', reason: 'chain' })
  })

  it('takes an alias of sixteen steps, and no target that is no name', async () => {
    const steps = Array.from({ length: 16 }, (_, i) => cname(i === 0 ? www : `n${i}.example`, `n${i + 1}.example`))
    server.reply = (asked) => [response(asked, [...steps, a('n16.example', '192.0.2.1')])]
    const resolution = await resolver().resolve(www)
    assert.equal(resolution.kind === 'addresses' && resolution.chain.length, 16)
    server.reply = (asked) => [response(asked, [cname(www, 'spaced out.example')])]
    assert.deepEqual(await resolver().resolve(www), { kind: 'failed', reason: 'chain' })
  })

  it('has the texts of a name, be they of another that it is an alias of, told at once or one by one', async () => {
    const [one, two] = ['_challenge.example', 'text.example.net']
    server.reply = (asked) => [response(asked, asked.name === one ? [cname(one, two)] : [txt(two, ['a ', 'b'])])]
    assert.deepEqual(await resolver().texts(one), { kind: 'texts', texts: ['a b'] })
    server.reply = (asked) => [response(asked, [cname(one, two), txt(two, ['c'])])]
    assert.deepEqual(await resolver().texts(one), { kind: 'texts', texts: ['c'] })
    server.reply = (asked) => [response(asked, asked.name === one ? [cname(one, two)] : [])]
    assert.deepEqual(await resolver().texts(one), { kind: 'texts', texts: [] })
    for (const target of [`x${one}`, 'spaced out.example', `${'long.'.repeat(50)}.example`]) {
      server.reply = (asked) => [response(asked, [cname(asked.name, asked.name === one ? target : `x${asked.name}`)])]
      assert.deepEqual(await resolver().texts(one), { kind: 'failed' })
    }
  })

  it('asks again after a time-out, and no more often than told', async () => {
    server.reply = (asked) => (server.asked.length < 3 ? [] : [response(asked, [a(www, '192.0.2.1')])])
    const one = resolver({ timeoutMs: 300, attempts: 3 })
    assert.equal((await one.resolve(www)).kind, 'addresses')
    assert.equal(one.queries.TIMEOUT, 2)
    server.reply = () => []
    const two = resolver({ timeoutMs: 20, attempts: 2 })
    assert.deepEqual(await two.resolve(www), { kind: 'failed', reason: 'timeout' })
    assert.equal(two.queries.TIMEOUT, 2)
  })

  it('asks once only while nothing is ever answered', async () => {
    server.reply = () => []
    const one = resolver({ timeoutMs: 150, attempts: 3 })
    const counts: number[] = []
    for (let i = 0; i < 4; i++) {
      await one.resolve(www)
      counts.push(one.queries.TIMEOUT)
    }
    assert.deepEqual(counts, [3, 6, 7, 8])
    server.reply = (given) => [response(given, [a(www, '192.0.2.1')])]
    await one.resolve(www)
    server.reply = () => []
    await one.resolve(www)
    assert.equal(one.queries.TIMEOUT, 11)
  })

  it('fails where nobody listens, and at once when stopped', async () => {
    const stop = new AbortController()
    server.reply = () => []
    const waiting = resolver({ timeoutMs: 60_000, signal: stop.signal }).resolve(www)
    setTimeout(() => stop.abort(), 20)
    assert.deepEqual(await waiting, { kind: 'failed', reason: 'timeout' })
    // Nobody listens; datagrams may not be sent there.
    for (const address of ['127.0.0.1', '255.255.255.255']) {
      const at = { address, port: 1, family: 4 } as const
      const nobody = new Resolver({
        server: at,
        authorities: null,
        timeoutMs: 60_000,
        attempts: 2,
        signal: stopped.signal,
        onAsk: () => {},
        onDuration: () => {},
      })
      assert.deepEqual(await nobody.resolve(www), { kind: 'failed', reason: 'timeout' })
    }
  })
})

import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { afterEach, beforeEach, describe, it } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { encode } from 'dns-packet'
import { type Asked, a, certificates, DnsServer, response } from '../../../test/helpers/servers/dns-server.ts'
import { Resolver } from './resolver.ts'

const www = 'www.example.com'
const authorities = readFileSync(certificates.authority, 'utf8')

describe('over TLS', () => {
  let server: DnsServer
  let stop: AbortController
  beforeEach(async () => {
    server = await new DnsServer((asked) => [response(asked, [a(asked.name, '192.0.2.1')])], 'tls').start()
    stop = new AbortController()
  })
  afterEach(() => {
    stop.abort()
    server.stop()
  })

  function resolver({
    certificateName = 'resolver.example',
    trusted = authorities as string | null,
    timeoutMs = 5_000,
    attempts = 1,
  } = {}) {
    const at = { address: '127.0.0.1', port: server.port, family: 4, certificateName } as const
    const { signal } = stop
    return new Resolver({
      server: at,
      authorities: trusted,
      timeoutMs,
      attempts,
      signal,
      onAsk: () => {},
      onDuration: () => {},
    })
  }

  it('asks many questions on one connection, and takes the answers in any order', async () => {
    const held: Asked[] = []
    server.reply = (asked) => {
      held.push(asked)
      if (held.length < 100) return []
      return held.toReversed().map((each) => response(each, [a(each.name, `192.0.2.${each.name.slice(1, -8)}`)]))
    }
    const one = resolver()
    const resolutions = await Promise.all(Array.from({ length: 100 }, (_, i) => one.resolve(`n${i}.example`)))
    const last = resolutions.map((resolution) =>
      resolution.kind === 'addresses' ? resolution.addresses[0] & 0xff : null,
    )
    assert.deepEqual(
      last,
      Array.from({ length: 100 }, (_, i) => i),
    )
    assert.equal(new Set(held.map(({ id }) => id)).size, 100)
    assert.deepEqual([server.connections, one.label], [1, `tls://127.0.0.1:${server.port}`])
    assert.ok(server.asked.every(({ over }) => over === 'tls'))
  })

  it('knows the server by its address as well', async () => {
    assert.equal((await resolver({ certificateName: '127.0.0.1' }).resolve(www)).kind, 'addresses')
  })

  for (const [what, change, refusal] of [
    ['another name', { certificateName: 'other.example' }, 'ERR_TLS_CERT_ALTNAME_INVALID'],
    ['an authority that is not trusted', { trusted: null }, 'UNABLE_TO_VERIFY_LEAF_SIGNATURE'],
  ] as const) {
    it(`asks nothing of a server with a certificate of ${what}`, async () => {
      const one = resolver(change)
      assert.deepEqual(await one.resolve(www), { kind: 'failed', reason: 'timeout' })
      assert.equal(one.refusal, refusal)
      assert.equal(server.asked.length, 0)
    })
  }

  it('connects again after the server has ended the connection', async () => {
    const one = resolver({ attempts: 2 })
    await one.resolve(www)
    server.disconnect()
    assert.equal((await one.resolve(www)).kind, 'addresses')
    await delay(50)
    assert.equal((await one.resolve(www)).kind, 'addresses')
    assert.equal(server.connections, 2)
  })

  it('gives up a connection that is silent, and only such a one', async () => {
    const one = resolver({ timeoutMs: 500 })
    server.reply = (asked) => (asked.name === www ? [] : [response(asked, [a(asked.name, '192.0.2.1')])])
    const waiting = one.resolve(www)
    await one.resolve('other.example')
    assert.equal((await waiting).kind, 'failed')
    await one.resolve('other.example')
    assert.equal(server.connections, 1)
    assert.equal((await one.resolve(www)).kind, 'failed')
    assert.equal((await one.resolve('other.example')).kind, 'addresses')
    assert.equal(server.connections, 2)
  })

  it('passes over messages that answer nothing', async () => {
    server.reply = (asked) => [
      Buffer.alloc(0),
      Buffer.from('nonsense'),
      response(asked, [a(www, '198.51.100.66')], { id: (asked.id + 1) & 0xffff }),
      response(asked, [a(www, '198.51.100.66')], { questions: [{ type: 'A', class: 'IN', name: 'other.example' }] }),
      encode(response(asked, [a(www, '192.0.2.1')])),
    ]
    const one = resolver()
    const resolution = await one.resolve(www)
    assert.deepEqual(resolution.kind === 'addresses' && resolution.addresses, [0xc0000201])
    assert.equal(one.foreign, 4)
  })
})

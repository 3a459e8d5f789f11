// The resolver against a real recursive resolver, unbound, that serves its own zone: an alias chain that unbound gives one link at a time,
// round robin, an answer too large for UDP, and names that are not there; in the clear and over TLS.
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { after, before, describe, it } from 'node:test'
import { formatIpv4 } from '../../src/net/ipv4.ts'
import { certificates } from '../helpers/servers/dns-server.ts'
import { skip } from './requirements.ts'
import { resolverAt, Unbound } from './servers/name-servers.ts'

const lines = [
  'local-zone: "zone.example." static',
  'local-data: "www.zone.example. 300 CNAME a.zone.example."',
  'local-data: "a.zone.example. 20 CNAME b.zone.example."',
  'local-data: "b.zone.example. 300 A 192.0.2.1"',
  'local-data: "b.zone.example. 300 A 192.0.2.2"',
  `local-data: "text.zone.example. 300 TXT 'no address'"`,
  ...Array.from({ length: 120 }, (_, i) => `local-data: "many.zone.example. 60 A 192.0.2.${i}"`),
]

describe('unbound', { skip }, () => {
  let unbound: Unbound
  before(async () => {
    unbound = await new Unbound().start({ lines })
  })
  after(() => unbound?.stop())

  const overTls = (certificateName: string) =>
    resolverAt(
      { ...unbound.server, port: unbound.tlsPort, certificateName },
      readFileSync(certificates.authority, 'utf8'),
    )

  for (const [how, open] of [
    ['in the clear', () => resolverAt(unbound.server)],
    ['over TLS', () => overTls('resolver.example')],
  ] as const) {
    describe(how, () => {
      it('follows aliases that come one at a time', async () => {
        const resolution = await open().resolve('www.zone.example')
        assert.ok(resolution.kind === 'addresses')
        assert.deepEqual(resolution.addresses.map(formatIpv4).toSorted(), ['192.0.2.1', '192.0.2.2'])
        assert.deepEqual([resolution.chain, resolution.ttlSeconds], [['a.zone.example', 'b.zone.example'], 20])
      })

      it('takes a large answer whole', async () => {
        const resolution = await open().resolve('many.zone.example')
        assert.equal(resolution.kind === 'addresses' && resolution.addresses.length, 120)
      })

      it('tells what is not there', async () => {
        assert.deepEqual(await open().resolve('text.zone.example'), { kind: 'absent' })
        assert.deepEqual(await open().resolve('none.zone.example'), { kind: 'absent' })
      })
    })
  }

  it('many questions at a time go over one connection', async () => {
    const resolver = overTls('127.0.0.1')
    const resolutions = await Promise.all(Array.from({ length: 200 }, () => resolver.resolve('www.zone.example')))
    assert.ok(resolutions.every(({ kind }) => kind === 'addresses'))
  })

  it('a resolver of another name is not asked', async () => {
    const resolver = overTls('other.example')
    assert.deepEqual(await resolver.resolve('www.zone.example'), { kind: 'failed', reason: 'timeout' })
    assert.equal(resolver.refusal, 'ERR_TLS_CERT_ALTNAME_INVALID')
  })
})

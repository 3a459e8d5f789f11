import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { describe, it, type TestContext } from 'node:test'
import { certificates } from '../../../test/helpers/servers/dns-server.ts'
import { TlsServer } from '../../../test/helpers/servers/tls-server.ts'
import { type CertificateQuestion, readCertificate, readNames } from './certificate.ts'

const loopback = 0x7f000001
const zone = 'example.com'

function ask(port: number, change: Partial<CertificateQuestion> = {}) {
  const signal = new AbortController().signal
  return readCertificate({ address: loopback, port, zone, timeoutMs: 5_000, signal, ...change })
}

async function serve(t: TestContext, certificate: string): Promise<TlsServer> {
  const server = await new TlsServer(certificate).start()
  t.after(() => server.stop())
  return server
}

describe('the names that a certificate shows', () => {
  it('are those at or below the zone that is asked for; nobody has to vouch for it', async (t) => {
    const server = await serve(t, readFileSync(certificates.names, 'utf8'))
    assert.deepEqual(await ask(server.port), {
      names: ['example.com', 'mail.example.com', 'shop.example.com', 'lie.example.com', 'quoted.example.com'],
      // Foreign: www.example.net, notexample.com. Broken: a name in a name, a space, a line break, a leading hyphen, an empty one.
      ...{ foreign: 2, broken: 5, omitted: 0 },
    })
    assert.deepEqual(server.askedFor, [zone])
  })

  it('are bounded in number, each once', () => {
    const text = Array.from({ length: 300 }, (_, i) => `DNS:n${i % 280}.example.com`).join(', ')
    const { names, omitted } = readNames(text, zone)
    assert.deepEqual([names.length, new Set(names).size, omitted], [250, 250, 30])
  })

  it('are none of a text within quotation marks', () => {
    const text =
      'DNS:"x.example.com\\u002c DNS:a.example.com", IP Address:192.0.2.1, URI:"x, DNS:b.example.com", DNS:c.example.com'
    assert.deepEqual(readNames(text, zone), { names: ['c.example.com'], foreign: 0, broken: 1, omitted: 0 })
  })

  it('are none of a server whose certificates are too large', async (t) => {
    const one = readFileSync(certificates.names, 'utf8')
    const server = await serve(t, one.repeat(200))
    assert.equal(await ask(server.port), null)
  })

  it('are none of one that is silent, is not there, or speaks another language, nor after the end of the service', async (t) => {
    const silent = createServer((socket) => socket.on('error', () => {}).resume())
    await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve))
    t.after(() => silent.close())
    const bound = silent.address()
    const port = typeof bound === 'object' && bound !== null ? bound.port : 0
    assert.equal(await ask(port, { timeoutMs: 50 }), null)
    const ended = new AbortController()
    const asked = ask(port, { signal: ended.signal })
    ended.abort()
    assert.equal(await asked, null)
    silent.removeAllListeners('connection').on('connection', (socket) =>
      socket
        .on('error', () => {})
        .resume()
        .end('220 mail.example.com\r\n'),
    )
    assert.equal(await ask(port), null)
    await new Promise((resolve) => silent.close(resolve))
    assert.equal(await ask(port), null)
  })
})

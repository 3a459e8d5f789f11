// The configurations of reverse proxies that docs/operate.md shows, run as they stand there: signing in, the cookie, addresses of clients, the
// stream, what is refused. Only names, ports and certificates are exchanged.
import assert from 'node:assert/strict'
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import type { IncomingMessage } from 'node:http'
import { request } from 'node:https'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { text } from 'node:stream/consumers'
import { after, before, describe, it } from 'node:test'
import { fileURLToPath } from 'node:url'
import { fencedBlocks } from '../helpers/markdown.ts'
import { certificates } from '../helpers/servers/dns-server.ts'
import { floodgauge, type RunningService, startService } from '../helpers/service.ts'
import { until } from '../helpers/until.ts'
import { freePort } from './free-port.ts'
import { findProgram, skip } from './requirements.ts'

const email = 'ann@example.net'
const password = 'correct horse battery'
const name = 'ddos.example.net'
const operate = readFileSync(fileURLToPath(new URL('../../docs/operate.md', import.meta.url)), 'utf8')

/** The only block of the language, or the only one with the text in it. */
function shown(language: string, text = ''): string {
  const found = fencedBlocks(operate).filter((block) => block.language === language && block.text.includes(text))
  assert.equal(found.length, 1, `blocks of ${language}`)
  return found[0].text
}

interface Files {
  folder: string
  /** Where the service listens, the proxy over TLS, and the proxy without. */
  ports: { service: number; secure: number; plain: number }
  certificate: string
  key: string
}

const proxies: { program: string; start: (files: Files) => ChildProcess }[] = [
  {
    program: 'nginx',
    start({ folder, ports, certificate, key }) {
      const site = shown('nginx')
        .replaceAll(/^ {2}listen \[::\].*\n/gm, '')
        .replace('listen 443', `listen 127.0.0.1:${ports.secure}`)
        .replace('listen 80', `listen 127.0.0.1:${ports.plain}`)
        .replace('127.0.0.1:8080', `127.0.0.1:${ports.service}`)
        .replace(/ssl_certificate \S+;/, `ssl_certificate ${certificate};`)
        .replace(/ssl_certificate_key \S+;/, `ssl_certificate_key ${key};`)
      const paths = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map((each) => `${each}_temp_path ${folder}/t;`)
      writeFileSync(
        join(folder, 'nginx.conf'),
        `daemon off; pid ${folder}/pid; error_log stderr; events {} http { access_log off; ${paths.join(' ')}\n${site}}\n`,
      )
      return spawn(findProgram('nginx'), ['-e', 'stderr', '-c', join(folder, 'nginx.conf')], { stdio: 'inherit' })
    },
  },
  {
    program: 'caddy',
    start({ folder, ports, certificate, key }) {
      const site = shown('caddy')
        .replace(`${name} {`, `https://${name}:${ports.secure} {\n\tbind 127.0.0.1\n\ttls ${certificate} ${key}`)
        .replace('127.0.0.1:8080', `127.0.0.1:${ports.service}`)
      const global = `{\n\tadmin off\n\tauto_https disable_redirects\n}\n`
      writeFileSync(join(folder, 'Caddyfile'), global + site.replace(/^#.*\n/, ''))
      return spawn(findProgram('caddy'), ['run', '--config', join(folder, 'Caddyfile'), '--adapter', 'caddyfile'], {
        stdio: ['ignore', 'inherit', 'ignore'],
        env: { ...process.env, HOME: folder },
      })
    },
  },
]

for (const { program, start } of proxies) {
  describe(`behind ${program}`, { skip, timeout: 480_000 }, () => {
    let folder: string
    let service: RunningService
    let proxy: ChildProcess
    let port: number

    before(async () => {
      folder = mkdtempSync(join(tmpdir(), 'floodgauge-proxy-'))
      const ports = { service: await freePort(), secure: await freePort(), plain: await freePort() }
      port = ports.secure
      const config = join(folder, 'floodgauge.yaml')
      writeFileSync(config, shown('yaml', 'trustedProxies'))
      service = await startService(undefined, { args: ['--config', config, '--http', `127.0.0.1:${ports.service}`] })
      await floodgauge('user', 'add', email, '--no-link', '--data', service.dataFolder)
      const files = { folder, ports, certificate: resolve(certificates.certificate), key: resolve(certificates.key) }
      proxy = start(files)
      await until(`${program} answers`, () =>
        ask('/healthz').then(
          ({ status }) => status === 200,
          () => false,
        ),
      )
    })

    after(async () => {
      if (proxy !== undefined && proxy.exitCode === null) {
        const ended = once(proxy, 'exit')
        proxy.kill('SIGTERM')
        await ended
      }
      await service?.stop()
      rmSync(folder, { recursive: true })
    })

    interface Asked {
      method?: string
      headers?: Record<string, string>
      body?: object
    }

    function open(path: string, { method = 'GET', headers = {}, body }: Asked = {}): Promise<IncomingMessage> {
      const host = `${name}:${port}`
      return new Promise((done, fail) => {
        const sent = request(
          {
            ...{ host: '127.0.0.1', port, path, method, servername: name, rejectUnauthorized: false, agent: false },
            headers: { host, ...(body === undefined ? {} : { 'content-type': 'application/json' }), ...headers },
          },
          done,
        )
        sent.on('error', fail).end(body === undefined ? undefined : JSON.stringify(body))
      })
    }

    async function ask(path: string, asked: Asked = {}) {
      const answer = await open(path, asked)
      return { status: answer.statusCode, headers: answer.headers, body: await text(answer) }
    }

    const signIn = async () => {
      const link = JSON.parse(await floodgauge('user', 'link', email, '--json', '--data', service.dataFolder)).link
      const { code } = Object.fromEntries(new URLSearchParams(new URL(link).hash.slice(1)))
      assert.equal(new URL(link).origin, `https://${name}`)
      const headers = { origin: `https://${name}:${port}`, 'sec-fetch-site': 'same-origin' }
      const answer = await ask('/api/v1/session/link', {
        ...{ method: 'POST', headers },
        body: { email, code, password },
      })
      assert.equal(answer.status, 200, answer.body)
      return answer
    }

    it('the session is for HTTPS alone, and known by the address of the client', async () => {
      const answer = await signIn()
      const set = String(answer.headers['set-cookie'])
      assert.match(set, /^__Host-floodgauge=[0-9a-f]{64}; Path=\/; .*; Secure$/)
      assert.equal(answer.headers['strict-transport-security'], 'max-age=31536000')
      const cookie = set.split(';')[0]
      const { session, csrfToken } = JSON.parse(answer.body)
      assert.equal(session.address, '127.0.0.1')
      const added = await ask('/open/site/add', {
        method: 'POST',
        headers: { cookie, 'x-csrf-token': csrfToken, 'sec-fetch-site': 'same-origin' },
        body: { hosts: ['192.0.2.10'] },
      })
      assert.equal(added.status, 200, added.body)
      assert.doesNotMatch(service.said(), /trustedProxies/)
    })

    it('a client can not choose its address, nor read the metrics', async () => {
      const forged = { 'x-forwarded-for': '203.0.113.7' }
      const link = await ask('/api/v1/session', {
        method: 'POST',
        headers: forged,
        body: { email, password },
      })
      assert.equal(JSON.parse(link.body).session.address, '127.0.0.1')
      assert.equal((await ask('/metrics')).status, 403)
      assert.equal((await fetch(`${service.url}/metrics`)).status, 200)
    })

    it('what changes is told at once', async () => {
      const cookie = String((await signIn()).headers['set-cookie']).split(';')[0]
      const stream = await open('/api/v1/stream', { headers: { cookie } })
      const [first] = await once(stream.setEncoding('utf8'), 'data')
      assert.match(first, /^retry: /)
      stream.destroy()
    })
  })
}

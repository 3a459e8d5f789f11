// Keycloak on loopback, with a realm `ops` of its own in memory. It is reached by a door, so that it can be away without having to start again.
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { connect, createServer, type Socket } from 'node:net'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'

/** On a machine that does much else. */
const readyMs = 240_000
const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const
const admin = { name: 'admin', password: 'a password of the test' }

export const person = { name: 'ann', password: 'another password', email: 'ann@example.net' }
export const client = { id: 'floodgauge', secret: 'a secret of the test' }

/** One port that leads to another while it is open. */
class Door {
  readonly #port: number
  readonly #sockets = new Set<Socket>()
  readonly #server

  constructor(port: number, insidePort: number) {
    this.#port = port
    this.#server = createServer((outside) => {
      const inside = connect(insidePort, '127.0.0.1')
      for (const [from, to] of [
        [outside, inside],
        [inside, outside],
      ]) {
        this.#sockets.add(from)
        from.pipe(to)
        from.on('error', () => to.destroy())
        from.on('close', () => this.#sockets.delete(from))
      }
    })
  }

  async open(): Promise<void> {
    this.#server.listen(this.#port, '127.0.0.1')
    await once(this.#server, 'listening')
  }

  async close(): Promise<void> {
    if (!this.#server.listening) return
    this.#server.close()
    for (const socket of this.#sockets) socket.destroy()
    await once(this.#server, 'close')
  }
}

export class Keycloak {
  readonly #home: string
  readonly #port: number
  /** Where it listens itself. */
  readonly #insidePort: number
  readonly #door: Door
  readonly #publicUrl: string
  #child: ChildProcess | null = null
  #said = ''
  #rotations = 0
  readonly #end = () => this.#kill('SIGKILL')
  /** A signal would end this process without what it does at its exit. */
  readonly #exit = () => process.exit(1)

  /** `home`: the folder of its distribution, built for a store in memory. `publicUrl`: where browsers are sent back to. */
  constructor(home: string, { port, insidePort }: { port: number; insidePort: number }, publicUrl: string) {
    this.#home = home
    this.#port = port
    this.#insidePort = insidePort
    this.#door = new Door(port, insidePort)
    this.#publicUrl = publicUrl
  }

  get #inside(): string {
    return `http://127.0.0.1:${this.#insidePort}`
  }

  get issuer(): string {
    return `http://127.0.0.1:${this.#port}/realms/ops`
  }

  async start(): Promise<this> {
    const listen = ['--http-enabled=true', '--http-host=127.0.0.1', `--http-port=${this.#insidePort}`]
    const options = ['start', '--optimized', '--cache=local', '--hostname-strict=false', ...listen]
    const child = spawn(join(this.#home, 'bin/kc.sh'), options, {
      // The script starts Java, which is to end with it.
      detached: true,
      stdio: ['ignore', 'pipe', 'pipe'],
      env: {
        ...process.env,
        KC_BOOTSTRAP_ADMIN_USERNAME: admin.name,
        KC_BOOTSTRAP_ADMIN_PASSWORD: admin.password,
        // It begins sooner without the last of the compilers.
        JAVA_OPTS_APPEND: '-XX:TieredStopAtLevel=1',
      },
    })
    for (const stream of [child.stdout, child.stderr])
      stream.on('data', (chunk: Buffer) => {
        this.#said = `${this.#said}${chunk}`.slice(-4_000)
      })
    this.#child = child
    process.once('exit', this.#end)
    for (const signal of signals) process.once(signal, this.#exit)
    for (const endMs = Date.now() + readyMs; !(await this.#isReady()); await delay(200))
      if (Date.now() > endMs || child.exitCode !== null) throw new Error(`Keycloak did not start: ${this.#said}`)
    await this.#administer('POST', '', realm(this.#publicUrl))
    await this.#door.open()
    return this
  }

  /** Nobody reaches it until it is back. */
  async away(): Promise<void> {
    await this.#door.close()
  }

  async back(): Promise<void> {
    await this.#door.open()
  }

  async stop(): Promise<void> {
    await this.#door.close()
    const child = this.#child
    if (child === null) return
    this.#child = null
    process.off('exit', this.#end)
    for (const signal of signals) process.off(signal, this.#exit)
    if (child.exitCode !== null || child.signalCode !== null) return
    const ended = once(child, 'exit')
    killGroup(child, 'SIGKILL')
    await ended
  }

  /** From the next token on it signs with a new key. */
  async rotateKeys(): Promise<void> {
    this.#rotations++
    await this.#administer('POST', '/ops/components', {
      name: `newer ${this.#rotations}`,
      parentId: 'ops',
      providerId: 'rsa-generated',
      providerType: 'org.keycloak.keys.KeyProvider',
      config: { priority: [`${1_000 + this.#rotations}`], enabled: ['true'], active: ['true'], algorithm: ['RS256'] },
    })
  }

  /** The person is in them no more, until it is undone. */
  async leaveGroups(): Promise<{ undo: () => Promise<void> }> {
    const groups: { id: string }[] = await this.#administer('GET', `/ops/users/${userId}/groups`)
    const each = async (method: string) => {
      for (const { id } of groups) await this.#administer(method, `/ops/users/${userId}/groups/${id}`)
    }
    await each('DELETE')
    return { undo: () => each('PUT') }
  }

  /** What a person does in the browser: opens the page, types name and password. Gives the query that it comes back with. */
  async signIn(location: string): Promise<string> {
    const page = await fetch(location, { redirect: 'manual' })
    const action = /<form[^>]*id="kc-form-login"[^>]*action="([^"]+)"/.exec(await page.text())?.[1]
    if (action === undefined) throw new Error(`Keycloak shows no form: ${page.status}`)
    const cookie = page.headers.getSetCookie().map((each) => each.split(';')[0])
    const answer = await fetch(action.replaceAll('&amp;', '&'), {
      method: 'POST',
      redirect: 'manual',
      headers: { cookie: cookie.join('; ') },
      body: new URLSearchParams({ username: person.name, password: person.password }),
    })
    const back = new URL(answer.headers.get('location') ?? 'about:blank')
    if (`${back.origin}${back.pathname}` !== `${this.#publicUrl}/sign-on`)
      throw new Error(`Keycloak does not send the browser back: ${answer.status} ${back.href}`)
    return back.search.slice(1)
  }

  #kill(signal: NodeJS.Signals): void {
    if (this.#child !== null) killGroup(this.#child, signal)
  }

  async #isReady(): Promise<boolean> {
    return fetch(`${this.#inside}/realms/master`).then(
      ({ ok }) => ok,
      () => false,
    )
  }

  async #administer(method: string, path: string, body?: object) {
    const signedIn = await fetch(`${this.#inside}/realms/master/protocol/openid-connect/token`, {
      method: 'POST',
      body: new URLSearchParams({
        grant_type: 'password',
        client_id: 'admin-cli',
        username: admin.name,
        password: admin.password,
      }),
    })
    const { access_token: token } = JSON.parse(await signedIn.text())
    const answer = await fetch(`${this.#inside}/admin/realms${path}`, {
      method,
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
    const text = await answer.text()
    if (!answer.ok) throw new Error(`Keycloak: ${method} ${path}: ${answer.status} ${text}`)
    return text === '' ? null : JSON.parse(text)
  }
}

function killGroup({ pid }: ChildProcess, signal: NodeJS.Signals): void {
  if (pid === undefined) return
  try {
    process.kill(-pid, signal)
  } catch {
    // It has ended.
  }
}

const userId = '11111111-1111-4111-8111-111111111111'

/** As the page for operators says that it is to be set up. */
function realm(publicUrl: string): object {
  return {
    id: 'ops',
    realm: 'ops',
    enabled: true,
    groups: [{ name: 'network-admins' }],
    clients: [
      {
        clientId: client.id,
        secret: client.secret,
        redirectUris: [`${publicUrl}/sign-on`],
        attributes: {
          'pkce.code.challenge.method': 'S256',
          'post.logout.redirect.uris': `${publicUrl}/sign-in`,
        },
        protocolMappers: [
          {
            name: 'groups',
            protocol: 'openid-connect',
            protocolMapper: 'oidc-group-membership-mapper',
            config: { 'claim.name': 'groups', 'full.path': 'false', 'id.token.claim': 'true' },
          },
        ],
      },
    ],
    users: [
      {
        id: userId,
        username: person.name,
        email: person.email,
        emailVerified: true,
        firstName: 'Ann',
        lastName: 'Example',
        enabled: true,
        groups: ['/network-admins'],
        credentials: [{ type: 'password', value: person.password }],
      },
    ],
  }
}

// The first user: a one-time link, printed when the service starts and no admin can sign in, leads to a form that makes that admin and shows a
// token. A user who was made by the command line and has no password is taken on by it, so that nobody is locked out.
import { randomBytes, timingSafeEqual } from 'node:crypto'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { scopes } from '../../access/roles.ts'
import type { Clock } from '../../clock.ts'
import { headerNames } from '../../contract/header-names.ts'
import { AppError } from '../../errors.ts'
import { mayAdminister } from '../../store/accounts.ts'
import { isEmail } from '../../store/email.ts'
import { passwordFault } from '../../store/password.ts'
import type { Store, User } from '../../store/store.ts'
import { hashTokenSecret, newTokenSecret } from '../../store/token-secret.ts'
import type { Auditor } from '../audit/auditor.ts'
import { type Console, sendConsolePage } from '../pages/console.ts'
import { type Html, html, sendPage } from '../pages/html.ts'
import type { HttpSettings } from '../settings.ts'
import { digest } from './sessions.ts'

export interface SetupOptions {
  store: Pick<Store, 'listUsers' | 'addUser' | 'userByEmail' | 'updateUser' | 'setPassword' | 'addToken'>
  clock: Clock
  settings: Pick<HttpSettings, 'setupMinutes' | 'vendor' | 'publicUrl'>
  /** How many sites the first user may have. */
  siteQuota: number
}

/** Why the form is not to be had, or that it is. */
export type SetupState = 'open' | 'done' | 'expired'

export class Setup {
  readonly #options: SetupOptions
  readonly #code = randomBytes(24).toString('base64url')
  readonly #endMs: number
  #isUsed = false

  constructor(options: SetupOptions) {
    this.#options = options
    this.#endMs = options.clock.now() + options.settings.setupMinutes * 60_000
  }

  /** The path of the one-time link; null when an admin can sign in already. */
  async path(): Promise<string | null> {
    return (await this.state()) === 'open' ? `/setup?code=${this.#code}` : null
  }

  async state(): Promise<SetupState> {
    if (this.#isUsed || (await this.#options.store.listUsers()).some(mayAdminister)) return 'done'
    return this.#options.clock.now() < this.#endMs ? 'open' : 'expired'
  }

  isCode(given: string): boolean {
    return timingSafeEqual(digest(given), digest(this.#code))
  }

  /**
   * The user, an admin, and the secret of a token of theirs; null when someone else was first. A user of that e-mail is made an admin and given
   * the password. Without `passwordHash` they cannot sign in, and the link of the next start is good again.
   */
  async createUser(email: string, passwordHash?: string): Promise<{ user: User; secret: string } | null> {
    const { store } = this.#options
    if ((await this.state()) !== 'open' || this.#isUsed) return null
    this.#isUsed = true
    try {
      const known = await store.userByEmail(email)
      const user = known === null ? await this.#addUser(email, passwordHash) : await this.#takeOn(known, passwordHash)
      const secret = newTokenSecret()
      await store.addToken(
        { userId: user.id, name: 'first', scopes: [...scopes], expiresMs: null },
        hashTokenSecret(secret),
      )
      return { user, secret }
    } catch (error) {
      this.#isUsed = false
      // Another process was first.
      if (error instanceof AppError && error.code === 'CONFLICT') return null
      throw error
    }
  }

  #addUser(email: string, passwordHash: string | undefined): Promise<User> {
    const { store, siteQuota } = this.#options
    const given = { email, siteQuota, allowed: null, role: 'admin' as const }
    return store.addUser(passwordHash === undefined ? given : { ...given, passwordHash })
  }

  /** Limits of theirs stay as they are. */
  async #takeOn(user: User, passwordHash: string | undefined): Promise<User> {
    const { store } = this.#options
    if (passwordHash !== undefined) await store.setPassword(user.id, passwordHash)
    await store.updateUser(user.id, { role: 'admin' })
    return { ...user, role: 'admin', hasPassword: user.hasPassword || passwordHash !== undefined }
  }
}

export interface SetupPageOptions {
  setup: Setup
  settings: SetupOptions['settings']
  /** See `SignIn.hash`. */
  hash: (password: string) => Promise<string>
  /** Shown in place of the form, which stays for scripts to send. */
  webConsole: Console | null
  auditor: Pick<Auditor, 'deedOf' | 'change' | 'noteAnswer'>
}

export function registerSetup(server: FastifyInstance, options: SetupPageOptions): void {
  const { setup, settings, hash, webConsole, auditor } = options
  const noteAnswer = async (request: FastifyRequest, { statusCode: status }: FastifyReply) =>
    auditor.noteAnswer('setUp', request, { caller: null, status })

  server.register(async (scope) => {
    scope.get<{ Querystring: Record<string, unknown> }>('/setup', async (request, reply) => {
      if (webConsole !== null) return sendConsolePage(reply, webConsole.page)
      const state = await setup.state()
      if (state !== 'open') return sendClosed(reply, state)
      const { code } = request.query
      return sendForm(reply, { code: typeof code === 'string' ? code : '', email: '', wrong: '' })
    })

    scope.post<{ Body: unknown }>('/setup', { onResponse: noteAnswer }, async (request, reply) => {
      const form = request.body instanceof URLSearchParams ? request.body : new URLSearchParams()
      const code = form.get('code') ?? ''
      const email = form.get('email')?.trim() ?? ''
      const state = await setup.state()
      if (state !== 'open') return sendClosed(reply, state)
      if (!setup.isCode(code)) {
        return sendForm(reply.code(403), { code: '', email, wrong: 'This is not the code that the service printed.' })
      }
      if (!isEmail(email)) return sendForm(reply.code(400), { code, email, wrong: 'This is no e-mail address.' })
      // Programs may leave it out, and have a user with tokens alone.
      const password = form.get('password') ?? ''
      const fault = password === '' ? null : passwordFault(password, email)
      if (fault !== null) return sendForm(reply.code(400), { code, email, wrong: fault.text })
      const passwordHash = password === '' ? undefined : await hash(password)
      const deed = auditor.deedOf('setUp', request, null)
      deed.tell({ object: email })
      const made = await auditor.change(deed, async () => {
        const first = await setup.createUser(email, passwordHash)
        if (first === null) deed.withdraw()
        return first
      })
      if (made === null) return sendClosed(reply, 'done')
      const { secret } = made
      const base = settings.publicUrl || `${request.protocol}://${plainHost(request.headers.host)}`
      return sendPage(reply, { title: 'Ready', body: tokenPage({ email, secret, base, vendor: settings.vendor }) })
    })
  })
}

/** The host for a line that the user may paste into a shell. */
function plainHost(host: string | undefined): string {
  return host !== undefined && /^[\w.:[\]-]{1,260}$/.test(host) ? host : '127.0.0.1:8080'
}

function sendForm(reply: FastifyReply, { code, email, wrong }: { code: string; email: string; wrong: string }) {
  const body = html`<h1>Set up Floodgauge</h1>
<p>Make the first user. The service printed the code when it started; it is good once.</p>
${wrong === '' ? '' : html`<p class="wrong" role="alert">${wrong}</p>`}
<form method="post" action="setup" autocomplete="off">
<label>E-mail <input name="email" type="email" required maxlength="254" value="${email}"></label>
<label>Password <input name="password" type="password" required minlength="10" maxlength="200"></label>
<label>Code <input name="code" required maxlength="64" value="${code}"></label>
<button>Make user and token</button>
</form>`
  return sendPage(reply, { title: 'Set up Floodgauge', body })
}

function sendClosed(reply: FastifyReply, state: SetupState): FastifyReply {
  const body =
    state === 'expired'
      ? html`<h1>The link has expired</h1><p>Start the service again for another one, or use <code>floodgauge user add</code>, which prints a link too.</p>`
      : html`<h1>Floodgauge is set up</h1><p>More users are made with <code>floodgauge user add</code> and <code>floodgauge token create</code>.</p>`
  return sendPage(reply.code(state === 'expired' ? 410 : 404), { title: 'Floodgauge', body })
}

function tokenPage({ email, secret, base, vendor }: Record<'email' | 'secret' | 'base' | 'vendor', string>): Html {
  const names = headerNames(vendor)
  const headers = `-H ${quoted(`${names.token}: ${secret}`)} -H ${quoted(`${names.email}: ${email}`)}`
  return html`<h1>Ready</h1>
<p>The token of ${email}. It is shown this once: keep it.</p>
<pre>${secret}</pre>
<h2>Add a site</h2>
<pre>curl ${headers} -H 'Content-Type: application/json' -d '{"hosts":["192.0.2.1"]}' ${quoted(`${base}/open/site/add`)}</pre>
<h2>See the sites</h2>
<pre>curl ${headers} ${quoted(`${base}/open/site`)}</pre>
<p><a href="docs">The interface</a></p>`
}

/** For a POSIX shell. */
function quoted(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`
}

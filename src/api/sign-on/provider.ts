// The provider of single sign-on (OpenID Connect): discovered when somebody first wants to sign in, and asked with a bound on time, room and number.
import {
  allowInsecureRequests,
  authorizationCodeGrant,
  buildAuthorizationUrl,
  buildEndSessionUrl,
  type ClientAuth,
  ClientSecretBasic,
  ClientSecretPost,
  type Configuration,
  calculatePKCECodeChallenge,
  clockTolerance,
  customFetch,
  discovery,
  enableNonRepudiationChecks,
  fetchUserInfo,
  None,
} from 'openid-client'
import type { Clock } from '../../clock.ts'
import { type Logger, LogThrottle } from '../../log.ts'
import { ProblemError, refusal } from '../http/problem.ts'
import { type Claims, isComplete } from './claims.ts'
import { providerFetch } from './provider-fetch.ts'
import type { OidcSettings } from './settings.ts'
import type { Ticket } from './ticket.ts'

/** How long what the provider has said of itself is used, and how long a failure to ask it. */
const freshMs = 3_600_000
const failedMs = 3_000
/** By so much the provider's clock and this one may differ. */
const toleranceSeconds = 60
const atOnceMax = 16

export interface ProviderOptions {
  settings: OidcSettings
  /** The address of the service, where browsers come back to. */
  publicUrl: string
  clock: Clock
  log: Logger
}

export interface Person {
  issuer: string
  subject: string
  claims: Claims
}

export class Provider {
  readonly #options: ProviderOptions
  readonly #base: string
  readonly #throttle = new LogThrottle()
  #found: { atMs: number; configuration: Promise<Configuration> } | null = null
  #failedMs = Number.NEGATIVE_INFINITY
  #running = 0
  readonly counters = { succeeded: 0, refused: 0, unavailable: 0, busy: 0 }

  constructor(options: ProviderOptions) {
    this.#options = options
    this.#base = options.publicUrl.replace(/\/+$/, '')
  }

  get label(): string {
    return this.#options.settings.label
  }

  get redirectUri(): string {
    return `${this.#base}/sign-on`
  }

  /** Where the browser goes to sign in. Throws a ProblemError PROVIDER_UNAVAILABLE. */
  async begin({ state, nonce, verifier }: Ticket): Promise<string> {
    const configuration = await this.#configuration()
    const url = buildAuthorizationUrl(configuration, {
      redirect_uri: this.redirectUri,
      scope: this.#options.settings.scopes.join(' '),
      state,
      nonce,
      code_challenge: await calculatePKCECodeChallenge(verifier),
      code_challenge_method: 'S256',
    })
    return url.href
  }

  /** Who comes back, by the query of the address. Throws a ProblemError: FORBIDDEN, PROVIDER_UNAVAILABLE, TOO_MANY_REQUESTS. */
  async finish(query: URLSearchParams, { state, nonce, verifier }: Ticket): Promise<Person> {
    if (this.#running >= atOnceMax) {
      this.counters.busy++
      throw new ProblemError('TOO_MANY_REQUESTS', 'Too many sign in at this moment', [], 1)
    }
    this.#running++
    try {
      const configuration = await this.#configuration()
      const back = new URL(this.redirectUri)
      back.search = query.toString()
      const checks = { pkceCodeVerifier: verifier, expectedState: state, expectedNonce: nonce, idTokenExpected: true }
      const tokens = await authorizationCodeGrant(configuration, back, checks)
      const told = tokens.claims()
      if (told === undefined) throw new Error('the provider gave no ID token')
      const more = isComplete(told, this.#options.settings) || !configuration.serverMetadata().userinfo_endpoint
      const asked = more ? {} : await fetchUserInfo(configuration, tokens.access_token, told.sub)
      this.counters.succeeded++
      return { issuer: told.iss, subject: told.sub, claims: { ...asked, ...told } }
    } catch (error) {
      throw this.#failure(error)
    } finally {
      this.#running--
    }
  }

  /** Where the browser goes to sign out of the provider as well; null: the provider has no such place, or cannot be asked. */
  async end(): Promise<string | null> {
    try {
      const configuration = await this.#configuration()
      if (configuration.serverMetadata().end_session_endpoint === undefined) return null
      return buildEndSessionUrl(configuration, { post_logout_redirect_uri: `${this.#base}/sign-in` }).href
    } catch {
      return null
    }
  }

  async #configuration(): Promise<Configuration> {
    const nowMs = this.#options.clock.now()
    if (nowMs - this.#failedMs >= 0 && nowMs - this.#failedMs < failedMs) throw unavailable()
    if (this.#found === null || nowMs < this.#found.atMs || nowMs - this.#found.atMs >= freshMs)
      this.#found = { atMs: nowMs, configuration: this.#discover() }
    try {
      return await this.#found.configuration
    } catch (error) {
      this.#found = null
      this.#failedMs = this.#options.clock.now()
      throw this.#failure(error)
    }
  }

  #discover(): Promise<Configuration> {
    const { issuer, clientId, clientSecret, hosts, timeoutSeconds } = this.#options.settings
    const server = new URL(issuer)
    const origins = new Set([server.origin, ...hosts.map((host) => new URL(host).origin)])
    const metadata = {
      ...(clientSecret === '' ? {} : { client_secret: clientSecret }),
      [clockTolerance]: toleranceSeconds,
    }
    // The configuration has been checked: without TLS on this machine alone.
    const isPlain = server.protocol === 'http:'
    return discovery(server, clientId, metadata, clientAuth(clientSecret), {
      [customFetch]: providerFetch(origins),
      timeout: timeoutSeconds,
      execute: [enableNonRepudiationChecks, ...(isPlain ? [allowInsecureRequests] : [])],
    })
  }

  /** What the provider refuses, or a forged answer fails at, is the browser's to hear; what keeps the provider from answering is the operator's too. */
  #failure(error: unknown): ProblemError {
    if (error instanceof ProblemError) return error
    const code = codeOf(error)
    // Its keys are new, and the library keeps those before for a minute: whoever tries again is not to wait for that.
    if (code === 'OAUTH_KEY_SELECTION_FAILED') this.#found = null
    const isRefused = isAnswer(error)
    if (isRefused) this.counters.refused++
    else this.counters.unavailable++
    const heldBack = this.#throttle.pass(code, this.#options.clock.now())
    const facts = { reason: reasonOf(error), heldBack }
    if (heldBack !== null && isRefused) this.#options.log.info(facts, 'the provider of single sign-on let nobody in')
    else if (heldBack !== null)
      this.#options.log.warn(facts, 'the provider of single sign-on does not answer as it should')
    if (!isRefused) return unavailable()
    return refusal('sign-on-denied', 'FORBIDDEN', 'The provider did not let you in, or its answer was used before')
  }
}

/** A provider that names its ways takes the secret in the form if it can; one that names none takes it in the header (RFC 8414 section 2). */
function clientAuth(secret: string): ClientAuth {
  if (secret === '') return None()
  const [inForm, inHeader] = [ClientSecretPost(secret), ClientSecretBasic(secret)]
  return (server, ...rest) => {
    const isForm = server.token_endpoint_auth_methods_supported?.includes('client_secret_post') ?? false
    return (isForm ? inForm : inHeader)(server, ...rest)
  }
}

function unavailable(): ProblemError {
  return new ProblemError('PROVIDER_UNAVAILABLE', 'The provider of single sign-on cannot be reached', [], 5)
}

/** Whether the provider has answered, with a refusal (RFC 6749 sections 4.1.2.1 and 5.2), or the answer does not fit the question. */
function isAnswer(error: unknown): boolean {
  const code = codeOf(error)
  return (
    ['OAUTH_AUTHORIZATION_RESPONSE_ERROR', 'OAUTH_JWT_CLAIM_COMPARISON_FAILED', 'OAUTH_INVALID_RESPONSE'].includes(
      code,
    ) ||
    (code === 'OAUTH_RESPONSE_BODY_ERROR' && errorOf(error) === 'invalid_grant')
  )
}

function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : 'unknown'
}

function errorOf(error: unknown): string {
  return error instanceof Error && 'error' in error ? String(error.error) : ''
}

/** With what it is caused by; never a code or a token. */
function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return 'unknown'
  const cause = error.cause instanceof Error ? `: ${error.cause.message}` : ''
  return `${[error.message, errorOf(error)].filter((text) => text !== '').join(' ')}${cause}`.slice(0, 500)
}

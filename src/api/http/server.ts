// The HTTP server: limits, headers and pages around the endpoints of the contract. Inert until it listens.
import { type FastifyError, type FastifyInstance, type FastifyReply, fastify } from 'fastify'
import type { AccessSettings } from '../../access/settings.ts'
import { createIsShared, type IsShared } from '../../access/shared-addresses.ts'
import { challengeOf } from '../../contract/header-names.ts'
import { bodyBytesMax, sitesPerUser } from '../../contract/limits.ts'
import { buildOpenApi } from '../../contract/openapi.ts'
import type { Crowding } from '../../fair-table.ts'
import type { Logger } from '../../log.ts'
import type { Metrics } from '../../metrics.ts'
import { hashingHere, type PasswordHashing } from '../../store/password.ts'
import type { SecretBox } from '../../store/secret-box.ts'
import type { Store } from '../../store/store.ts'
import type { PeriodicTask } from '../../task.ts'
import { Authenticator } from '../accounts/auth.ts'
import { createIdentities, type Identities } from '../accounts/identity.ts'
import { Sessions } from '../accounts/sessions.ts'
import { registerSetup, Setup } from '../accounts/setup.ts'
import { SignIn } from '../accounts/sign-in.ts'
import { Uses } from '../accounts/uses.ts'
import { Auditor, auditorMetrics } from '../audit/auditor.ts'
import { createHandlers, type FeatureParts } from '../features.ts'
import { WindowLimiter } from '../limits/rate-limit.ts'
import { TimeSpent } from '../limits/time-spent.ts'
import type { LiveFeed } from '../live/feed.ts'
import { LiveWatch } from '../live/watch.ts'
import { httpMetrics, RequestCounts } from '../metrics.ts'
import type { Console } from '../pages/console.ts'
import { registerPages } from '../pages/pages.ts'
import { SecondFactorCheck } from '../second-factor/check.ts'
import type { HttpSettings } from '../settings.ts'
import { Provider } from '../sign-on/provider.ts'
import type { SignOnSettings } from '../sign-on/settings.ts'
import { acceptForms, acceptJson, acceptLines } from './body.ts'
import { compilers } from './compilers.ts'
import { Connections, connectionOptions, headBytesMax } from './connections.ts'
import { registerEndpoints } from './endpoints.ts'
import { createFailureHandler } from './failures.ts'
import { warnOfProxies } from './forwarding.ts'
import { Gate } from './gate.ts'
import { registerHealth } from './health.ts'
import { answerMethods, undecodable } from './methods.ts'
import { Once } from './once.ts'
import { isPublicHttps } from './peer.ts'
import { sendProblem } from './problem.ts'
import { createShaping } from './representation.ts'

/** What the server makes itself for the features. */
interface ServerParts {
  sessions: Sessions
  signIn: SignIn
  secondFactors: SecondFactorCheck
  identities: Identities
  provider: Provider | null
  setup: Setup
  isShared: IsShared
  publicUrl: string
  /** Called after a change of the user's sites is committed, before it is answered. */
  onSitesChanged: (userId: string) => void
  siteQuota: number
}

/** What the features need of the rest of the service, and what the server needs of it. */
export interface ServerOptions extends Omit<FeatureParts, keyof ServerParts> {
  store: Store
  settings: HttpSettings
  signOn: SignOnSettings
  secrets: SecretBox
  access: AccessSettings
  log: Logger
  metrics: Metrics
  /** Called after a change of sites is committed, before it is answered. */
  onSitesChanged: () => void
  /** How many sites the first user, made by the one-time link, may have. */
  siteQuota?: number
  /** Who keeps this thread busy; left out: there is nobody else who notes it. */
  timeSpent?: TimeSpent
  /** Who looks at passwords; left out: this thread. */
  passwords?: PasswordHashing
  /** The web console; without it there are plain pages only. */
  webConsole?: Console | null
}

export interface ApiServer {
  server: FastifyInstance
  /** The work that it repeats. */
  tasks: readonly PeriodicTask[]
  /** Its bounded tables that strangers and users fill. */
  tables: Readonly<Record<string, () => Crowding>>
  /** The one-time link that makes the first admin, given where the server listens; null when one can sign in. */
  setupUrl(listening: string): string | null
}

const securityHeaders = {
  'cache-control': 'no-store',
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
  'cross-origin-resource-policy': 'same-origin',
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
}

/** A year (RFC 6797); browsers pass over what comes by HTTP. */
const httpsOnly = { 'strict-transport-security': 'max-age=31536000' }

export async function createServer(options: ServerOptions): Promise<ApiServer> {
  const { store, clock, settings, log, metrics, health, feed, webConsole = null } = options
  const connections = new Connections(settings, clock)
  const server = bareServer(settings, connections)
  const siteQuota = options.siteQuota ?? sitesPerUser.default
  const accounts = createAccountParts({ ...options, siteQuota })
  const { sessions, signIn, secondFactors, setup, uses, sessionUses } = accounts
  const authenticator = new Authenticator({ store, clock, failuresPerMinute: settings.failuresPerMinute })
  const limiter = new WindowLimiter({ limit: settings.ratePerMinute })
  const { vendor, publicUrl, busySecondsPerMinute: secondsPerMinute } = settings
  const { requireSecondFactor } = options.signOn
  const timeSpent = options.timeSpent ?? new TimeSpent({ clock, secondsPerMinute })
  const gate = new Gate({
    ...{ authenticator, sessions, limiter, timeSpent, uses, clock, vendor, publicUrl, requireSecondFactor },
    connections: connections.places,
  })

  const onSitesChanged = (userId: string) => {
    options.onSitesChanged()
    feed.tellSites(userId)
  }
  const lastDatagramMs = () => options.siteWatch.lastDatagramMs()
  const liveWatch = new LiveWatch({ feed, clock, log, health, exporters: options.exporters, lastDatagramMs })

  connections.watch(server)
  // Until it is known whose it is, a request is nobody's.
  server.addHook('onRequest', (_request, _reply, done) => {
    timeSpent.end()
    done()
  })
  secureAnswers(server, publicUrl)
  logRequests(server, log)
  warnOfProxies(server, { settings, log, clock })
  const requests = new RequestCounts()
  requests.watch(server, metrics)
  metrics.register(httpMetrics, {
    ...{ requests, authenticator, limiter, timeSpent, gate, signIn, secondFactors, connections, feed },
    provider: accounts.provider,
    uses: [uses, sessionUses],
  })
  server.setErrorHandler(createFailureHandler({ log, clock, challenge: challengeOf(settings.vendor) }))
  answerMethods(server, webConsole?.page ?? null)
  acceptJson(server)
  acceptForms(server)
  acceptLines(server)
  const isShared = createIsShared(options.access)
  const handlers = createHandlers({ ...options, ...accounts, isShared, onSitesChanged, siteQuota, publicUrl })
  const auditor = new Auditor({ store, clock, log })
  metrics.register(auditorMetrics, auditor)
  registerEndpoints(server, {
    ...{ handlers, gate, once: new Once(store), timeSpent, auditor, shapingOf: createShaping() },
  })
  registerHealth(server, { metrics, health, metricsFor: settings.metrics })
  registerPages(server, { describe: () => buildOpenApi({ vendor, url: publicUrl }), setup, webConsole })
  registerSetup(server, { setup, settings, webConsole, auditor, hash: (password) => signIn.hash(password) })
  followLife(server, { uses: [auditor, uses, sessionUses], liveWatch, feed })
  await server.ready()

  const setupPath = await setup.path()
  return {
    server,
    tasks: [...[auditor, uses, sessionUses, liveWatch].flatMap(({ tasks }) => tasks), feed.task],
    tables: { connections: () => connections.places.crowding(), streams: () => feed.crowding(), ...signIn.tables },
    setupUrl: (listening) => (setupPath === null ? null : (publicUrl || listening).replace(/\/+$/, '') + setupPath),
  }
}

/** Starts and ends with the server what works beside requests. */
function followLife(
  server: FastifyInstance,
  parts: { uses: readonly (Uses | Auditor)[]; liveWatch: LiveWatch; feed: LiveFeed },
) {
  const { uses, liveWatch, feed } = parts
  server.addHook('onReady', async () => {
    for (const each of uses) each.start()
    liveWatch.start()
    await feed.start()
  })
  server.addHook('preClose', async () => {
    await liveWatch.stop()
    await feed.stop()
  })
  server.addHook('onClose', async () => {
    for (const each of uses) await each.stop()
  })
}

function createAccountParts({
  store,
  clock,
  log,
  settings,
  secrets,
  signOn,
  access,
  siteQuota,
  passwords = hashingHere(),
}: Pick<ServerOptions, 'store' | 'clock' | 'log' | 'settings' | 'secrets' | 'signOn' | 'access' | 'passwords'> & {
  siteQuota: number
}) {
  const uses = new Uses({ name: 'tokens', write: (used) => store.touchTokens(used), clock, log })
  const sessionUses = new Uses({ name: 'sessions', write: (used) => store.touchSessions(used), clock, log })
  const sessions = new Sessions({
    store,
    clock,
    uses: sessionUses,
    idleMs: settings.sessionIdleHours * 3_600_000,
    keepMs: settings.sessionDays * 86_400_000,
    providerMs: signOn.oidc.sessionHours * 3_600_000,
  })
  const signIn = new SignIn({ store, clock, passwords })
  const secondFactors = new SecondFactorCheck({ store, secrets, clock })
  const setup = new Setup({ store, clock, settings, siteQuota })
  const identities = createIdentities({ sessions, signIn, settings, signOn, access })
  const { publicUrl } = settings
  const provider = signOn.oidc.issuer === '' ? null : new Provider({ settings: signOn.oidc, publicUrl, clock, log })
  return { uses, sessionUses, sessions, signIn, secondFactors, identities, provider, setup }
}

/** Security headers for every answer; a request without exactly one `Host` is refused. */
function secureAnswers(server: FastifyInstance, publicUrl: string): void {
  const headers = isPublicHttps(publicUrl) ? { ...securityHeaders, ...httpsOnly } : securityHeaders
  server.addHook('onRequest', async (request, reply) => {
    reply.headers(headers)
    // RFC 9112 section 3.2: one, which HTTP/1.0 may leave out.
    const hosts = request.raw.rawHeaders.filter((name, i) => i % 2 === 0 && name.toLowerCase() === 'host').length
    if (hosts === 1 || (hosts === 0 && request.raw.httpVersion === '1.0')) return
    return sendProblem(reply, { code: 'BAD_REQUEST', detail: 'The request must have one Host header' })
  })
}

function bareServer(settings: HttpSettings, connections: Connections): FastifyInstance {
  return fastify({
    ...connectionOptions(settings),
    bodyLimit: bodyBytesMax,
    trustProxy: settings.trustedProxies.length > 0 ? settings.trustedProxies : false,
    routerOptions: { ignoreTrailingSlash: true, maxParamLength: headBytesMax },
    // Text is never taken for a number nor one value for a list, and all of a body is left as it came.
    ajv: { customOptions: { coerceTypes: false, removeAdditional: false, useDefaults: false } },
    schemaController: { compilersFactory: compilers },
    clientErrorHandler: connections.onClientError,
    frameworkErrors: (error, _request, reply) => sendFrameworkError(error, reply),
  })
}

/** Errors that come before any hook: a path that can't be decoded. */
function sendFrameworkError(_error: FastifyError, reply: FastifyReply): FastifyReply {
  reply.headers(securityHeaders)
  return sendProblem(reply, { code: 'BAD_REQUEST', detail: undecodable })
}

/** At debug only, and without what may be secret: query, headers, body. */
function logRequests(server: FastifyInstance, log: Logger): void {
  if (!log.isLevelEnabled('debug')) return
  server.addHook('onResponse', async ({ method, routeOptions, ip }, reply) => {
    const facts = {
      method,
      route: routeOptions.url,
      status: reply.statusCode,
      ms: Math.round(reply.elapsedTime),
      remote: ip,
    }
    log.debug(facts, 'request')
  })
}

// The HTTP server: limits, headers and pages around the endpoints of the contract. Inert until it listens.
import { type FastifyError, type FastifyInstance, type FastifyReply, fastify } from 'fastify'
import type { Clock } from '../clock.ts'
import { challengeOf } from '../contract/header-names.ts'
import { bodyBytesMax } from '../contract/limits.ts'
import { buildOpenApi } from '../contract/openapi.ts'
import type { Logger } from '../log.ts'
import type { Metrics } from '../metrics.ts'
import type { Store } from '../store/store.ts'
import type { AccessSettings } from '../targets/settings.ts'
import { createAccountHandlers } from './accounts.ts'
import { Authenticator } from './auth.ts'
import { acceptJson, acceptLines } from './body.ts'
import { Connections, connectionOptions, headBytesMax } from './connections.ts'
import type { Console } from './console.ts'
import { registerEndpoints } from './endpoints.ts'
import { createEventHandlers } from './events.ts'
import { createExporterHandlers, type Exporters } from './exporters.ts'
import { createFailureHandler } from './failures.ts'
import { warnOfProxies } from './forwarding.ts'
import { Gate } from './gate.ts'
import { type Health, registerHealth } from './health.ts'
import type { LiveFeed } from './live-feed.ts'
import { LiveWatch } from './live-watch.ts'
import { answerMethods, undecodable } from './methods.ts'
import { countRequests } from './metrics.ts'
import { createNameReportHandlers, type NameReportOptions } from './name-report.ts'
import { createNameHandlers, type NameHandlerOptions } from './names.ts'
import { Once } from './once.ts'
import { createOverviewHandlers, type Installation } from './overview.ts'
import { registerPages } from './pages.ts'
import type { Places } from './present-sources.ts'
import { sendProblem } from './problem.ts'
import { createProofHandlers, type Proofs, ThrottledProofs } from './proofs.ts'
import { WindowLimiter } from './rate-limit.ts'
import { shapeAnswers } from './representation.ts'
import { Sessions } from './sessions.ts'
import type { HttpSettings } from './settings.ts'
import { registerSetup, Setup } from './setup.ts'
import { createIsShared } from './shared.ts'
import { SignIn } from './sign-in.ts'
import { createSimulationHandlers, type Simulations } from './simulations.ts'
import { createSiteOverviewHandlers } from './site-overviews.ts'
import { createSiteReportHandlers, type SiteWatch } from './site-report.ts'
import { createSiteHandlers } from './sites.ts'
import { createStreamHandlers } from './stream.ts'
import { createTargetHandlers, type Targets } from './targets.ts'
import { createTrafficHandlers } from './traffic.ts'
import { createUserHandlers } from './users.ts'
import { Uses } from './uses.ts'

export interface ServerOptions {
  store: Store
  clock: Clock
  settings: HttpSettings
  access: AccessSettings
  log: Logger
  metrics: Metrics
  /** Called after a change of sites is committed, before it is answered. */
  onSitesChanged: () => void
  health: () => Health | Promise<Health>
  exporters: Exporters
  targets: Targets
  siteWatch: SiteWatch
  feed: LiveFeed
  installation: Installation
  names: Pick<NameHandlerOptions, 'importNames'> & Pick<NameReportOptions, 'names'>
  proofs: Proofs
  places: Places
  simulations: Simulations
  /** How many sites the first user, made by the one-time link, may have. */
  siteQuota?: number
  /** The web console; without it there are plain pages only. */
  webConsole?: Console | null
}

export interface ApiServer {
  server: FastifyInstance
  /** The one-time link that makes the first admin, given where the server listens; null when one can sign in. */
  setupUrl(listening: string): string | null
}

const siteQuotaDefault = 1_000

const securityHeaders = {
  'cache-control': 'no-store',
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
  'cross-origin-resource-policy': 'same-origin',
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
}

export async function createServer(options: ServerOptions): Promise<ApiServer> {
  const { store, clock, settings, log, metrics, health, feed, webConsole = null } = options
  const connections = new Connections()
  const server = bareServer(settings, connections)
  const authenticator = new Authenticator({ store, clock, failuresPerMinute: settings.failuresPerMinute })
  const limiter = new WindowLimiter({ limit: settings.ratePerMinute })
  const uses = new Uses({ write: (used) => store.touchTokens(used), clock, log })
  const sessionUses = new Uses({ write: (used) => store.touchSessions(used), clock, log })
  const sessions = new Sessions({
    store,
    clock,
    uses: sessionUses,
    idleMs: settings.sessionIdleHours * 3_600_000,
    keepMs: settings.sessionDays * 86_400_000,
  })
  const signIn = new SignIn({ store, clock })
  const { vendor, publicUrl } = settings
  const gate = new Gate({ authenticator, sessions, limiter, uses, clock, vendor, publicUrl })
  const isShared = createIsShared(options.access)
  const setup = new Setup({ store, clock, settings, siteQuota: options.siteQuota ?? siteQuotaDefault })

  const onSitesChanged = (userId: string) => {
    options.onSitesChanged()
    feed.tellSites(userId)
  }
  const lastDatagramMs = () => options.siteWatch.lastDatagramMs()
  const liveWatch = new LiveWatch({ feed, clock, log, health, exporters: options.exporters, lastDatagramMs })

  connections.watch(server, settings)
  server.addHook('onRequest', async (request, reply) => {
    reply.headers(securityHeaders)
    // RFC 9112 section 3.2: one, which HTTP/1.0 may leave out.
    const hosts = request.raw.rawHeaders.filter((name, i) => i % 2 === 0 && name.toLowerCase() === 'host').length
    if (hosts === 1 || (hosts === 0 && request.raw.httpVersion === '1.0')) return
    return sendProblem(reply, { code: 'BAD_REQUEST', detail: 'The request must have one Host header' })
  })
  logRequests(server, log)
  warnOfProxies(server, { settings, log, clock })
  countRequests(server, {
    ...{ metrics, authenticator, limiter, gate, signIn, connections, feed },
    uses: [uses, sessionUses],
  })
  server.setErrorHandler(createFailureHandler({ log, clock, challenge: challengeOf(settings.vendor) }))
  shapeAnswers(server)
  answerMethods(server, webConsole?.page ?? null)
  acceptJson(server)
  acceptLines(server)
  const handlers = {
    ...createSiteHandlers({ store, clock, policy: options.access.policy, onSitesChanged }),
    ...createEventHandlers({
      store,
      clock,
      feed,
      isShared,
      places: options.places,
      linkBase: publicUrl.replace(/\/+$/, ''),
    }),
    ...createExporterHandlers(options.exporters),
    ...createTargetHandlers({ store, targets: options.targets }),
    ...createAccountHandlers({
      ...{ store, clock, sessions, signIn, setup },
      requestsPerMinute: settings.ratePerMinute,
      policy: options.access.policy,
    }),
    ...createUserHandlers({
      ...{ store, clock, sessions, signIn, onSitesChanged },
      siteQuota: options.siteQuota ?? siteQuotaDefault,
    }),
    ...createOverviewHandlers({
      ...{ store, clock, health, exporters: options.exporters, targets: options.targets },
      ...{ watch: options.siteWatch, installation: options.installation },
    }),
    ...createTrafficHandlers({
      ...{ store, clock, watch: options.siteWatch },
      seriesDays: options.installation.retentionDays.series,
    }),
    ...createStreamHandlers(feed),
    ...createSiteOverviewHandlers({ store, clock, feed, watch: options.siteWatch, targets: options.targets }),
    ...createSiteReportHandlers({
      store,
      clock,
      watch: options.siteWatch,
      proofs: new ThrottledProofs(options.proofs, clock),
      isShared,
    }),
    ...createSimulationHandlers({
      ...{ store, watch: options.siteWatch, targets: options.targets, simulations: options.simulations },
    }),
    ...createProofHandlers({ store, proofs: options.proofs }),
    ...createNameHandlers({ store, ...options.names }),
    ...createNameReportHandlers({
      ...{ store, clock, watch: options.siteWatch, proofs: options.proofs },
      names: options.names.names,
    }),
  }
  registerEndpoints(server, { handlers, gate, once: new Once(store) })
  registerHealth(server, { metrics, health, metricsFor: settings.metrics })
  registerPages(server, { openApi: buildOpenApi({ vendor, url: publicUrl }), setup, webConsole })
  registerSetup(server, { setup, settings, webConsole, hash: (password) => signIn.hash(password) })
  server.addHook('onReady', async () => {
    uses.start()
    sessionUses.start()
    liveWatch.start()
  })
  server.addHook('preClose', async () => {
    liveWatch.stop()
    feed.stop()
  })
  server.addHook('onClose', async () => {
    await uses.stop()
    await sessionUses.stop()
  })
  await server.ready()

  const setupPath = await setup.path()
  return {
    server,
    setupUrl: (listening) => (setupPath === null ? null : (publicUrl || listening).replace(/\/+$/, '') + setupPath),
  }
}

function bareServer(settings: HttpSettings, connections: Connections): FastifyInstance {
  return fastify({
    ...connectionOptions(settings),
    bodyLimit: bodyBytesMax,
    trustProxy: settings.trustedProxies.length > 0 ? settings.trustedProxies : false,
    routerOptions: { ignoreTrailingSlash: true, maxParamLength: headBytesMax },
    // Text is never taken for a number nor one value for a list, and all of a body is left as it came.
    ajv: { customOptions: { coerceTypes: false, removeAdditional: false, useDefaults: false } },
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

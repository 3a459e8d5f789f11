// What the HTTP interface counts.
import type { FastifyInstance } from 'fastify'
import { byLabel, type HistogramRow, type Metric, type Metrics } from '../metrics.ts'
import type { Authenticator } from './accounts/auth.ts'
import type { SignIn } from './accounts/sign-in.ts'
import type { Uses } from './accounts/uses.ts'
import type { Connections } from './http/connections.ts'
import type { Gate } from './http/gate.ts'
import type { WindowLimiter } from './limits/rate-limit.ts'
import type { TimeSpent } from './limits/time-spent.ts'
import type { LiveFeed } from './live/feed.ts'
import type { SecondFactorCheck } from './second-factor/check.ts'
import type { Provider } from './sign-on/provider.ts'

/** What the interface is made of, and what each part counts. */
export interface HttpParts {
  requests: RequestCounts
  authenticator: Authenticator
  limiter: WindowLimiter
  timeSpent: TimeSpent
  gate: Gate
  signIn: SignIn
  secondFactors: SecondFactorCheck
  provider: Provider | null
  uses: readonly Uses[]
  connections: Connections
  feed: LiveFeed
}

const requestDuration: HistogramRow = {
  name: 'floodgauge_http_request_duration_seconds',
  help: 'Time from the head of a request to the end of its answer, by route.',
  labels: ['route'],
  buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10],
}

export const httpMetrics: readonly Metric<HttpParts>[] = [
  {
    name: 'floodgauge_http_requests_total',
    help: 'Requests answered, by route and status.',
    labels: ['route', 'code'],
    read: ({ requests }) => requests.list(),
  },
  {
    name: 'floodgauge_http_authentications_total',
    help: 'Authentications, by result: succeeded, failed, refused (too many failures from the address).',
    labels: ['result'],
    read: ({ authenticator: { counters } }) =>
      byLabel('result', { succeeded: counters.succeeded, failed: counters.failed, refused: counters.refused }),
  },
  {
    name: 'floodgauge_http_rate_limited_total',
    help: 'Requests refused because their token had used up its quota.',
    read: ({ limiter }) => limiter.counters.refused,
  },
  {
    name: 'floodgauge_http_rate_windows_evicted_total',
    help: 'Tokens whose count of requests was forgotten early, since the table is bounded.',
    read: ({ limiter }) => limiter.counters.evicted,
  },
  {
    name: 'floodgauge_http_user_seconds_total',
    help: 'Time for which requests of users kept the thread busy that answers everybody.',
    read: ({ timeSpent }) => timeSpent.counters.spentMs / 1_000,
  },
  {
    name: 'floodgauge_http_time_limited_total',
    help: 'Requests refused because those of their user had used up the time that they may take.',
    read: ({ timeSpent }) => timeSpent.counters.refused,
  },
  {
    name: 'floodgauge_http_time_accounts_evicted_total',
    help: 'Users whose time was forgotten early, since the table is bounded.',
    read: ({ timeSpent }) => timeSpent.counters.forgotten,
  },
  {
    name: 'floodgauge_http_token_uses_dropped_total',
    help: 'Uses of tokens and sessions whose time was not recorded.',
    read: ({ uses }) => uses.reduce((sum, { dropped }) => sum + dropped, 0),
  },
  {
    name: 'floodgauge_http_sign_ins_total',
    help: 'Passwords given, by result: succeeded, failed, throttled (the account or the address has to wait), busy (too many at once).',
    labels: ['result'],
    read: ({ signIn }) => byLabel('result', signIn.counters),
  },
  {
    name: 'floodgauge_http_sign_in_failures_evicted_total',
    help: 'Accounts and addresses whose failures to sign in were forgotten early, since the table is bounded.',
    read: ({ signIn, secondFactors }) => signIn.evicted + secondFactors.evicted,
  },
  {
    name: 'floodgauge_http_second_factors_total',
    help: 'Codes of second factors given, by result: succeeded, recovered (a recovery code), failed, throttled (the account has to wait).',
    labels: ['result'],
    read: ({ secondFactors }) => byLabel('result', secondFactors.counters),
  },
  {
    name: 'floodgauge_http_sign_ons_total',
    help: 'Answers of the provider of single sign-on, by result: succeeded, refused (it let nobody in, or the answer was not for that question), unavailable (it could not be reached, or answered as no provider does), busy (too many at once).',
    labels: ['result'],
    read: ({ provider }) =>
      byLabel('result', provider?.counters ?? { succeeded: 0, refused: 0, unavailable: 0, busy: 0 }),
  },
  {
    name: 'floodgauge_http_streams',
    help: 'Streams of changes that are open (`/api/v1/stream`).',
    read: ({ feed }) => feed.listeners,
  },
  {
    name: 'floodgauge_http_streams_refused_total',
    help: 'Streams turned away, by reason: many (of a user, or of an address), gave_way (ended, since there were too many in all, most of them of their user), slow (ended, since their reader did not keep up).',
    labels: ['reason'],
    read: ({ feed: { counters, gaveWay } }) =>
      byLabel('reason', { many: counters.refused, gave_way: gaveWay, slow: counters.dropped }),
  },
  {
    name: 'floodgauge_http_forgeries_refused_total',
    help: 'Changes with the cookie of a session that no page of this service has sent, or that lacked its token.',
    read: ({ gate }) => gate.forgeriesRefused,
  },
  {
    name: 'floodgauge_http_connections_refused_total',
    help: 'Connections ended, by reason: malformed (no HTTP), timed_out (the request took too long), gave_way (their address held most of all), turned_away (too many at once).',
    labels: ['reason'],
    read: ({ connections: { counters, places } }) =>
      byLabel('reason', {
        malformed: counters.malformed,
        timed_out: counters.timedOut,
        gave_way: places.gaveWay,
        turned_away: counters.turnedAway,
      }),
  },
]

export const httpDurations: readonly HistogramRow[] = [requestDuration]

/** The route of a request for a path that does not exist. */
const noRoute = 'none'

/** Requests by route and status: as many as there are routes, times a few. */
export class RequestCounts {
  readonly #counts = new Map<string, { labels: { route: string; code: string }; value: number }>()

  /** Counts and times every answer of the server. */
  watch(server: FastifyInstance, metrics: Metrics): void {
    const durations = metrics.histogram(requestDuration)
    server.addHook('onResponse', (request, reply, done) => {
      const route = request.routeOptions.url ?? noRoute
      this.#count(route, String(reply.statusCode))
      durations.observe({ route }, reply.elapsedTime / 1000)
      done()
    })
  }

  list(): Iterable<{ labels: { route: string; code: string }; value: number }> {
    return this.#counts.values()
  }

  #count(route: string, code: string): void {
    const key = `${route} ${code}`
    const entry = this.#counts.get(key)
    if (entry === undefined) this.#counts.set(key, { labels: { route, code }, value: 1 })
    else entry.value++
  }
}

// What the HTTP interface counts.
import type { FastifyInstance } from 'fastify'
import type { MetricRow, Metrics } from '../metrics.ts'
import type { Authenticator } from './auth.ts'
import type { Connections } from './connections.ts'
import type { Gate } from './gate.ts'
import type { LiveFeed } from './live-feed.ts'
import type { WindowLimiter } from './rate-limit.ts'
import type { SignIn } from './sign-in.ts'
import type { Uses } from './uses.ts'

export const httpMetrics = {
  requests: {
    name: 'floodgauge_http_requests_total',
    help: 'Requests answered, by route and status.',
    labels: ['route', 'code'],
  },
  duration: {
    name: 'floodgauge_http_request_duration_seconds',
    help: 'Time from the head of a request to the end of its answer, by route.',
    labels: ['route'],
  },
  authentications: {
    name: 'floodgauge_http_authentications_total',
    help: 'Authentications, by result: succeeded, failed, refused (too many failures from the address).',
    labels: ['result'],
  },
  limited: {
    name: 'floodgauge_http_rate_limited_total',
    help: 'Requests refused because their token had used up its quota.',
  },
  evicted: {
    name: 'floodgauge_http_rate_windows_evicted_total',
    help: 'Tokens whose count of requests was forgotten early, since the table is bounded.',
  },
  dropped: {
    name: 'floodgauge_http_token_uses_dropped_total',
    help: 'Uses of tokens and sessions whose time was not recorded.',
  },
  signIns: {
    name: 'floodgauge_http_sign_ins_total',
    help: 'Passwords given, by result: succeeded, failed, throttled (the account or the address has to wait), busy (too many at once).',
    labels: ['result'],
  },
  signInsEvicted: {
    name: 'floodgauge_http_sign_in_failures_evicted_total',
    help: 'Accounts and addresses whose failures to sign in were forgotten early, since the table is bounded.',
  },
  streams: { name: 'floodgauge_http_streams', help: 'Streams of changes that are open (`/api/v1/stream`).' },
  streamsRefused: {
    name: 'floodgauge_http_streams_refused_total',
    help: 'Streams turned away, by reason: many (of a user, or in all), slow (ended, since their reader did not keep up).',
    labels: ['reason'],
  },
  forgeries: {
    name: 'floodgauge_http_forgeries_refused_total',
    help: 'Changes with the cookie of a session that no page of this service has sent, or that lacked its token.',
  },
  connections: {
    name: 'floodgauge_http_connections_refused_total',
    help: 'Connections ended, by reason: malformed (no HTTP), timed_out (the request took too long), turned_away (too many).',
    labels: ['reason'],
  },
} as const satisfies Record<string, MetricRow>

const durationBuckets = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10]
/** The route of a request for a path that does not exist. */
const noRoute = 'none'

export interface Counted {
  metrics: Metrics
  authenticator: Authenticator
  limiter: WindowLimiter
  gate: Gate
  signIn: SignIn
  uses: readonly Uses[]
  connections: Connections
  feed: LiveFeed
}

export function countRequests(server: FastifyInstance, counted: Counted): void {
  const { metrics, authenticator, limiter, gate, signIn, uses, connections, feed } = counted
  const requests = new Map<string, { route: string; code: string; count: number }>()
  const durations = metrics.histogram(httpMetrics.duration, durationBuckets)

  server.addHook('onResponse', async (request, reply) => {
    const route = request.routeOptions.url ?? noRoute
    const code = String(reply.statusCode)
    const entry = requests.get(`${route} ${code}`)
    if (entry === undefined) requests.set(`${route} ${code}`, { route, code, count: 1 })
    else entry.count++
    durations.observe({ route }, reply.elapsedTime / 1000)
  })

  metrics.counterFrom(httpMetrics.requests, () =>
    [...requests.values()].map(({ route, code, count }) => ({ labels: { route, code }, value: count })),
  )
  metrics.counterFrom(httpMetrics.authentications, () =>
    (['succeeded', 'failed', 'refused'] as const).map((result) => ({
      labels: { result },
      value: authenticator.counters[result],
    })),
  )
  metrics.counterFrom(httpMetrics.limited, () => [{ labels: {}, value: limiter.counters.refused }])
  metrics.counterFrom(httpMetrics.evicted, () => [{ labels: {}, value: limiter.counters.evicted }])
  metrics.counterFrom(httpMetrics.dropped, () => uses.map(({ dropped }) => ({ labels: {}, value: dropped })))
  metrics.counterFrom(httpMetrics.signIns, () =>
    Object.entries(signIn.counters).map(([result, value]) => ({ labels: { result }, value })),
  )
  metrics.counterFrom(httpMetrics.signInsEvicted, () => [{ labels: {}, value: signIn.evicted }])
  metrics.gaugeFrom(httpMetrics.streams, () => [{ labels: {}, value: feed.listeners }])
  metrics.counterFrom(httpMetrics.streamsRefused, () => [
    { labels: { reason: 'many' }, value: feed.counters.refused },
    { labels: { reason: 'slow' }, value: feed.counters.dropped },
  ])
  metrics.counterFrom(httpMetrics.forgeries, () => [{ labels: {}, value: gate.forgeriesRefused }])
  metrics.counterFrom(httpMetrics.connections, () => {
    const { malformed, timedOut, turnedAway } = connections.counters
    return Object.entries({ malformed, timed_out: timedOut, turned_away: turnedAway }).map(([reason, value]) => ({
      labels: { reason },
      value,
    }))
  })
}

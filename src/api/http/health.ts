// What the service says of its own state: `/healthz` (the process answers), `/readyz` (it can do its work), `/metrics`.
import { hostname } from 'node:os'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { formatTime } from '../../contract/time.ts'
import type { Metrics } from '../../metrics.ts'
import { isLoopback } from '../../net/address-block.ts'
import type { HttpSettings } from '../settings.ts'
import { sendProblem } from './problem.ts'

/** One thing that readiness rests on: whether it is well, and what is known of it. */
export interface Check {
  ok: boolean
  /** Anyone may read it: it names nobody. */
  detail: string
  /** It is no reason not to be ready, and not as it should be either. */
  isWarning?: boolean
}

export interface CheckState extends Check {
  isWarning: boolean
  /** Since when it fails or warns, Unix milliseconds; null: it does neither. */
  sinceMs: number | null
}

export interface Health {
  ready: boolean
  checks: Record<string, CheckState>
}

export interface HealthRoutes {
  metrics: Metrics
  health: () => Health | Promise<Health>
  metricsFor: HttpSettings['metrics']
}

export function registerHealth(server: FastifyInstance, { metrics, health, metricsFor }: HealthRoutes): void {
  server.get('/healthz', (_request, reply) => sendState(reply, 200, { status: 'ok' }))

  server.get('/readyz', async (_request, reply) => {
    const { ready, checks } = await health()
    const said = Object.entries(checks).map(([name, { ok, detail, sinceMs }]) => {
      return [name, { ok, detail, ...(sinceMs !== null && { since: formatTime(sinceMs) }) }]
    })
    return sendState(reply, ready ? 200 : 503, {
      status: ready ? 'ready' : 'not ready',
      checks: Object.fromEntries(said),
    })
  })

  if (metricsFor === 'off') return
  server.get('/metrics', async (request, reply) => {
    const refusal = metricsFor === 'loopback' ? refusalOf(request) : null
    if (refusal !== null) return sendProblem(reply, { code: 'FORBIDDEN', detail: refusal })
    const text = await metrics.text()
    return reply.header('cache-control', 'no-store').type(metrics.registry.contentType).send(text)
  })
}

function sendState(reply: FastifyReply, status: number, state: object): FastifyReply {
  return reply
    .code(status)
    .header('cache-control', 'no-store')
    .type('application/json; charset=utf-8')
    .send(JSON.stringify(state))
}

/** What reverse proxies add to a request that they pass on. */
const proxyHeaders = ['forwarded', 'via', 'x-forwarded-for', 'x-forwarded-host', 'x-forwarded-proto', 'x-real-ip']

/** Why the metrics are not for this caller, where they are for this machine alone; null: they are. */
function refusalOf({ ip, headers }: FastifyRequest): string | null {
  if (!isLoopback(ip)) return 'The metrics are for callers on this machine (http.metrics)'
  if (proxyHeaders.some((name) => headers[name] !== undefined))
    return 'The metrics are for callers on this machine (http.metrics), and a proxy has passed this request on'
  if (!isOwnName(headers.host ?? ''))
    return 'The metrics are asked for by a name of this machine, such as localhost (http.metrics)'
  return null
}

/** A page can have its name lead to this machine, and a browser here ask for what is at that name (DNS rebinding): the name is still the page's. */
function isOwnName(host: string): boolean {
  const name = host
    .toLowerCase()
    .replace(/:\d*$/, '')
    .replace(/^\[(.*)\]$/, '$1')
  return ['', 'localhost', hostname().toLowerCase()].includes(name) || isLoopback(name)
}

// What the service says of its own state: `/healthz` (the process answers), `/readyz` (it can do its work), `/metrics`.
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Metrics } from '../../metrics.ts'
import { isLoopback } from '../../net/address-block.ts'
import type { HttpSettings } from '../settings.ts'
import { sendProblem } from './problem.ts'

/** One thing that readiness rests on: whether it is well, and what is known of it. */
export interface Check {
  ok: boolean
  detail: string
}

export interface Health {
  ready: boolean
  checks: Record<string, Check>
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
    return sendState(reply, ready ? 200 : 503, { status: ready ? 'ready' : 'not ready', checks })
  })

  if (metricsFor === 'off') return
  server.get('/metrics', async (request, reply) => {
    if (metricsFor === 'loopback' && !isDirectFromHere(request)) {
      return sendProblem(reply, {
        code: 'FORBIDDEN',
        detail: 'The metrics are for callers on this machine (http.metrics)',
      })
    }
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

/** False for what a reverse proxy on this machine passes on. */
function isDirectFromHere({ ip, headers }: FastifyRequest): boolean {
  return isLoopback(ip) && headers['x-forwarded-for'] === undefined
}

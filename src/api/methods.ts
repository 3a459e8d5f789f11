// Which methods a path takes: the answer to OPTIONS, and to a request with another method.
import type { FastifyInstance } from 'fastify'
import { sendProblem } from './problem.ts'

interface PathMethods {
  /** Matches the path of a request, with and without a slash at its end. */
  pattern: RegExp
  methods: Set<string>
}

/** Must be called before the first route is registered. */
export function answerMethods(server: FastifyInstance): void {
  const paths = new Map<string, PathMethods>()

  server.addHook('onRoute', ({ url, method }) => {
    const known = paths.get(url) ?? { pattern: patternOf(url), methods: new Set() }
    for (const each of [method].flat()) known.methods.add(each)
    paths.set(url, known)
  })

  // Before a body is looked at: what is in it does not matter here.
  server.addHook('onRequest', async (request, reply) => {
    if (!request.is404) return undefined
    const path = request.url.replace(/[?#].*$/, '')
    const allow = [...paths.values()].find(({ pattern }) => pattern.test(path))
    if (allow === undefined) return sendProblem(reply, { code: 'NOT_FOUND', detail: 'There is nothing at this path' })
    reply.header('allow', [...allow.methods, 'OPTIONS'].sort().join(', '))
    if (request.method === 'OPTIONS') return reply.code(204).send()
    return sendProblem(reply, { code: 'METHOD_NOT_ALLOWED', detail: `This path does not take ${request.method}` })
  })
}

function patternOf(url: string): RegExp {
  const parts = url.split('/').map((part) => (part.startsWith(':') ? '[^/]+' : part.replaceAll(/[^\w-]/g, '\\$&')))
  return new RegExp(`^${parts.join('/').replace(/\/$/, '')}/?$`)
}

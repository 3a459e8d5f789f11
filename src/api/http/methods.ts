// Which methods a path takes: the answer to OPTIONS, and to a request with another method.
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { sendConsolePage } from '../pages/console.ts'
import { ProblemError, sendProblem } from './problem.ts'

/** Said of a path, by the router too. */
export const undecodable = 'The path is not validly percent-encoded'

interface PathMethods {
  /** The parts of the path between slashes, as the route declares them. */
  parts: string[]
  methods: Set<string>
}

/** Must be called before the first route is registered. `page`: for people who go where there is nothing; null: they get what programs get. */
export function answerMethods(server: FastifyInstance, page: Buffer | null): void {
  const paths = new Map<string, PathMethods>()

  server.addHook('onRoute', ({ url, method }) => {
    const known = paths.get(url) ?? { parts: partsOf(url), methods: new Set() }
    for (const each of [method].flat()) known.methods.add(each)
    paths.set(url, known)
  })

  // Before a body is looked at: what is in it does not matter here.
  server.addHook('onRequest', async (request, reply) => {
    if (!request.is404) return undefined
    // A proxy may ask with the whole address (RFC 9112 section 3.2.2).
    const path = request.url.replace(/^https?:\/\/[^/?#]*/i, '').replace(/[?#].*$/, '')
    const given = partsOf(path).map(decoded)
    const allow = [...paths.values()].find(({ parts }) => isMatch(parts, given))
    if (allow === undefined) {
      if (page !== null && isOfPerson(request, given[1])) return sendConsolePage(reply.code(404), page)
      return sendProblem(reply, { code: 'NOT_FOUND', detail: 'There is nothing at this path' })
    }
    reply.header('allow', [...allow.methods, 'OPTIONS'].sort().join(', '))
    if (request.method === 'OPTIONS') return reply.code(204).send()
    return sendProblem(reply, { code: 'METHOD_NOT_ALLOWED', detail: `This path does not take ${request.method}` })
  })
}

/** The same with and without a slash at the end. */
function partsOf(path: string): string[] {
  return path.replace(/(?<=.)\/$/, '').split('/')
}

/** The router refuses what can't be decoded, but not for a method that no route has. */
function decoded(part: string): string {
  try {
    return decodeURIComponent(part)
  } catch {
    throw new ProblemError('BAD_REQUEST', undecodable)
  }
}

function isMatch(declared: readonly string[], given: readonly string[]): boolean {
  return (
    declared.length === given.length &&
    declared.every((part, i) => (part.startsWith(':') ? given[i] !== '' : part === given[i]))
  )
}

/** What is below these is for programs, whoever asks. */
const programs: readonly (string | undefined)[] = ['api', 'open', 'pdns', 'assets']

/** A browser that goes to an address says that it wants a page. */
function isOfPerson({ method, headers }: FastifyRequest, firstPart: string | undefined): boolean {
  return method === 'GET' && /\btext\/html\b/.test(headers.accept ?? '') && !programs.includes(firstPart)
}

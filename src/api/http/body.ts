// Request bodies: JSON in UTF-8, or JSON lines where an endpoint takes them, forms of pages, and nothing else; what several endpoints ask of them.
import { Readable } from 'node:stream'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Route } from '../../contract/route.ts'
import { ProblemError } from './problem.ts'
import { routeOf } from './representation.ts'

/** Octets of a form. */
const formBytesMax = 4 * 1_024

export function acceptJson(server: FastifyInstance): void {
  const utf8 = new TextDecoder('utf-8', { fatal: true })
  server.removeAllContentTypeParsers()
  server.addContentTypeParser('application/json', { parseAs: 'buffer' }, (request, body, done) => {
    const refusal = refusalOf(request, false)
    if (refusal !== null) return done(refusal)
    try {
      // A member `__proto__` becomes an ordinary one here, and nothing copies it anywhere.
      done(null, JSON.parse(utf8.decode(asBuffer(body))))
    } catch {
      done(
        new ProblemError('BAD_REQUEST', 'The body is not JSON', [
          { pointer: '', detail: 'It is not valid JSON in UTF-8' },
        ]),
      )
    }
  })
}

/** Forms of pages: of an endpoint that takes one, and of pages that are no endpoints. */
export function acceptForms(server: FastifyInstance): void {
  const options = { parseAs: 'string', bodyLimit: formBytesMax } as const
  server.addContentTypeParser('application/x-www-form-urlencoded', options, (request, body, done) => {
    const route = routeOf(request)
    if (route !== null && route.takesForm !== true) return done(otherType(route))
    done(null, new URLSearchParams(String(body)))
  })
}

/** The handler reads the lines as they come, and bounds them. */
export function acceptLines(server: FastifyInstance): void {
  server.addContentTypeParser('application/x-ndjson', (request, body, done) => {
    done(refusalOf(request, true), body)
  })
}

/** The body of an endpoint that takes lines. Throws when there is none. */
export function linesOfBody(body: unknown): Readable {
  if (body instanceof Readable) return body
  throw new ProblemError('UNSUPPORTED_MEDIA_TYPE', 'The body must be `application/x-ndjson`')
}

function otherType(route: Route | null): ProblemError {
  const type = route?.takesLines ? 'application/x-ndjson' : 'application/json'
  return new ProblemError('UNSUPPORTED_MEDIA_TYPE', `The body must be \`${type}\``)
}

function refusalOf(request: FastifyRequest, areLines: boolean): ProblemError | null {
  const { headers } = request
  const route = routeOf(request)
  if ((route?.takesLines === true) !== areLines) return otherType(route)
  if ((headers['content-encoding'] ?? 'identity').toLowerCase() === 'identity') return null
  return new ProblemError('UNSUPPORTED_MEDIA_TYPE', 'The body must not be compressed')
}

function asBuffer(body: string | Buffer): Buffer {
  return typeof body === 'string' ? Buffer.from(body) : body
}

/** What a user calls something, which must be more than spaces. */
export function nameOf(given: string): string {
  const name = given.trim()
  if (name !== '') return name
  throw new ProblemError('BAD_REQUEST', 'The body is not valid', [{ pointer: '/name', detail: 'It must not be empty' }])
}

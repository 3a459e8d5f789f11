// Request bodies: JSON in UTF-8, or JSON lines where an endpoint takes them, and nothing else; what several endpoints ask of them.
import { Readable } from 'node:stream'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { endpoints } from '../../contract/endpoints.ts'
import type { Route } from '../../contract/route.ts'
import { ProblemError } from './problem.ts'

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

function refusalOf({ headers, routeOptions }: FastifyRequest, areLines: boolean): ProblemError | null {
  const { endpoint } = routeOptions.config
  const route: Route | null = endpoint === undefined ? null : endpoints[endpoint].route
  const takesLines = route?.takesLines === true
  if (takesLines !== areLines) {
    const type = takesLines ? 'application/x-ndjson' : 'application/json'
    return new ProblemError('UNSUPPORTED_MEDIA_TYPE', `The body must be \`${type}\``)
  }
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

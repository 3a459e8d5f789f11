// Request bodies: JSON in UTF-8 and nothing else.
import type { FastifyInstance } from 'fastify'
import { ProblemError } from './problem.ts'

export function acceptJson(server: FastifyInstance): void {
  const utf8 = new TextDecoder('utf-8', { fatal: true })
  server.removeAllContentTypeParsers()
  server.addContentTypeParser('application/json', { parseAs: 'buffer' }, (request, body, done) => {
    const coding = request.headers['content-encoding'] ?? 'identity'
    if (coding.toLowerCase() !== 'identity') {
      return done(new ProblemError('UNSUPPORTED_MEDIA_TYPE', 'The body must not be compressed'))
    }
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

function asBuffer(body: string | Buffer): Buffer {
  return typeof body === 'string' ? Buffer.from(body) : body
}

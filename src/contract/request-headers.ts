// The header fields that requests may have beside credentials, as parameters of OpenAPI, and which endpoints take them.
import type { Route } from './route.ts'

/** Octets of an idempotency key. The least is what makes it hard to guess. */
export const idempotencyKeyLength = { min: 16, max: 255 } as const
/** How long an answer is kept for whoever asks again. */
export const idempotencyHours = 24

export interface HeaderParameter {
  name: string
  in: 'header'
  required: false
  description: string
  schema: Record<string, unknown>
  example: string
}

export function headerParametersOf(route: Route): HeaderParameter[] {
  return [...(hasEntityTag(route) ? [ifNoneMatch] : []), ...(route.createsOnce ? [idempotencyKey] : [])]
}

/** Answers of `/api/v1` that are read in one piece, by programs. */
export function hasEntityTag({ method, path, givesStream, givesPage }: Route): boolean {
  return method === 'GET' && path.startsWith('/api/v1/') && givesStream === undefined && givesPage === undefined
}

const ifNoneMatch: HeaderParameter = {
  name: 'If-None-Match',
  in: 'header',
  required: false,
  description: 'The `ETag` of an earlier answer. Where nothing has changed the answer is 304, without a body.',
  schema: { type: 'string' },
  example: 'W/"kq8w3ZVn0c7w2yQmJx5h1RzB4dE"',
}

const idempotencyKey: HeaderParameter = {
  name: 'Idempotency-Key',
  in: 'header',
  required: false,
  description: `A text of the client's own for one thing that it wants made, such as a UUID. The same request with the same key is answered again as it was for ${idempotencyHours} hours, and makes nothing a second time.`,
  schema: {
    type: 'string',
    minLength: idempotencyKeyLength.min,
    maxLength: idempotencyKeyLength.max,
    pattern: '^[!-~]+$',
  },
  example: '8e03978e-40d5-43dd-bc93-6894a57f9324',
}

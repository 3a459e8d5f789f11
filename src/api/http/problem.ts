// Error answers: `application/problem+json` (RFC 9457) for every way in which a request can fail.
import type { FastifyReply } from 'fastify'
import type { Problem } from '../../contract/shapes.ts'
import { AppError, type ErrorCode, errorTable, type RefusalReason } from '../../errors.ts'

export type ProblemErrors = NonNullable<Problem['errors']>

export interface ProblemReport {
  code: ErrorCode
  detail: string
  errors?: ProblemErrors
  reason?: RefusalReason | undefined
  /** Seconds after which the request may be worth repeating. */
  retryAfterSeconds?: number | undefined
}

/** A request that can't be answered as asked: thrown by handlers, sent by the error handler. */
export class ProblemError extends AppError {
  readonly errors: ProblemErrors
  readonly retryAfterSeconds: number | undefined

  constructor(
    code: ErrorCode,
    detail: string,
    errors: ProblemErrors = [],
    retryAfterSeconds?: number,
    reason?: RefusalReason,
  ) {
    super(code, detail, reason === undefined ? {} : { reason })
    this.name = 'ProblemError'
    this.errors = errors
    this.retryAfterSeconds = retryAfterSeconds
  }
}

/** A refusal whose reason people are told in their language. */
export function refusal(reason: RefusalReason, code: ErrorCode, detail: string): ProblemError {
  return new ProblemError(code, detail, [], undefined, reason)
}

/** Throws BAD_REQUEST where there are faults, each with its place in the request. */
export function refuseFaults(faults: ProblemErrors): void {
  if (faults.length > 0) throw new ProblemError('BAD_REQUEST', faults[0].detail, faults)
}

/** What was found in place of faults; throws BAD_REQUEST where there are some. */
export function withoutFaults<What extends object>(found: What | ProblemErrors): What {
  if (!Array.isArray(found)) return found
  throw new ProblemError('BAD_REQUEST', found[0]?.detail ?? 'The request is not valid', found)
}

export const problemType = 'application/problem+json'

export function problemBody({ code, detail, reason, errors = [] }: ProblemReport): Problem {
  const { status, title } = errorTable[code]
  return { title, status, detail, ...(reason && { reason }), ...(errors.length === 0 ? {} : { errors }) }
}

/** Sent as text, past the serializer of the route, which knows only the shape of success. */
export function sendProblem(reply: FastifyReply, report: ProblemReport): FastifyReply {
  if (report.retryAfterSeconds !== undefined) reply.header('retry-after', String(report.retryAfterSeconds))
  return reply
    .code(errorTable[report.code].status)
    .header('content-type', problemType)
    .send(JSON.stringify(problemBody(report)))
}

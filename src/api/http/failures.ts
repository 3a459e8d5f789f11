// What becomes of an error that a request ran into: a problem answer, and a line in the log when it is ours.
import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify'
import type { Clock } from '../../clock.ts'
import { AppError, type ErrorCode } from '../../errors.ts'
import { type Logger, LogThrottle } from '../../log.ts'
import { ProblemError, type ProblemErrors, type ProblemReport, sendProblem } from './problem.ts'

/** When the store is down, or detection has no time: seconds after which it may be otherwise. */
const storeRetrySeconds = 5
const detectionRetrySeconds = 1
const readersRetrySeconds = 1

const codeByStatus: Readonly<Record<number, ErrorCode>> = {
  400: 'BAD_REQUEST',
  404: 'NOT_FOUND',
  408: 'REQUEST_TIMEOUT',
  413: 'TOO_LARGE',
  415: 'UNSUPPORTED_MEDIA_TYPE',
}

const details: Readonly<Record<string, string>> = {
  FST_ERR_CTP_INVALID_MEDIA_TYPE: 'The body must be `application/json`',
  FST_ERR_CTP_BODY_TOO_LARGE: 'The body is larger than 1 MiB',
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: 'The body is not as long as Content-Length says',
}

/** What the store refuses for a reason that the caller may know. */
const toldAsTheyAre: ReadonlySet<ErrorCode> = new Set(['CONFLICT', 'FORBIDDEN', 'NOT_FOUND'])

interface FailureOptions {
  log: Logger
  clock: Clock
  /** Value of `WWW-Authenticate`. */
  challenge: string
}

export function createFailureHandler({ log, clock, challenge }: FailureOptions) {
  const throttle = new LogThrottle()

  return (error: FastifyError, request: FastifyRequest, reply: FastifyReply): FastifyReply => {
    const report = reportOf(error)
    if (report.code === 'INTERNAL' || report.code === 'STORE_UNAVAILABLE') {
      const heldBack = throttle.pass(`${report.code} ${error.code ?? error.name}`, clock.now())
      if (heldBack !== null) log.error({ err: error, route: request.routeOptions.url, heldBack }, 'a request failed')
      // The one failure that the interface gives a shape of its own.
      if (request.routeOptions.config.endpoint === 'listSites') return reply.code(200).send({ data: [], status: 0 })
    }
    if (report.code === 'UNAUTHENTICATED') reply.header('www-authenticate', challenge)
    return sendProblem(reply, report)
  }
}

function reportOf(error: FastifyError): ProblemReport {
  if (error instanceof ProblemError) {
    const { code, message: detail, reason, errors, retryAfterSeconds } = error
    return { code, detail, reason, errors, retryAfterSeconds }
  }
  if (error instanceof AppError && error.code === 'STORE_UNAVAILABLE') {
    return { code: error.code, detail: 'The service cannot reach its data', retryAfterSeconds: storeRetrySeconds }
  }
  if (error instanceof AppError && error.code === 'DETECTION_BUSY') {
    return { code: error.code, detail: 'Detection does not answer', retryAfterSeconds: detectionRetrySeconds }
  }
  if (error instanceof AppError && error.code === 'TOO_MANY_REQUESTS') {
    return { code: error.code, detail: 'Too many requests wait for the store', retryAfterSeconds: readersRetrySeconds }
  }
  if (error instanceof AppError && toldAsTheyAre.has(error.code)) {
    const { code, reason } = error
    return { code, reason, detail: `${error.message[0].toUpperCase()}${error.message.slice(1)}` }
  }
  if (error.validation !== undefined) return validationReport(error.validation)
  const code = error instanceof AppError ? undefined : codeByStatus[error.statusCode ?? 500]
  if (code === undefined) return { code: 'INTERNAL', detail: 'The service met an error of its own' }
  return { code, detail: details[error.code] ?? 'The request is not valid' }
}

type Fault = NonNullable<FastifyError['validation']>[number]

function validationReport(faults: readonly Fault[]): ProblemReport {
  return { code: 'BAD_REQUEST', detail: 'The body is not valid', errors: faults.map(bodyError) }
}

function bodyError({ instancePath, keyword, params }: Fault): ProblemErrors[number] {
  if (keyword === 'required') return { pointer: `${instancePath}/${params.missingProperty}`, detail: 'It is missing' }
  if (keyword === 'type') return { pointer: instancePath, detail: `It must be ${withArticle(String(params.type))}` }
  if (keyword === 'minItems' && params.limit === 1) return { pointer: instancePath, detail: 'It must not be empty' }
  if (keyword === 'minLength')
    return { pointer: instancePath, detail: `It must have at least ${params.limit} characters` }
  if (keyword === 'maxLength')
    return { pointer: instancePath, detail: `It must have at most ${params.limit} characters` }
  if (keyword === 'enum')
    return { pointer: instancePath, detail: `It must be one of ${[params.allowedValues].flat().join(', ')}` }
  return { pointer: instancePath, detail: 'It is not valid' }
}

function withArticle(noun: string): string {
  return `${/^[aeio]/.test(noun) ? 'an' : 'a'} ${noun}`
}

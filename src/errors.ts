// Operating errors: what may go wrong at run time and is not a bug. Hostile input is neither: it is counted where it is read.

/** Every operating error by its code, with the HTTP status that the interface answers when one reaches it. */
export const errorTable = {
  BAD_REQUEST: { status: 400, title: 'Bad request' },
  UNAUTHENTICATED: { status: 401, title: 'Authentication required' },
  FORBIDDEN: { status: 403, title: 'Not allowed' },
  NOT_FOUND: { status: 404, title: 'Not found' },
  METHOD_NOT_ALLOWED: { status: 405, title: 'Method not allowed' },
  REQUEST_TIMEOUT: { status: 408, title: 'Request timeout' },
  CONFLICT: { status: 409, title: 'Conflict' },
  TOO_LARGE: { status: 413, title: 'Content too large' },
  UNSUPPORTED_MEDIA_TYPE: { status: 415, title: 'Unsupported media type' },
  UNPROCESSABLE: { status: 422, title: 'Unprocessable content' },
  TOO_MANY_REQUESTS: { status: 429, title: 'Too many requests' },
  INTERNAL: { status: 500, title: 'Internal error' },
  STORE_UNAVAILABLE: { status: 503, title: 'Store unavailable' },
  PROVIDER_UNAVAILABLE: { status: 503, title: 'Provider unavailable' },
  DETECTION_BUSY: { status: 503, title: 'Detection busy' },
  BAD_CONFIG: { status: 500, title: 'Bad configuration' },
  BAD_CAPTURE: { status: 500, title: 'Unreadable capture' },
} as const

export type ErrorCode = keyof typeof errorTable

/** Words for why people are refused, by which a program tells them in their language. */
export const refusalReasons = [
  'password-not-taken',
  'sign-on-off',
  'sign-on-stale',
  'sign-on-denied',
  'email-unknown',
  'email-unverified',
  'email-domain',
  'no-group',
  'email-taken',
  'email-elsewhere',
  'no-user',
  'no-second-factor',
  'second-factor-required',
  'own-second-factor',
  'second-factor-exists',
  'second-factor-key',
  'nothing-to-confirm',
  'no-password',
  'own-role',
  'own-user',
  'last-admin',
  'user-exists',
  'group-exists',
  'groups-max',
  'channel-exists',
  'channel-changed',
  'channels-max',
  'told-since',
  'no-own-secret',
  'no-confirming-mail',
  'asked-too-often',
  'tokens-max',
  'scope-lacking',
  'set-up-already',
  'set-up-expired',
  'exporters-configured',
  'exporters-left-out',
  'password-length',
  'password-plain',
  'password-email',
] as const

export type RefusalReason = (typeof refusalReasons)[number]

export class AppError extends Error {
  readonly code: ErrorCode
  readonly reason: RefusalReason | undefined

  constructor(code: ErrorCode, text: string, options?: { cause?: unknown; reason?: RefusalReason }) {
    super(text, options)
    this.name = 'AppError'
    this.code = code
    this.reason = options?.reason
  }

  get status(): number {
    return errorTable[this.code].status
  }
}

/** What an error says, in words. */
export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}

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

export class AppError extends Error {
  readonly code: ErrorCode

  constructor(code: ErrorCode, text: string, options?: { cause?: unknown }) {
    super(text, options)
    this.name = 'AppError'
    this.code = code
  }

  get status(): number {
    return errorTable[this.code].status
  }
}

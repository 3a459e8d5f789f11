// The part of the store that remembers which requests were answered how, so that one that is sent again makes nothing a second time.

/** A request that a user has marked with a key of their own. Neither key nor body is stored in clear. */
export interface MarkedRequest {
  userId: string
  /** The name of the endpoint. */
  route: string
  keyHash: Uint8Array
}

/** What is known of an earlier request with the same key. */
export interface EarlierRequest {
  bodyHash: Uint8Array
  /** As `finishRequest` was given it; null: it was not finished. */
  answer: string | null
}

export const idempotencyLimits = { keepMs: 86_400_000, perUserMax: 1_000 } as const

export interface Idempotency {
  /** Notes that the request is begun; or gives the earlier one, of the last 24 hours. Of more than 1,000 of a user the oldest is forgotten. */
  beginRequest(request: MarkedRequest, bodyHash: Uint8Array): Promise<EarlierRequest | null>
  finishRequest(request: MarkedRequest, answer: string): Promise<void>
  /** Nothing came of it: it may be begun again. */
  abandonRequest(request: MarkedRequest): Promise<void>
}

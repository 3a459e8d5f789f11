// The names of the two authentication headers, by the vendor's word in them, and of the one that goes with a session's cookie.

export const vendorDefault = 'SVC'

export function headerNames(vendor: string): { token: string; email: string } {
  return { token: `X-${vendor}-AuthToken`, email: `X-${vendor}-AuthEmail` }
}

/** What `WWW-Authenticate` has. */
export function challengeOf(vendor: string): string {
  return `${vendor}-AuthToken realm="floodgauge"`
}

/** The same for a token alone, which all but `/open` takes. */
export const bearerChallenge = 'Bearer realm="floodgauge"'

/** With a session: the token that answers of `/api/v1/session` have. Lower case, as header fields are compared. */
export const csrfHeader = 'x-csrf-token'

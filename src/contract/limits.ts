// The numbers of the interface.

/** Days that `last` reaches back. */
export const lastDays = { min: 1, max: 365, default: 30 } as const

/** Events on a page. */
export const pageEvents = { min: 1, max: 1000 } as const

/** Hosts in one request. */
export const hostsMax = 1000

/** Octets of a request body. */
export const bodyBytesMax = 1024 * 1024

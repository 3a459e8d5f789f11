// The numbers of the interface.

/** Days that `last` reaches back. */
export const lastDays = { min: 1, max: 365, default: 30 } as const

/** Events on a page. */
export const pageEvents = { min: 1, max: 1000 } as const

/** Hosts in one request. */
export const hostsMax = 1000

/** Octets of a request body. */
export const bodyBytesMax = 1024 * 1024

/** Octets of an import of passive DNS. */
export const importBytesMax = 64 * 1024 * 1024

/** Records in an answer of passive DNS. */
export const passiveRecordsMax = 10_000

/** Characters of a password. */
export const passwordLength = { min: 10, max: 200 } as const

/** Sites that a user may have. */
export const sitesPerUser = { max: 1_000_000, default: 1_000 } as const

/** Deliveries of alerts on a page. */
export const pageDeliveries = { min: 1, max: 500, default: 100 } as const

/** Sites on a page. */
export const pageSites = { max: 100, default: 50 } as const

/** Texts beside another one that events are found by; `length` is that of each in characters, `all` that of all with their commas. */
export const otherTexts = { max: 40, length: 100, all: 2_000 } as const

/** Steps of traffic over time. */
export const trafficSteps = { max: 1440 } as const

/** Parts that it is taken apart into. */
export const trafficParts = 7

/** Days of traffic in one answer. */
export const trafficDaysMax = 92

/** How long an attack is simulated, in seconds, and with how many packets a second. */
export const simulationSeconds = { min: 10, max: 300, default: 30 } as const
export const simulationRates = { min: 1_000, max: 10_000_000 } as const

/** Records of names in one answer. */
export const lookUpRecordsMax = 1000

/** The longest that the stream of changes is silent, seconds. */
export const heartbeatSeconds = 15

/** Most findings about names that an answer lists, of each kind. */
export const nameFindingsMax = 200

/** Addresses and prefixes in the list of who may send flows. */
export const allowedEntriesMax = 10_000

/** Days of traffic that one answer judges again. */
export const whatIfDaysMax = 31

// Who takes part in the siege, and what is theirs.

/** The honest user, and the tenants who mean harm: each takes all that a user may have of one thing. */
export const emails = {
  honest: 'ann@example.net',
  /** Has very many networks, all of whose addresses have traffic. */
  networks: 'networks@tenant.example',
  /** Has names that lead to as many addresses as a name may. */
  names: 'names@tenant.example',
  /** Has very many events, and reads them in circles. */
  reader: 'reader@tenant.example',
} as const

/** Sites of a user by default. */
export const quota = 1_000
const networksOfTenant = 400
/** Addresses that each of the tenant's names leads to. */
export const addressesOfName = 256

/** Routers that have worked for minutes and send their templates seldom. */
export const routers = 20
export const routerAddress = (number: number) => `127.1.0.${number + 1}`
/** The router in front of the tenant with networks. */
export const quarrel = '127.1.1.1'

/** Where attacks go, one after the other. */
export const victimsMax = 200
export const victim = (number: number) => `192.0.2.${1 + (number % victimsMax)}`

export const networkSites = Array.from({ length: networksOfTenant }, (_, i) => `10.${i >> 8}.${i & 255}.0/24`)
export const nameSites = Array.from({ length: quota }, (_, i) => `host-${i}.names.example`)

/** An address of those networks, one after the other. */
export function crowdedAddress(number: number): string {
  const at = number % (networksOfTenant * 256)
  return `10.${at >> 16}.${(at >> 8) & 255}.${at & 255}`
}

/** An address that a name of the tenant leads to. */
export function namedAddress(name: string, number: number): string {
  const host = Number(/host-(\d+)/.exec(name)?.[1] ?? 0)
  return `172.${16 + (host >> 8)}.${host & 255}.${number}`
}

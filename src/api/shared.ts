// Which addresses are shared by sites that have nothing to do with each other, so that an attack on one may be meant for a neighbour. To a
// user only their own names and the operator's word count: that names of others lead there would tell that there are others.
import { lastAddress, mergeRanges } from '../net/prefix.ts'
import { isInRanges } from '../net/sorted.ts'
import type { AccessSettings } from '../targets/settings.ts'
import { readNetworks } from '../targets/site.ts'

export type IsShared = (address: number, domains: number) => boolean

/** `domains`: how many registered domains lead to the address. */
export function createIsShared({ sharedNetworks, sharedDomains }: AccessSettings): IsShared {
  const networks = readNetworks(sharedNetworks)
  const ranges = mergeRanges(networks.map((prefix) => [prefix.network, lastAddress(prefix)]))
  return (address, domains) => domains > sharedDomains || isInRanges(ranges, address)
}

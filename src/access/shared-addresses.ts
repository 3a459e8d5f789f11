// Decides which addresses are shared by unrelated sites, so that an attack on one may be meant for a neighbour. Only the user's own names and
// the operator's settings count: names of other users would show that they exist.
import type { AddressKey } from '../net/address.ts'
import { networkRanges } from '../net/network.ts'
import { isInRanges } from '../net/ranges.ts'
import { readNetworks } from './host-record.ts'
import type { AccessSettings } from './settings.ts'

export type IsShared = (address: AddressKey, domains: number) => boolean

/** `domains`: how many registered domains lead to the address. */
export function createIsShared({ sharedNetworks, sharedDomains }: AccessSettings): IsShared {
  const ranges = networkRanges(readNetworks(sharedNetworks))
  return (address, domains) => domains > sharedDomains || isInRanges(ranges, address)
}

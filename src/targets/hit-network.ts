// What a carpet bombing hits of a site: how many of its addresses, and the network that they lie in. What hits others is left out.
import { formatPrefix, networkOf } from '../net/prefix.ts'
import { parseHostRecord } from './site.ts'

export interface HitNetwork {
  /** The smallest network that holds them, and no smaller one than a /24. */
  prefix: string
  /** Addresses of the site that are hit. */
  addresses: number
}

/** No network of the detector's is smaller. */
const longest = 24

interface Victim {
  /** The site that it belongs to, and the address that stands for it there. */
  site: string
  address: number
}

/** The addresses of a site, `[first, last]`; of a name that which it led to. */
export function addressesOf({ site, address }: Victim): readonly [first: number, last: number] {
  const host = parseHostRecord(site)
  return host.ok && 'first' in host ? [host.first, host.last] : [address, address]
}

/** `victims`: IPv4 addresses, of whatever site. Null: no more than one of them is of the site. */
export function hitNetwork(victim: Victim, victims: readonly { address: number }[]): HitNetwork | null {
  if (victims.length < 2) return null
  const [first, last] = addressesOf(victim)
  const own = victims.map(({ address }) => address).filter((address) => address >= first && address <= last)
  if (own.length < 2) return null
  let length = longest
  while (own.some((address) => networkOf(address, length) !== networkOf(own[0], length))) length--
  return { prefix: formatPrefix({ network: networkOf(own[0], length), length }), addresses: own.length }
}

// What a carpet bombing hits of an owner's sites: how many of their addresses, and the network that they lie in. What hits others is left out.
import { formatPrefix, networkOf } from '../net/prefix.ts'
import { parseHostRecord } from './site.ts'

export interface HitNetwork {
  /** The smallest network that holds them, and no smaller one than a /24. */
  prefix: string
  /** Addresses of the sites that are hit. */
  addresses: number
}

/** No network of the detector's is smaller. */
const longest = 24

interface Victim {
  /** Sites of one owner that are hit, and the address that stands for those of them that are names. */
  sites: readonly string[]
  address: number
}

/** Whether an address is one of the sites: of their networks and addresses, or the one that stands for them. */
export function ownAddresses({ sites, address }: Victim): (each: number) => boolean {
  const ranges = sites.flatMap((site) => {
    const host = parseHostRecord(site)
    return host.ok && 'first' in host ? [host] : []
  })
  return (each) => each === address || ranges.some(({ first, last }) => each >= first && each <= last)
}

/** `victims`: IPv4 addresses, of whatever site. Null: no more than one of them is of the sites. */
export function hitNetwork(victim: Victim, victims: readonly { address: number }[]): HitNetwork | null {
  if (victims.length < 2) return null
  const own = victims.map(({ address }) => address).filter(ownAddresses(victim))
  if (own.length < 2) return null
  let length = longest
  while (own.some((address) => networkOf(address, length) !== networkOf(own[0], length))) length--
  return { prefix: formatPrefix({ network: networkOf(own[0], length), length }), addresses: own.length }
}

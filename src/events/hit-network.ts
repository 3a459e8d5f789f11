// What a carpet bombing hits of an owner's sites: how many of their addresses, and the networks that they lie in. What hits others is left out.

import { addressRanges } from '../access/host-record.ts'
import { addressBits, addressesIn } from '../net/address-bits.ts'
import { formatNetworkKey, lastKey, neighbourLength, networkOf } from '../net/network.ts'

export interface HitNetwork {
  /** The smallest network that holds them, and no smaller one than a /24. */
  prefix: string
  /** Addresses of the sites that are hit. */
  addresses: number
}

interface Owner {
  /** Sites of one owner that are hit, and the address that stands for those of them that are names. */
  sites: readonly string[]
  address: number
}

interface Rates {
  packetsPerSecond: number
  bytesPerSecond: number
}

/** The victims of an attack, of whatever site; `networks` has all of them, by /24, but in events of older versions. */
interface Victims {
  victims: readonly ({ address: number } & Rates)[]
  /** `addresses`: see net/address-bits.ts. */
  networks: readonly ({ network: number; addresses: string } & Rates)[]
}

/** A /24 with addresses of an owner that are hit. */
export interface OwnNetwork extends Rates {
  /** Its first address. */
  network: number
  addresses: number[]
}

/** Whether an address is one of the sites: of their networks and addresses, or the one that stands for them. */
export function ownAddresses({ sites, address }: Owner): (each: number) => boolean {
  const ranges = addressRanges(sites)
  return (each) => each === address || ranges.some(({ first, last }) => each >= first && each <= last)
}

/** Every address that is hit, by /24. */
export function allHit({ victims, networks }: Victims): number[] {
  if (networks.length === 0) return victims.map(({ address }) => address)
  return networks.flatMap(({ network, addresses }) => addressesIn(network, addresses))
}

/** Those that hold addresses of the owner, in the order of `networks`. Where others have a part of one, the rates are those of the owner's listed victims. */
export function ownNetworks(owner: Owner, { victims, networks }: Victims): OwnNetwork[] {
  const ranges = addressRanges(owner.sites)
  const rows = networks.length > 0 ? networks : byNetwork(victims)
  return rows.flatMap((row) => {
    const { network, addresses: bits } = row
    const end = lastKey({ network, length: neighbourLength })
    const near = ranges.filter(({ first, last }) => first <= end && last >= network)
    const { packetsPerSecond, bytesPerSecond } = row
    const isWhole = near.some(({ first, last }) => first <= network && last >= end)
    if (isWhole) return [{ network, addresses: addressesIn(network, bits), packetsPerSecond, bytesPerSecond }]
    const isOwn = (each: number) =>
      each === owner.address || near.some(({ first, last }) => each >= first && each <= last)
    const addresses = addressesIn(network, bits).filter(isOwn)
    const listed = victims.filter(({ address }) => networkOf(address, neighbourLength) === network && isOwn(address))
    return addresses.length === 0 ? [] : [{ network, addresses, ...sumOf(listed) }]
  })
}

/** Null: no more than one of the owner's addresses is hit. */
export function hitNetwork(owner: Owner, victims: Victims): HitNetwork | null {
  const own = ownNetworks(owner, victims)
  const addresses = own.reduce((sum, network) => sum + network.addresses.length, 0)
  if (addresses < 2) return null
  const all = own.map(({ network }) => network)
  let length = neighbourLength
  while (all.some((each) => networkOf(each, length) !== networkOf(all[0], length))) length--
  return { prefix: formatNetworkKey({ network: networkOf(all[0], length), length }), addresses }
}

function byNetwork(victims: Victims['victims']): Victims['networks'] {
  const grouped = Map.groupBy(victims, ({ address }) => networkOf(address, neighbourLength))
  return Array.from(grouped, ([network, own]) => {
    return { network, addresses: addressBits(own.map(({ address }) => address)), ...sumOf(own) }
  })
}

function sumOf(all: readonly Rates[]): Rates {
  const sum = { packetsPerSecond: 0, bytesPerSecond: 0 }
  for (const { packetsPerSecond, bytesPerSecond } of all) {
    sum.packetsPerSecond += packetsPerSecond
    sum.bytesPerSecond += bytesPerSecond
  }
  return sum
}

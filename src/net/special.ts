// IPv4 networks that are not of the public Internet (IANA "IPv4 Special-Purpose Address Registry").
import type { Address } from './address.ts'
import { contains, type Network, parseNetwork } from './network.ts'

/** Networks without hosts: this network, multicast, reserved, broadcast. */
const hostless = networks('0.0.0.0/8', '224.0.0.0/4', '240.0.0.0/4')
/** Private, shared (RFC 6598), loopback and link-local networks. */
const local = networks(
  '10.0.0.0/8',
  '100.64.0.0/10',
  '127.0.0.0/8',
  '169.254.0.0/16',
  '172.16.0.0/12',
  '192.168.0.0/16',
)

/** Whether no host can have the address. */
export function isHostless(address: Address): boolean {
  return hostless.some((network) => contains(network, address))
}

/** Whether the address is used inside of organisations, and by many of them. */
export function isLocal(address: Address): boolean {
  return local.some((network) => contains(network, address))
}

/** Whether a host that matters to a site may have the address. */
export function isUsable(address: Address, allowPrivate: boolean): boolean {
  return !isHostless(address) && (allowPrivate || !isLocal(address))
}

function networks(...texts: string[]): Network[] {
  return texts.map(parseNetwork).filter((network) => network !== null)
}

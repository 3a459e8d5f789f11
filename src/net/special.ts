// IPv4 networks that are not of the public Internet (IANA "IPv4 Special-Purpose Address Registry").
import { contains, type Prefix, parsePrefix } from './prefix.ts'

/** No host has such an address: this network, multicast, reserved, broadcast. */
const hostless = prefixes('0.0.0.0/8', '224.0.0.0/4', '240.0.0.0/4')
/** Private, shared (RFC 6598), loopback, link-local. */
const local = prefixes(
  '10.0.0.0/8',
  '100.64.0.0/10',
  '127.0.0.0/8',
  '169.254.0.0/16',
  '172.16.0.0/12',
  '192.168.0.0/16',
)

export function isHostless(address: number): boolean {
  return hostless.some((prefix) => contains(prefix, address))
}

export function isLocal(address: number): boolean {
  return local.some((prefix) => contains(prefix, address))
}

function prefixes(...texts: string[]): Prefix[] {
  return texts.map(parsePrefix).filter((prefix) => prefix !== null)
}

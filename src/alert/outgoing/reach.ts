// Which addresses and ports a message may be sent to. Users name the place, so that without this they could have the service ask what only it can reach: this
// machine, its network, the metadata of a cloud (server-side request forgery).
import { BlockList, isIP, isIPv4 } from 'node:net'

/**
 * `public`: what is globally reachable, and ports of the web, for whoever has signed in. `any`: all but what is of one link, where the metadata of
 * clouds are, for whoever looks after the installation.
 */
export type Reach = 'public' | 'any'

/** Ports of the web and their usual alternatives. */
const webPorts: ReadonlySet<number> = new Set([80, 443, 8080, 8443])

/** Not globally reachable (IANA IPv4 Special-Purpose Address Registry, RFC 6890), and multicast. */
const specialIpv4 = [
  '0.0.0.0/8',
  '10.0.0.0/8',
  '100.64.0.0/10',
  '127.0.0.0/8',
  '169.254.0.0/16',
  '172.16.0.0/12',
  '192.0.0.0/24',
  '192.0.2.0/24',
  '192.88.99.0/24',
  '192.168.0.0/16',
  '198.18.0.0/15',
  '198.51.100.0/24',
  '203.0.113.0/24',
  '224.0.0.0/4',
  '240.0.0.0/4',
]
/** Within the global unicast addresses (RFC 4291): protocol assignments, documentation, 6to4, whose addresses hold an IPv4 address, and the wider documentation. */
const specialIpv6 = ['2001::/23', '2001:db8::/32', '2002::/16', '3fff::/20']
const globalIpv6 = ['2000::/3']

const linkLocal = listOf([
  '169.254.0.0/16',
  '0.0.0.0/8',
  '224.0.0.0/4',
  '255.255.255.255/32',
  'fe80::/10',
  'ff00::/8',
  '::/128',
])
/** The metadata of a cloud by IPv6 (Amazon's) lies in a unique local network. */
const metadata = listOf(['fd00:ec2::/32'])
const special = listOf([...specialIpv4, ...specialIpv6])
const global = listOf(globalIpv6)

/** What the operator allows beside that, as networks. */
export type Allowed = BlockList

export function listOf(networks: readonly string[]): BlockList {
  const list = new BlockList()
  for (const network of networks) {
    const [address, length] = network.split('/')
    list.addSubnet(address, Number(length ?? (isIPv4(address) ? 32 : 128)), isIPv4(address) ? 'ipv4' : 'ipv6')
  }
  return list
}

/** Null: it may be reached; else why not. `address`: IPv4 or IPv6 in text. */
export function whyNotReached(
  address: string,
  { reach, allowed, own }: { reach: Reach; allowed: Allowed; own: BlockList },
): string | null {
  const plain = embeddedIpv4(address) ?? address
  const family = isIP(plain) === 4 ? 'ipv4' : 'ipv6'
  if (allowed.check(plain, family)) return null
  if (linkLocal.check(plain, family) || metadata.check(plain, family)) return 'an address of this link only'
  if (reach === 'any') return null
  // What listens on a public address of this machine may be closed to everybody but the machine.
  if (own.check(plain, family)) return 'an address of this machine'
  const isGlobal = !special.check(plain, family) && (family === 'ipv4' || global.check(plain, family))
  return isGlobal ? null : 'an address that is not public'
}

export function mayUsePort(port: number, reach: Reach): boolean {
  return reach === 'any' || webPorts.has(port)
}

/** The IPv4 address that an IPv6 address stands for: mapped, compatible (RFC 4291 section 2.5.5), or behind NAT64 (RFC 6052 section 2.1). */
function embeddedIpv4(address: string): string | null {
  if (isIP(address) !== 6) return null
  const groups = groupsOf(address)
  const [high, low] = groups.slice(6)
  const prefix = groups
    .slice(0, 6)
    .map((group) => group.toString(16))
    .join(':')
  if (prefix !== '0:0:0:0:0:ffff' && prefix !== '64:ff9b:0:0:0:0' && !(prefix === '0:0:0:0:0:0' && high > 0))
    return null
  return [high >> 8, high & 255, low >> 8, low & 255].join('.')
}

/** The eight groups of an IPv6 address, without its zone. */
function groupsOf(address: string): number[] {
  const [text] = address.split('%')
  const dotted = /(\d+)\.(\d+)\.(\d+)\.(\d+)$/.exec(text)
  const hex =
    dotted === null
      ? text
      : text.slice(0, dotted.index) +
        [1, 3].map((at) => ((Number(dotted[at]) << 8) | Number(dotted[at + 1])).toString(16)).join(':')
  const [before, after] = hex.split('::').map((part) => (part === '' ? [] : part.split(':')))
  const missing = after === undefined ? 0 : 8 - before.length - after.length
  return [...before, ...Array.from({ length: missing }, () => '0'), ...(after ?? [])].map((group) =>
    Number.parseInt(group, 16),
  )
}

// The filter that shows an attack's packets to tcpdump. It is made of an address or a network, a port and words of this table only. Pure.
import { portsOf } from '../parts-of-attack.ts'
import type { EventReport } from '../queries.ts'

const tcpFlagsByKind: Readonly<Record<string, string>> = {
  syn: 'tcp[tcpflags] & (tcp-syn|tcp-ack) == tcp-syn',
  synack: 'tcp[tcpflags] & (tcp-syn|tcp-ack) == (tcp-syn|tcp-ack)',
  rst: 'tcp[tcpflags] & tcp-rst != 0',
  fin: 'tcp[tcpflags] & tcp-fin != 0',
  // Acknowledgements that carry or close something are such floods, too.
  ack: 'tcp[tcpflags] & (tcp-syn|tcp-rst|tcp-ack) == tcp-ack',
  null: 'tcp[tcpflags] == 0',
}

type FilteredEvent = Pick<EventReport, 'address' | 'network' | 'attackType' | 'statistics' | 'total'>

export function packetFilter({ address, network, attackType, statistics, total }: FilteredEvent): string {
  const to = network === null ? `dst host ${address}` : `dst net ${network.prefix}`
  const [protocol = '', , kind = ''] = attackType?.split('@') ?? []
  const name = kind.split('_')[0]
  if (name === 'frag') return `${to} and ip[6:2] & 0x3fff != 0`
  const ports = portsOf(statistics.sourcePorts, total.packets)
  if (name === 'amp' && ports?.kind === 'few') return `${to} and ${protocol} src port ${ports.ports[0].port}`
  const flags = protocol === 'tcp' ? tcpFlagsByKind[name] : undefined
  if (flags !== undefined) return `${to} and ${flags}`
  return protocol === 'tcp' || protocol === 'udp' || protocol === 'icmp' ? `${to} and ${protocol}` : to
}

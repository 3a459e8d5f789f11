// IP protocol numbers that Floodgauge speaks of by name (IANA "Assigned Internet Protocol Numbers").

export const ICMP = 1
export const TCP = 6
export const UDP = 17
export const ICMPV6 = 58

const names: Record<number, string> = {
  0: 'HOPOPT',
  1: 'ICMP',
  2: 'IGMP',
  4: 'IPIP',
  6: 'TCP',
  17: 'UDP',
  41: 'IPV6',
  47: 'GRE',
  50: 'ESP',
  51: 'AH',
  58: 'ICMPV6',
  88: 'EIGRP',
  89: 'OSPF',
  103: 'PIM',
  112: 'VRRP',
  115: 'L2TP',
  132: 'SCTP',
  136: 'UDPLITE',
}

/** `GRE` for 47; the number itself in text for a protocol without a name here. */
export function protocolName(protocol: number): string {
  return names[protocol] ?? String(protocol)
}

// UDP services whose answers are larger than the questions, and which are abused as reflectors: the source port of the answers, and their usual length. Sources: CISA TA14-017A, the AMP-Research collection, the rules of IXP Scrubber, the misuse types of Arbor Sightline.

export interface AmplificationService {
  port: number
  /** Last part of the label. */
  name: string
  /** Mean IP packet length of an attack's answers, octets. */
  packetBytes: readonly [min: number, max: number]
  /** Hosts get such answers from many sources in everyday life: only a high or unusual rate is an attack. */
  everyday?: true
  /** Peers of the service use its port at both ends: such packets are no answers of a reflector. */
  peers?: true
  /** Tunnels use the port: from few servers, packets are the traffic of their clients. */
  tunnels?: true
}

export const amplificationServices: readonly AmplificationService[] = [
  { port: 17, name: 'QOTD', packetBytes: [60, 1500] },
  { port: 19, name: 'CHARGEN', packetBytes: [60, 1500] },
  { port: 53, name: 'DNS', packetBytes: [100, 1500], everyday: true },
  { port: 69, name: 'TFTP', packetBytes: [60, 1500] },
  { port: 111, name: 'PORTMAP', packetBytes: [60, 1500] },
  { port: 123, name: 'NTP', packetBytes: [100, 1500], peers: true },
  { port: 137, name: 'NETBIOS', packetBytes: [90, 1500], peers: true },
  { port: 161, name: 'SNMP', packetBytes: [60, 1500] },
  { port: 177, name: 'XDMCP', packetBytes: [28, 1500] },
  { port: 389, name: 'CLDAP', packetBytes: [60, 1500] },
  { port: 427, name: 'SLP', packetBytes: [40, 1500] },
  { port: 500, name: 'ISAKMP', packetBytes: [60, 1500], peers: true },
  { port: 520, name: 'RIP', packetBytes: [60, 1500], peers: true },
  { port: 1194, name: 'OPENVPN', packetBytes: [28, 200], tunnels: true },
  { port: 1434, name: 'MSSQL', packetBytes: [60, 1500] },
  { port: 1604, name: 'CITRIX', packetBytes: [40, 1500] },
  { port: 1701, name: 'L2TP', packetBytes: [60, 1500], peers: true, tunnels: true },
  { port: 1900, name: 'SSDP', packetBytes: [60, 1500] },
  { port: 2362, name: 'DIGIMAN', packetBytes: [28, 1500] },
  { port: 3283, name: 'ARMS', packetBytes: [60, 1500] },
  { port: 3389, name: 'RDP', packetBytes: [60, 1500] },
  { port: 3478, name: 'STUN', packetBytes: [60, 250] },
  { port: 3702, name: 'WSD', packetBytes: [60, 1500] },
  { port: 4500, name: 'ISAKMP', packetBytes: [60, 500], peers: true, tunnels: true },
  { port: 5060, name: 'SIP', packetBytes: [60, 1500], everyday: true, peers: true },
  { port: 5093, name: 'SENTINEL', packetBytes: [40, 1500] },
  { port: 5351, name: 'NATPMP', packetBytes: [28, 1500] },
  { port: 5353, name: 'MDNS', packetBytes: [60, 1500], peers: true },
  { port: 5683, name: 'COAP', packetBytes: [40, 1500] },
  { port: 6881, name: 'BITTORRENT', packetBytes: [60, 1500], everyday: true },
  { port: 7001, name: 'AFS', packetBytes: [28, 1500], peers: true },
  { port: 10001, name: 'UBIQUITI', packetBytes: [60, 500], peers: true },
  { port: 10074, name: 'TP240', packetBytes: [28, 1500] },
  { port: 11211, name: 'MEMCACHED', packetBytes: [60, 1500] },
  { port: 17185, name: 'VXWORKS', packetBytes: [28, 1500] },
  { port: 20811, name: 'POWERHOUSE', packetBytes: [28, 1500] },
  { port: 27015, name: 'SRCDS', packetBytes: [60, 1500], everyday: true },
  { port: 27960, name: 'QUAKE3', packetBytes: [60, 1500], everyday: true },
  { port: 30120, name: 'FIVEM', packetBytes: [60, 1500], everyday: true },
  { port: 30718, name: 'LANTRONIX', packetBytes: [28, 1500] },
  { port: 32414, name: 'PLEX', packetBytes: [60, 1500] },
  { port: 33848, name: 'JENKINS', packetBytes: [60, 1500] },
  { port: 37810, name: 'DHDISCOVER', packetBytes: [60, 1500] },
  { port: 41794, name: 'CRESTRON', packetBytes: [60, 1500] },
  { port: 47808, name: 'BACNET', packetBytes: [28, 1500], peers: true },
  { port: 53413, name: 'NETIS', packetBytes: [28, 1500] },
]

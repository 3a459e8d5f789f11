// The attacks that can be simulated, by name, and what their events say. Plain data, so that a browser can have it.

export const simulationVectorNames = ['ntp', 'dns', 'syn', 'udp', 'icmp'] as const
export type SimulationVectorName = (typeof simulationVectorNames)[number]

export const simulationVectors: Readonly<Record<SimulationVectorName, string>> = {
  ntp: 'udp@attack@amp_flood_target-NTP',
  dns: 'udp@attack@amp_flood_target-DNS',
  syn: 'tcp@attack@syn_flood_target',
  udp: 'udp@attack@simple_flood_target',
  icmp: 'icmp@attack@simple_flood_target',
}

// Examples of simulated attacks.
import type { Simulation } from './simulation-schemas.ts'

const simulation: Simulation = {
  state: 'running',
  vector: 'ntp',
  attackType: 'udp@attack@amp_flood_target-NTP',
  address: '192.0.2.10',
  packetsPerSecond: 100_000,
  startedAt: '2017-03-08T10:09:14+00:00',
  endsAt: '2017-03-08T10:09:44+00:00',
  event: { id: '58bfd7ae1f0a4b3c9d2e6f70', afterSeconds: 3.4 },
}

export const simulationExamples = {
  startSimulation: { body: { vector: 'ntp' as const }, response: { simulation: { ...simulation, event: null } } },
  getSimulation: { response: { simulation } },
  stopSimulation: { response: { simulation: { ...simulation, state: 'over' as const } } },
}

// An example of traffic over time.
import { overviewExample } from './event-examples.ts'
import type { Traffic } from './traffic-schemas.ts'

const { id, start, end, site, attackType, isTest, address } = overviewExample

const course = { bytesPerSecond: [540_000, 31_560_000], packetsPerSecond: [610, 67_600], flowsPerSecond: [31, 705] }

const traffic: Traffic = {
  from: '2017-03-08T10:08:00+00:00',
  to: '2017-03-08T10:10:00+00:00',
  stepSeconds: 60,
  countedFrom: '2017-02-22T10:10:00+00:00',
  keptDays: 14,
  total: course,
  parts: [{ name: address, ...course }],
  previous: { bytesPerSecond: [538_000, 541_000], packetsPerSecond: [608, 612], flowsPerSecond: [30, 31] },
  attacks: [{ id, start, end, site, attackType, isTest }],
  addresses: 1,
  addressesOmitted: 0,
}

export const trafficExamples = { getTraffic: { response: traffic } }

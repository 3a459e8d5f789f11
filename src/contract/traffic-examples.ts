// An example of traffic over time.
import { overviewExample } from './event-examples.ts'
import type { Traffic } from './traffic-schemas.ts'

const { id, start, end, site, attackType, isTest, address } = overviewExample

const rates = { bytesPerSecond: [540_000, 31_560_000], packetsPerSecond: [610, 67_600], flowsPerSecond: [31, 705] }
const peak = { bytesPerSecond: 44_800_000, packetsPerSecond: 95_300, flowsPerSecond: 980 }
const course = { ...rates, min: rates, max: rates, peak }

const before = { bytesPerSecond: [538_000, 541_000], packetsPerSecond: [608, 612], flowsPerSecond: [30, 31] }
const peakBefore = { bytesPerSecond: 601_000, packetsPerSecond: 655, flowsPerSecond: 40 }

const traffic: Traffic = {
  from: '2017-03-08T10:08:00+00:00',
  to: '2017-03-08T10:10:00+00:00',
  stepSeconds: 60,
  countedFrom: '2017-02-22T10:10:00+00:00',
  keptDays: 14,
  total: course,
  parts: [{ name: address, ...course }],
  rest: null,
  previous: { ...before, min: before, max: before, peak: peakBefore },
  attacks: [{ id, start, end, site, attackType, isTest }],
  attackCount: 1,
  attacksByStep: [0, 1],
  addresses: 1,
  addressesOmitted: 0,
}

export const trafficExamples = { getTraffic: { response: traffic } }

// The report of no event, for receivers that ask for one: no traffic, no vectors, no addresses.
import type { EventReport } from '../../contract/events/event.ts'

export function blankReport(example: EventReport): EventReport {
  const none = { at: example.peak.at, bytesPerSecond: 0, packetsPerSecond: 0, flowsPerSecond: 0 }
  const nothing = { ...{ why: [], vectors: [], networks: [], victims: [], dns: [], episodes: [], sites: [] } }
  const list = { flowsMissedMax: 0, entries: [] }
  const { statistics, average, peak, total } = example
  return {
    ...example,
    ...nothing,
    ...{ domain: '', address: '0.0.0.0', network: null, view: 'totals', timeline: [], alerts: [], isTest: false },
    ...{ average: { ...average, ...none }, peak: { ...peak, ...none } },
    total: { ...total, bytes: 0, packets: 0 },
    statistics: { ...statistics, sources: list, samples: [] },
  }
}

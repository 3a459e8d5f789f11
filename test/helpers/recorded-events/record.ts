// `node test/helpers/recorded-events/record.ts`: has the detector find the scenarios' attacks, and writes the events as the API reports them, with
// their course: what the tests of the console's texts read. Lists are cut to their heads.
import { writeFileSync } from 'node:fs'
import { Value } from 'typebox/value'
import { presentReport, presentSeries } from '../../../src/api/events/present.ts'
import { EventReport, EventSeries } from '../../../src/contract/events/event.ts'
import { type IncidentReport, noStatistics } from '../../../src/detect/incidents/incident-report.ts'
import { eventFrom } from '../../../src/events/event.ts'
import { noNote } from '../../../src/events/notes.ts'
import type { View } from '../../../src/store/store.ts'
import { noPlaces } from '../api.ts'
import { DetectionLab } from '../detection.ts'
import { recordedFile } from './recorded.ts'
import { type Scenario, scenarios } from './scenarios.ts'

const entriesMax = 10
const sampleMax = 2

function incidentsOf({ attack, usual = [], before = 0, lasting = 90, after = 0 }: Scenario): IncidentReport[] {
  const lab = new DetectionLab({ learnSeconds: 300 }).run(before, ...usual).run(lasting, ...usual, ...attack)
  if (after > 0) lab.run(after, ...usual)
  const latest = new Map<string, IncidentReport>()
  for (const report of lab.reports) {
    const details = report.details ?? latest.get(report.incident)?.details ?? null
    latest.set(report.incident, details === null ? report : { ...report, details })
  }
  return [...latest.values()]
}

function recordedOf(scenario: Scenario, number: number) {
  const { name, site = '192.0.2.10', domain = 'www.example.com', isTest = false } = scenario
  const view: View = scenario.view ?? 'all'
  // Beside its parts the attack itself is the largest.
  const [report] = incidentsOf(scenario).sort((a, b) => b.victims.length - a.victims.length || b.endMs - a.endMs)
  if (report === undefined) throw new Error(`${name}: nothing was found`)
  const match = { userId: 'u', site, sites: [site], domain, dns: [], address: report.address, view }
  const identity = { id: number.toString(16).padStart(24, '0'), createdMs: report.startMs + 4_000 }
  const made = eventFrom(report, match, identity, { isTest })
  const detail = { ...made, returns: 0, updatedMs: identity.createdMs, sequence: number }
  const shown = { isAdmin: false, isShared: () => false, places: noPlaces, episodes: [], alerts: [] }
  const event = presentReport(view === 'totals' ? { ...detail, statistics: noStatistics } : detail, noNote, shown)
  return { name, event: cut(event), series: presentSeries(detail) }
}

function cut(event: EventReport): EventReport {
  const { statistics } = event
  const lists = ['destinationPorts', 'sourcePorts', 'protocols', 'tcpFlags', 'packetLengths'] as const
  const heads = lists.map((name) => [
    name,
    { ...statistics[name], entries: statistics[name].entries.slice(0, entriesMax) },
  ])
  const sources = { ...statistics.sources, entries: statistics.sources.entries.slice(0, entriesMax) }
  const samples = statistics.samples.slice(0, sampleMax)
  return { ...event, statistics: { ...statistics, ...Object.fromEntries(heads), sources, samples } }
}

const recorded = scenarios.map(recordedOf)
for (const { name, event, series } of recorded) {
  for (const [schema, value] of [
    [EventReport, event],
    [EventSeries, series],
  ] as const)
    if (!Value.Check(schema, value)) throw new Error(`${name}: ${JSON.stringify(Value.Errors(schema, value))}`)
}
writeFileSync(recordedFile, recorded.map((each) => `${JSON.stringify(each)}\n`).join(''))

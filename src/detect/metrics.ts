// What the detector counts, as metrics.
import type { MetricRow, Sample } from '../metrics.ts'

/** Since it was made. */
export interface DetectorCounters {
  /** Counter groups of addresses and networks that there was no place for, in each slot anew. */
  targetsRefused: number
  /** Counter groups of classes that their target had no place for, in each slot anew, or lost to a heavier one; its total has them. */
  classesRefused: number
  /** Networks whose saved baselines could not be used. */
  baselinesRefused: number
  /** Attacks that were not followed, since too many others were, in each pass anew. */
  incidentsRefused: number
  /** Attacks that were opened. */
  incidents: number
  /** Reports of attacks, with lists and course; and those without, since it was the turn of others. */
  reportsInFull: number
  reportsOfRates: number
}

export interface DetectorState {
  targets: number
  openIncidents: number
  /** See `RatePages.refused`. */
  amountsRefused: number
  /** See `RecentRecords.dropped`. */
  records: number
  /** See `Places.dropped`. */
  items: number
  /** See `ExporterNumbers.refused`. */
  exporters: number
}

export const detectMetrics = [
  { name: 'floodgauge_detect_tracked_targets', help: 'Addresses whose traffic is followed.' },
  { name: 'floodgauge_detect_open_incidents', help: 'Attacks that go on.' },
  { name: 'floodgauge_detect_incidents_total', help: 'Attacks detected.' },
  {
    name: 'floodgauge_detect_reports_total',
    help: 'Reports of attacks: in full, or of their rates alone, when it is the turn of others to have their lists renewed.',
    labels: ['form'],
  },
  {
    name: 'floodgauge_detect_refused_total',
    help: 'What found no place in a bounded table: counters of targets, of their classes, of seconds, incidents (these four in each slot or pass anew, so up to four times a second), records of the last moments, items of lists, exporters; and saved baselines that could not be used.',
    labels: ['table'],
  },
] as const satisfies readonly MetricRow[]

export function samplesOf(counted: DetectorCounters, now: DetectorState): Sample[] {
  return [
    { name: 'floodgauge_detect_tracked_targets', labels: {}, value: now.targets },
    { name: 'floodgauge_detect_open_incidents', labels: {}, value: now.openIncidents },
    { name: 'floodgauge_detect_incidents_total', labels: {}, value: counted.incidents },
    { name: 'floodgauge_detect_reports_total', labels: { form: 'full' }, value: counted.reportsInFull },
    { name: 'floodgauge_detect_reports_total', labels: { form: 'rates' }, value: counted.reportsOfRates },
    { name: 'floodgauge_detect_refused_total', labels: { table: 'targets' }, value: counted.targetsRefused },
    { name: 'floodgauge_detect_refused_total', labels: { table: 'classes' }, value: counted.classesRefused },
    { name: 'floodgauge_detect_refused_total', labels: { table: 'baselines' }, value: counted.baselinesRefused },
    { name: 'floodgauge_detect_refused_total', labels: { table: 'seconds' }, value: now.amountsRefused },
    { name: 'floodgauge_detect_refused_total', labels: { table: 'incidents' }, value: counted.incidentsRefused },
    { name: 'floodgauge_detect_refused_total', labels: { table: 'records' }, value: now.records },
    { name: 'floodgauge_detect_refused_total', labels: { table: 'items' }, value: now.items },
    { name: 'floodgauge_detect_refused_total', labels: { table: 'exporters' }, value: now.exporters },
  ]
}

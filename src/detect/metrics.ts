// What the detector counts, as metrics.
import { byLabel, type Metric } from '../metrics.ts'

/** Counts since the detector was made. */
export interface DetectorCounters {
  /** Counter groups of addresses and networks without a place, counted again in each slot. */
  targetsRefused: number
  /** Addresses among them with as much traffic as takes the place of a quiet one: none was found. */
  busyRefused: number
  /** Addresses that lost their place to one with more traffic. */
  targetsReplaced: number
  /** Counter groups of classes that had no place at their target, counted again in each slot, or lost it to a heavier class; the total has them. */
  classesRefused: number
  /** Networks whose saved baselines could not be used. */
  baselinesRefused: number
  /** Attacks that were not followed because too many others were, counted again in each pass. */
  incidentsRefused: number
  /** Attacks that were opened. */
  incidents: number
  /** Reports of attacks, with lists and course; and those without, since it was the turn of others. */
  reportsInFull: number
  reportsOfRates: number
  /** Half minutes near a line that were kept, and those that were not because too many were. */
  traces: number
  tracesRefused: number
}

export interface DetectorState {
  targets: number
  openIncidents: number
  /** See `RatePages.refused`. */
  amountsRefused: number
  /** See `RecentRecords.dropped`. */
  records: number
  /** See `ListMemory.dropped`. */
  items: number
  /** See `ExporterNumbers.refused`. */
  exporters: number
}

export const detectMetrics: readonly Metric<{ counted: DetectorCounters; now: DetectorState }>[] = [
  {
    name: 'floodgauge_detect_tracked_targets',
    help: 'Addresses whose traffic is followed.',
    read: ({ now }) => now.targets,
  },
  {
    name: 'floodgauge_detect_targets_replaced_total',
    help: 'Addresses that lost their place to one with more traffic, since as many as may be (detect.targetsMax) are followed.',
    read: ({ counted }) => counted.targetsReplaced,
  },
  {
    name: 'floodgauge_detect_busy_targets_refused_total',
    help: 'Addresses with traffic that found no place, nor a quiet one to take it from; counted again in each slot, so up to four times a second.',
    read: ({ counted }) => counted.busyRefused,
  },
  {
    name: 'floodgauge_detect_open_incidents',
    help: 'Attacks that go on.',
    read: ({ now }) => now.openIncidents,
  },
  {
    name: 'floodgauge_detect_incidents_total',
    help: 'Attacks detected.',
    read: ({ counted }) => counted.incidents,
  },
  {
    name: 'floodgauge_detect_reports_total',
    help: 'Reports of attacks: in full, or of their rates alone, when it is the turn of others to have their lists renewed.',
    labels: ['form'],
    read: ({ counted }) => byLabel('form', { full: counted.reportsInFull, rates: counted.reportsOfRates }),
  },
  {
    name: 'floodgauge_detect_traces_total',
    help: 'Half minutes of an address or network near a line that were kept, so that they can be judged again (floodgauge explain).',
    read: ({ counted }) => counted.traces,
  },
  {
    name: 'floodgauge_detect_refused_total',
    help: 'What found no place in a bounded table: counters of targets, of their classes, of seconds, incidents (these four counted again in each slot or pass, so up to four times a second), records of the last moments, items of lists, exporters, traces; and saved baselines that could not be used.',
    labels: ['table'],
    read: ({ counted, now }) =>
      byLabel('table', {
        targets: counted.targetsRefused,
        classes: counted.classesRefused,
        baselines: counted.baselinesRefused,
        seconds: now.amountsRefused,
        incidents: counted.incidentsRefused,
        records: now.records,
        items: now.items,
        exporters: now.exporters,
        traces: counted.tracesRefused,
      }),
  },
]

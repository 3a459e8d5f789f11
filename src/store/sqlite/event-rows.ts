// How an event lies in its tables: the columns of the summary, each with its value, and what is read back.
import type { SQLInputValue } from 'node:sqlite'
import { type Episode, noStatistics, type Statistics } from '../../detect/incident-report.ts'
import { type EventDetail, type EventSummary, eventPhases, type NewEvent } from '../store.ts'
import { json, number, numberOrNull, type Row, text, textOrNull } from './rows.ts'

type Value<Given> = (given: Given) => SQLInputValue

/** What an update changes: see `EventUpdate`. */
type Changing = Pick<
  NewEvent,
  | 'label'
  | 'bytesPerSecond'
  | 'packetsPerSecond'
  | 'flowsPerSecond'
  | 'activeSeconds'
  | 'peak'
  | 'worst'
  | 'deviation'
  | 'normalPacketsPerSecond'
  | 'startMs'
  | 'lastMs'
  | 'endMs'
  | 'phase'
  | 'episode'
>

export const changingColumns = {
  label: ({ label }) => label,
  bytes_per_second: ({ bytesPerSecond }) => bytesPerSecond,
  packets_per_second: ({ packetsPerSecond }) => packetsPerSecond,
  flows_per_second: ({ flowsPerSecond }) => flowsPerSecond,
  active_seconds: ({ activeSeconds }) => activeSeconds,
  peak: ({ peak }) => JSON.stringify(peak),
  worst: ({ worst }) => JSON.stringify(worst),
  deviation: ({ deviation }) => deviation,
  normal_packets_per_second: ({ normalPacketsPerSecond }) => normalPacketsPerSecond,
  start_ms: ({ startMs }) => startMs,
  last_ms: ({ lastMs }) => lastMs,
  end_ms: ({ endMs }) => endMs,
  phase: ({ phase }) => phase,
  episode: ({ episode }) => episode.number,
} as const satisfies Record<string, Value<Changing>>

/** Those that the store itself fills are left out. */
export const givenColumns = {
  user_id: ({ userId }) => userId,
  created_ms: ({ createdMs }) => createdMs,
  id: ({ id }) => id,
  incident: ({ incident }) => incident,
  address: ({ address }) => address,
  site: ({ site }) => site,
  domain: ({ domain }) => domain,
  view: ({ view }) => view,
  is_test: ({ isTest }) => Number(isTest),
  network: ({ network }) => JSON.stringify(network),
  ...changingColumns,
} as const satisfies Record<string, Value<NewEvent>>

export const summaryColumns = [...Object.keys(givenColumns), 'returns', 'updated_ms', 'sequence'].join(', ')

export function valuesOf<Given>(columns: Record<string, Value<Given>>, given: Given): SQLInputValue[] {
  return Object.values(columns).map((read) => read(given))
}

export function summaryFrom(row: Row): EventSummary {
  return {
    id: text(row, 'id'),
    userId: text(row, 'user_id'),
    incident: text(row, 'incident'),
    createdMs: number(row, 'created_ms'),
    address: number(row, 'address'),
    site: text(row, 'site'),
    domain: text(row, 'domain'),
    view: text(row, 'view') === 'all' ? 'all' : 'totals',
    label: textOrNull(row, 'label'),
    ...amountFrom(row),
    worst: json<EventSummary['worst']>(row, 'worst'),
    deviation: number(row, 'deviation'),
    normalPacketsPerSecond: numberOrNull(row, 'normal_packets_per_second'),
    startMs: number(row, 'start_ms'),
    lastMs: number(row, 'last_ms'),
    endMs: numberOrNull(row, 'end_ms'),
    phase: phaseFrom(text(row, 'phase')),
    returns: number(row, 'returns'),
    isTest: number(row, 'is_test') === 1,
    network: textOrNull(row, 'network') === null ? null : json<EventSummary['network']>(row, 'network'),
    updatedMs: number(row, 'updated_ms'),
    sequence: number(row, 'sequence'),
  }
}

export function amountFrom(row: Row) {
  return {
    activeSeconds: number(row, 'active_seconds'),
    bytesPerSecond: number(row, 'bytes_per_second'),
    packetsPerSecond: number(row, 'packets_per_second'),
    flowsPerSecond: number(row, 'flows_per_second'),
    peak: json<EventDetail['peak']>(row, 'peak'),
  }
}

/** A word of a newer version is that of an event which changes no more here. */
function phaseFrom(word: string): EventSummary['phase'] {
  return eventPhases.find((each) => each === word) ?? 'closed'
}

/** What is not known of a reason of before it was told. */
const unsaid = { band: null, error: 0 }

/** All but what is large, the latest episode and the sites. */
export function describedFrom(row: Row): Omit<EventDetail, keyof Evidence | 'episode' | 'ofEpisode' | 'sites'> {
  return {
    ...summaryFrom(row),
    // Those of older versions say less.
    why: json<EventDetail['why']>(row, 'why').map((why) => ({ ...unsaid, ...why })),
    vectors: json<EventDetail['vectors']>(row, 'vectors'),
    victims: json<EventDetail['victims']>(row, 'victims'),
    networks: json<EventDetail['networks']>(row, 'networks'),
    followed: json<EventDetail['followed']>(row, 'followed'),
    dns: json<EventDetail['dns']>(row, 'dns'),
  }
}

/** What is large. */
export type Evidence = Pick<EventDetail, 'statistics' | 'course'>

export function evidenceFrom(row: Row): Evidence {
  return { statistics: statisticsFrom(row), course: json<EventDetail['course']>(row, 'course') }
}

/** What was kept before a list was added lacks it, and how much may miss in it. */
export function statisticsFrom(row: Row): Statistics {
  const { flowsMissedMax, ...lists } = json<Partial<Statistics>>(row, 'statistics')
  return { ...noStatistics, ...lists, flowsMissedMax: { ...noStatistics.flowsMissedMax, ...flowsMissedMax } }
}

/** The only episode of an event that has not come back, by its summary. `number`: the detector's. */
export function onlyEpisode(summary: EventSummary, number: number): Episode {
  const { activeSeconds, bytesPerSecond, packetsPerSecond, flowsPerSecond, peak, startMs, lastMs } = summary
  return {
    ...{ number, startMs, endMs: lastMs },
    ...{ activeSeconds, bytesPerSecond, packetsPerSecond, flowsPerSecond, peak },
  }
}

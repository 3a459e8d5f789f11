// What can be read off an event's course: the columns of a metric, the rate now, since when traffic is back, and the threshold and the normal band of
// the quantity that is drawn. Pure.
import type { EventReport, EventSeries } from '../queries.ts'

export const metrics = ['bits', 'packets', 'flows'] as const
export type Metric = (typeof metrics)[number]

/** What a threshold and a normal are of: all traffic of the victim, or that of the attack's kind. */
export type Quantity = 'all' | 'kind'

type Value = number | null
type Rates = EventSeries['total']

/** How the API calls what a metric shows. */
export const whyMetrics: Readonly<Record<Metric, string>> = { bits: 'bytes', packets: 'packets', flows: 'flows' }
const bitsPerByte = 8
/** A rate now is an average over so long, so that one full second does not make it jump. */
const nowSeconds = 5
/** Traffic above this many times what came before the attack has not gone back to normal. */
const backRatio = 2
/** It is back when it has been for so long. */
const backSeconds = 30
/** And when it is no more than such a part of the peak. */
const backPart = 0.2

/** The last step of what goes on is not over: it would look like a fall. */
export function wholeSteps(series: EventSeries, isOpen: boolean): EventSeries {
  if (!isOpen) return series
  const cut = ({ bytesPerSecond, packetsPerSecond, flowsPerSecond }: Rates): Rates => ({
    bytesPerSecond: bytesPerSecond.slice(0, -1),
    packetsPerSecond: packetsPerSecond.slice(0, -1),
    flowsPerSecond: flowsPerSecond.slice(0, -1),
  })
  return { ...series, total: cut(series.total), attack: cut(series.attack) }
}

export function columnOf(rates: Rates, metric: Metric): readonly Value[] {
  if (metric === 'bits') return rates.bytesPerSecond.map((bytes) => (bytes === null ? null : bytes * bitsPerByte))
  return metric === 'packets' ? rates.packetsPerSecond : rates.flowsPerSecond
}

/** All traffic of the victim in the last whole seconds; null: none is recorded. */
export function rateNow(series: EventSeries): { bytesPerSecond: number; packetsPerSecond: number } | null {
  const { total, stepSeconds } = wholeSteps(series, true)
  const steps = Math.max(1, Math.round(nowSeconds / stepSeconds))
  const bytesPerSecond = averageOf(total.bytesPerSecond.slice(-steps))
  const packetsPerSecond = averageOf(total.packetsPerSecond.slice(-steps))
  return bytesPerSecond === null || packetsPerSecond === null ? null : { bytesPerSecond, packetsPerSecond }
}

/**
 * Since when, Unix milliseconds, the traffic is what it was in the minute before the attack; null: it is not, or nothing is known of the time before.
 */
export function backToBefore(series: EventSeries, { start }: Pick<EventReport, 'start'>): number | null {
  const { total, stepSeconds, from } = wholeSteps(series, true)
  const fromMs = Date.parse(from)
  const stepMs = stepSeconds * 1_000
  const lead = Math.floor((Date.parse(start) - fromMs) / stepMs)
  const packets = total.packetsPerSecond
  const before = averageOf(packets.slice(0, Math.max(0, lead)))
  if (before === null) return null
  const peak = packets.reduce<number>((most, value) => Math.max(most, value ?? 0), 0)
  const most = Math.min(backRatio * before, backPart * peak)
  const back = packets.findLastIndex((value) => value === null || value > most) + 1
  if ((packets.length - back) * stepSeconds < backSeconds) return null
  return fromMs + back * stepMs
}

function averageOf(values: readonly Value[]): number | null {
  const known = values.filter((value) => value !== null)
  return known.length === 0 ? null : known.reduce((sum, value) => sum + value, 0) / known.length
}

/** What was judged: the traffic of the attack's kind, unless no kind of traffic stood out by itself. */
export function judgedQuantity({ attackType }: Pick<EventReport, 'attackType'>, series: EventSeries | null): Quantity {
  if (attackType !== null) return 'kind'
  const { total, attack } = series ?? {}
  if (total === undefined || attack === undefined) return 'all'
  return total.packetsPerSecond.every((packets, step) => packets === attack.packetsPerSecond[step]) ? 'all' : 'kind'
}

export interface Levels {
  /** What threshold and band measure. */
  of: Quantity
  /** In the unit of the metric, per second. */
  threshold: number | null
  band: { low: number; high: number } | null
}

/** The threshold that was crossed and what is normal, of one quantity and in one metric: what can't be compared is left out. */
export function levelsOf(event: Pick<EventReport, 'attackType' | 'why'>, series: EventSeries, metric: Metric): Levels {
  const of = judgedQuantity(event, series)
  const factor = metric === 'bits' ? bitsPerByte : 1
  const why = event.why.find((reason) => reason.metric === whyMetrics[metric])
  const threshold = why === undefined ? null : why.linePerSecond * factor
  if (why?.band != null) {
    const { lowPerSecond, highPerSecond } = why.band
    return { of, threshold, band: { low: lowPerSecond * factor, high: highPerSecond * factor } }
  }
  const known = metric === 'packets' ? series.normal : null
  if (known === null) return { of, threshold, band: null }
  const { lowPacketsPerSecond, highPacketsPerSecond } = of === 'all' ? known.total : known.attack
  return { of, threshold, band: { low: lowPacketsPerSecond, high: highPacketsPerSecond } }
}

/** When the attack was there: its episodes, without the time between an end that was reported and the return. `nowMs`: the end of one that goes on. */
export function windowsOf(
  episodes: readonly Pick<EventReport['episodes'][number], 'start' | 'end'>[],
  nowMs: number,
): { startMs: number; endMs: number }[] {
  return episodes.map(({ start, end }) => ({
    startMs: Date.parse(start),
    endMs: end === null ? nowMs : Date.parse(end),
  }))
}

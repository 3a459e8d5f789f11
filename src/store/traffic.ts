// Traffic: what came to each address, minute by minute; what is kept so that a past moment can be explained: the half minutes in which an address or network
// came near a line, and how well the service saw each minute.
import type { SavedTrace } from '../detect/trace/trace-code.ts'
import type { MinutePoint, SecondRates } from '../history/minute-series.ts'

/** A target whose minutes are asked for, from a minute on (Unix seconds). */
export interface WantedTarget {
  address: number
  fromMinute: number
}

/** Traffic of several targets in a step; `minute` is where it begins, in Unix seconds. */
export interface StepSum extends SecondRates {
  minute: number
  /** Minutes of the step that have traffic. */
  minutes: number
  /** What the least and the most of these minutes had, of all targets together. */
  least: SecondRates
  most: SecondRates
  /**
   * In the busiest second of a minute. Of one target as it is kept; of several the means of the minute, and beyond them what the one target has that
   * exceeds its mean most: seconds of different targets are not kept side by side, so all of them together may have had more.
   */
  busiest: SecondRates
}

/** fromMinute <= minute < toMinute, in Unix seconds. Steps are whole minutes, counted back from the end. */
export interface SeriesWindow {
  fromMinute: number
  toMinute: number
  stepSeconds: number
}

export interface Traffic {
  /** Adds to what is known of the minute, and keeps the busiest of its seconds: a minute may come in parts. Up to 1,000 points are added all or none. */
  appendSeries(points: MinutePoint[]): Promise<void>
  /**
   * Sums of all the targets together, steps in any order. Once `isWanted` says no, what was summed so far. `userId` is who asks, and whose turn it takes:
   * which addresses are the user's is for the caller to know.
   */
  sumSeries(
    userId: string,
    targets: readonly WantedTarget[],
    window: SeriesWindow,
    isWanted?: () => boolean,
  ): Promise<StepSum[]>
  /** The latest minute from then on with traffic to each address, in Unix seconds; an address without any is left out. `userId` is who asks, likewise. */
  lastTraffic(userId: string, addresses: readonly number[], fromMinute: number): Promise<Map<number, number>>
}

/** An address or a network whose traces are asked for. */
export interface TracedPlace {
  address: number
  /** Prefix length, bits. */
  length: number
}

/** From a second on and up to another (exclusive), Unix time. */
export interface TraceWindow {
  fromSecond: number
  toSecond: number
  /** The first of them. */
  limit: number
}

/**
 * What was not seen whole in a minute: `watched` says that the service ran; an exporter was `silent` (amount: seconds since its last datagram), or of what
 * it sent datagrams or records were `lost`, sets of data had `no-template`, or records had `no-sampling` rate; `dropped` datagrams found no room in the
 * receive buffer; the detector was `behind` (milliseconds); `untraced` half minutes near a line were not kept.
 */
export const sightKinds = [
  'watched',
  'silent',
  'lost',
  'no-template',
  'no-sampling',
  'dropped',
  'behind',
  'untraced',
] as const

export type SightKind = (typeof sightKinds)[number]

export interface Sight {
  /** Unix time of the minute's start, seconds. */
  minute: number
  kind: SightKind
  /** IP address; empty: it is about the service as a whole. */
  exporter: string
  amount: number
}

export interface Traces {
  /** One that is there already is replaced. */
  appendTraces(traces: SavedTrace[]): Promise<void>
  /** By second, then by prefix length; `userId` is who asks, and whose turn it takes. `unreadable`: rows that are not as they were written, and are left out. */
  tracesOf(
    userId: string,
    places: readonly TracedPlace[],
    window: TraceWindow,
  ): Promise<{ traces: SavedTrace[]; unreadable: number }>
  /** Where there is one already, the larger amount stays. */
  appendSights(sights: Sight[]): Promise<void>
  /** By minute; of all kinds unless some are asked for. */
  sightsBetween(userId: string, window: TraceWindow & { kinds?: readonly SightKind[] }): Promise<Sight[]>
  /** The first minute that is known of; null: none is. Unix time, seconds. */
  firstSight(userId: string): Promise<number | null>
}

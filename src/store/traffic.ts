// Traffic series: what came to each address, minute by minute.
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

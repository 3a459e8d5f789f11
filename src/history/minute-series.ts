// Traffic of each target by the minute, for charts: what was added since it was last taken. Late records add to past minutes, so a
// minute may be given several times, and whoever keeps the points adds them up.

export interface MinutePoint {
  address: number
  /** Unix time of the minute's start, seconds. */
  minute: number
  bytes: number
  packets: number
  flows: number
}

export class MinuteSeries {
  readonly #pointsMax: number
  #points = new Map<number, MinutePoint>()
  /** Amounts that found no place. */
  refused = 0

  constructor(pointsMax = 200_000) {
    this.#pointsMax = pointsMax
  }

  /** Adds amounts a second to the seconds `from` to `to` (exclusive). */
  add(address: number, from: number, to: number, rates: { packets: number; bytes: number; flows: number }): void {
    for (let second = from; second < to; ) {
      const minute = second - (second % 60)
      const next = Math.min(to, minute + 60)
      const point = this.#pointAt(address, minute)
      if (point !== null) {
        point.packets += rates.packets * (next - second)
        point.bytes += rates.bytes * (next - second)
        point.flows += rates.flows * (next - second)
      }
      second = next
    }
  }

  take(): MinutePoint[] {
    const points = [...this.#points.values()]
    this.#points = new Map()
    return points
  }

  #pointAt(address: number, minute: number): MinutePoint | null {
    // The low 20 bits of the minute (two years) tell the minutes at hand apart, and fit an exact double with the address.
    const key = address * 2 ** 20 + ((minute / 60) % 2 ** 20)
    const found = this.#points.get(key)
    if (found !== undefined) return found
    if (this.#points.size >= this.#pointsMax) {
      this.refused++
      return null
    }
    const point = { address, minute, bytes: 0, packets: 0, flows: 0 }
    this.#points.set(key, point)
    return point
  }
}

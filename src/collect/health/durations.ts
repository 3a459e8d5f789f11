// A histogram of durations in fixed room: four bins to each doubling, from a second to more than a day. It gives quantiles, and the timeout that cuts
// durations off, if one does.

const binsPerOctave = 4
/** Doublings that are covered: 2^17 seconds are a day and a half. */
const binsMax = 17 * binsPerOctave + 1
/** Shortest timeout that is recognised, seconds: durations that pile up below it are flows of one kind. */
const cutSecondsMin = 2
/** Durations needed before a timeout is recognised. */
const proofMin = 50
/** Usual timeouts, in seconds: a measured one that is near is rounded to it. */
const usualSeconds = [1, 2, 5, 10, 15, 20, 30, 45, 60, 90, 120, 180, 240, 300, 600, 900, 1_200, 1_800, 3_600, 7_200]
const nearly = 0.08

export class DurationHistogram {
  /** Counts by bin; place 0 is for less than a second. */
  readonly #counts = new Uint32Array(binsMax)
  readonly #sums = new Float64Array(binsMax)
  count = 0

  add(ms: number): void {
    const place = ms < 1000 ? 0 : Math.min(1 + Math.floor(Math.log2(ms / 1000) * binsPerOctave), binsMax - 1)
    this.#counts[place]++
    this.#sums[place] += ms
    this.count++
  }

  /** Mean of the bin that holds the quantile, in seconds; null when there are too few durations. */
  quantileSeconds(quantile: number): number | null {
    if (this.count < proofMin) return null
    let above = this.count * (1 - quantile)
    for (let place = binsMax - 1; place >= 0; place--) {
      above -= this.#counts[place]
      if (above <= 0 && this.#counts[place] > 0) return this.#meanSeconds(place)
    }
    return null
  }

  /**
   * The duration that many have and hardly any exceeds: records of flows that go on are cut there. Null when there is no such duration, because no flow
   * was long enough or too few are known.
   */
  cutSeconds(): number | null {
    if (this.count < proofMin) return null
    const worthy = Math.max(3, this.count / 1000)
    let place = binsMax - 1
    while (place > 0 && this.#counts[place] < worthy) place--
    if (place === 0) return null
    // The pile may lie on both sides of a bin's edge; the bin below it shows what would be there without a cut.
    const fullest = place > 1 && this.#counts[place - 1] > this.#counts[place] ? place - 1 : place
    const pile = this.#counts[place] + (place > 1 ? this.#counts[place - 1] : 0)
    let below = 0
    for (let i = 2; i <= 5; i++) if (place - i > 0) below += this.#counts[place - i] / 4
    const seconds = this.#meanSeconds(fullest)
    return pile >= 4 * below && seconds >= cutSecondsMin ? usual(seconds) : null
  }

  /** The median as a timeout: rounded to a usual one that is near. */
  medianTimeoutSeconds(): number | null {
    const seconds = this.quantileSeconds(0.5)
    return seconds === null ? null : usual(seconds)
  }

  #meanSeconds(place: number): number {
    return this.#sums[place] / this.#counts[place] / 1000
  }
}

function usual(seconds: number): number {
  for (const each of usualSeconds) if (Math.abs(seconds - each) <= each * nearly) return each
  return Math.round(seconds * 10) / 10
}

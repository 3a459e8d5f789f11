// A histogram of durations that needs a fixed room whatever it is given: four bins to each doubling, from a second to more than a day. Tells
// quantiles, and the timeout that cuts durations off, if one does.

const binsPerOctave = 4
/** 2^17 seconds are a day and a half. */
const binsMax = 17 * binsPerOctave + 1
/** No exporter cuts shorter: what piles up below are flows of one kind. */
const cutSecondsMin = 2
/** Fewer durations prove nothing. */
const proofMin = 50
/** What people and vendors set timeouts to, in seconds: what was measured to be near one of these is taken for it. */
const usualSeconds = [1, 2, 5, 10, 15, 20, 30, 45, 60, 90, 120, 180, 240, 300, 600, 900, 1_200, 1_800, 3_600, 7_200]
const nearly = 0.08

export class DurationHistogram {
  /** Place 0: less than a second. */
  readonly #counts = new Uint32Array(binsMax)
  readonly #sums = new Float64Array(binsMax)
  count = 0

  add(ms: number): void {
    const place = ms < 1000 ? 0 : Math.min(1 + Math.floor(Math.log2(ms / 1000) * binsPerOctave), binsMax - 1)
    this.#counts[place]++
    this.#sums[place] += ms
    this.count++
  }

  /** The mean of the bin that holds the quantile, in seconds; null when too little is known. */
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
   * Where durations pile up and hardly any is longer: records of flows that go on are cut there. Null when there is no such place: no flow
   * has been long enough, or too few are known.
   */
  cutSeconds(): number | null {
    if (this.count < proofMin) return null
    const worthy = Math.max(3, this.count / 1000)
    let place = binsMax - 1
    while (place > 0 && this.#counts[place] < worthy) place--
    if (place === 0) return null
    // The pile may lie on both sides of a bin's edge; what lies below it is what would be there without a cut.
    const fullest = place > 1 && this.#counts[place - 1] > this.#counts[place] ? place - 1 : place
    const pile = this.#counts[place] + (place > 1 ? this.#counts[place - 1] : 0)
    let below = 0
    for (let i = 2; i <= 5; i++) if (place - i > 0) below += this.#counts[place - i] / 4
    const seconds = this.#meanSeconds(fullest)
    return pile >= 4 * below && seconds >= cutSecondsMin ? usual(seconds) : null
  }

  /** The median as a timeout: the usual number that it is near to. */
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

// The usual traffic of a target by hour of the week: 168 octets, each the geometric mean of an hour, which a burst hardly changes.
import { normal as lines } from '../lines/normal.ts'
import { Rows } from '../rates/number-rows.ts'
import { codeOf, rateOf } from './level-code.ts'

const hourSeconds = 3_600
const dayHours = 24
export const weekHours = 168

export type SeasonRows = Rows<Uint8Array>

export function createSeasonRows(): SeasonRows {
  return new Rows((length) => new Uint8Array(length), weekHours)
}

export interface SavedSeason {
  hour: number
  sum: number
  count: number
  /** By hour of the week; null before the first hour is over. */
  codes: Uint8Array | null
}

export class Season {
  readonly #rows: SeasonRows
  /** Place of its row; null before the first hour is over. */
  #at: number | null = null
  /** The current hour, in Unix hours, with the sum of the logarithms of its values and their number. */
  #hour = 0
  #sum = 0
  #count = 0

  constructor(rows: SeasonRows) {
    this.#rows = rows
  }

  /** Learns the rate of all traffic of the target around a second, Unix time. */
  learn(second: number, rate: number): void {
    const hour = Math.floor(second / hourSeconds)
    if (hour !== this.#hour) {
      if (this.#count >= lines.hourValuesMin)
        this.#keep(this.#hour % weekHours, codeOf(Math.expm1(this.#sum / this.#count)))
      this.#hour = hour
      this.#sum = 0
      this.#count = 0
    }
    this.#sum += Math.log1p(rate)
    this.#count++
  }

  /** Highest usual rate of this hour, the one before and the one after, packets a second; 0 when this hour is not known. */
  levelAt(second: number): number {
    const hour = Math.floor(second / hourSeconds) + weekHours
    const code = this.#codeOf(hour)
    return code === 0 ? 0 : rateOf(Math.max(code, this.#codeOf(hour - 1), this.#codeOf(hour + 1)))
  }

  /** Hours of the week that are known, 0 to 168. */
  get hours(): number {
    if (this.#at === null) return 0
    return this.#rows.values.subarray(this.#at, this.#at + weekHours).reduce((sum, code) => sum + (code > 0 ? 1 : 0), 0)
  }

  save(): SavedSeason {
    const codes = this.#at === null ? null : this.#rows.values.slice(this.#at, this.#at + weekHours)
    return { hour: this.#hour, sum: this.#sum, count: this.#count, codes }
  }

  restore({ hour, sum, count, codes }: SavedSeason): void {
    this.#hour = hour
    this.#sum = sum
    this.#count = count
    if (codes === null) return
    this.#at ??= this.#rows.take()
    this.#rows.values.set(codes, this.#at)
  }

  /** Gives its memory back. */
  release(): void {
    if (this.#at !== null) this.#rows.give(this.#at)
    this.#at = null
  }

  /** Keeps the mean of an hour: each week counts as much as all before it. */
  #keep(hour: number, code: number): void {
    this.#at ??= this.#rows.take()
    const { values } = this.#rows
    const before = values[this.#at + hour]
    values[this.#at + hour] = before === 0 ? code : Math.round((before + code) / 2)
  }

  /** Code of an hour of the week; while that is not known, the mean of the same hour on the days that are. */
  #codeOf(hour: number): number {
    if (this.#at === null) return 0
    const { values } = this.#rows
    const own = values[this.#at + (hour % weekHours)]
    if (own > 0) return own
    let sum = 0
    let days = 0
    for (let other = hour % dayHours; other < weekHours; other += dayHours) {
      if (values[this.#at + other] === 0) continue
      sum += values[this.#at + other]
      days++
    }
    return days === 0 ? 0 : Math.round(sum / days)
  }
}

// Collects the traffic of each target by the minute, for charts: what was added since the last take. Late records add to
// past minutes, so a minute may be taken several times: whoever keeps the points adds the amounts up, and keeps the busiest of the seconds.

/** Amounts of one second. */
export interface SecondRates {
  bytes: number
  packets: number
  flows: number
}

export interface MinutePoint {
  address: number
  /** Unix time of the minute's start, seconds. */
  minute: number
  bytes: number
  packets: number
  flows: number
  /**
   * The highest amounts that a second of the minute had, each by itself. Records are spread evenly over their time. Left out when unknown: the mean of
   * the minute stands in for it.
   */
  busiest?: SecondRates
}

/** Points in columns: 100,000 targets have as many every few seconds. */
export interface MinuteColumns {
  rows: number
  address: Uint32Array
  minute: Uint32Array
  bytes: Float64Array
  packets: Float64Array
  flows: Float64Array
  /** The amounts of the busiest second, filled in by `take`; 0: unknown. */
  maxBytes: Float64Array
  maxPackets: Float64Array
  maxFlows: Float64Array
}

/** Gives the busiest second of a minute at an address; null: unknown. */
export type BusiestOf = (address: number, minute: number) => SecondRates | null

const rowsAtFirst = 1 << 10

export class MinuteSeries {
  readonly #pointsMax: number
  #columns = createColumns(rowsAtFirst)
  /** Rows by minute and address. */
  readonly #rows = new Map<number, Map<number, number>>()
  /** The row that was found last: the seconds of an address come one after the other. */
  readonly #last = { address: -1, minute: -1, row: -1 }
  /** Amounts that found no room. */
  refused = 0

  constructor(pointsMax = 200_000) {
    this.#pointsMax = pointsMax
  }

  /** Adds amounts a second to the seconds `from` to `to` (exclusive). */
  add(address: number, from: number, to: number, rates: SecondRates): void {
    for (let second = from; second < to; ) {
      const minute = second - (second % 60)
      const next = Math.min(to, minute + 60)
      const row = this.#rowOf(address, minute)
      if (row !== null) {
        const { packets, bytes, flows } = this.#columns
        packets[row] += rates.packets * (next - second)
        bytes[row] += rates.bytes * (next - second)
        flows[row] += rates.flows * (next - second)
      }
      second = next
    }
  }

  /** The points since the last take; null when there are none. */
  take(busiestOf: BusiestOf): MinuteColumns | null {
    const { rows } = this.#columns
    if (rows === 0) return null
    const taken = resized(this.#columns, rows)
    for (let row = 0; row < rows; row++) {
      const busiest = busiestOf(taken.address[row], taken.minute[row])
      if (busiest === null) continue
      taken.maxBytes[row] = busiest.bytes
      taken.maxPackets[row] = busiest.packets
      taken.maxFlows[row] = busiest.flows
    }
    for (const column of columnsOf(this.#columns)) column.fill(0, 0, rows)
    this.#columns.rows = 0
    this.#rows.clear()
    this.#last.address = -1
    return taken
  }

  #rowOf(address: number, minute: number): number | null {
    const last = this.#last
    if (address === last.address && minute === last.minute) return last.row
    const row = this.#findRow(address, minute)
    if (row === null) return null
    last.address = address
    last.minute = minute
    last.row = row
    return row
  }

  #findRow(address: number, minute: number): number | null {
    let rows = this.#rows.get(minute)
    if (rows === undefined) {
      rows = new Map()
      this.#rows.set(minute, rows)
    }
    // Signed numbers are small integers, which a Map finds without allocating.
    const found = rows.get(address | 0)
    if (found !== undefined) return found
    if (this.#columns.rows >= this.#pointsMax) {
      this.refused++
      return null
    }
    const row = this.#columns.rows++
    if (row >= this.#columns.address.length) this.#columns = resized(this.#columns, row * 2)
    this.#columns.address[row] = address
    this.#columns.minute[row] = minute
    rows.set(address | 0, row)
    return row
  }
}

/** The rows `from` to `to` (exclusive) as points, or as many as exist. */
export function pointsOf(columns: MinuteColumns, from = 0, to = columns.rows): MinutePoint[] {
  const { address, minute, bytes, packets, flows, maxBytes, maxPackets, maxFlows } = columns
  return Array.from({ length: Math.min(to, columns.rows) - from }, (_, i) => {
    const row = from + i
    return {
      address: address[row],
      minute: minute[row],
      bytes: bytes[row],
      packets: packets[row],
      flows: flows[row],
      busiest: { bytes: maxBytes[row], packets: maxPackets[row], flows: maxFlows[row] },
    }
  })
}

export function columnsOf({ rows, ...columns }: MinuteColumns): (Uint32Array | Float64Array)[] {
  return Object.values(columns)
}

function createColumns(rows: number): MinuteColumns {
  return {
    rows: 0,
    address: new Uint32Array(rows),
    minute: new Uint32Array(rows),
    bytes: new Float64Array(rows),
    packets: new Float64Array(rows),
    flows: new Float64Array(rows),
    maxBytes: new Float64Array(rows),
    maxPackets: new Float64Array(rows),
    maxFlows: new Float64Array(rows),
  }
}

/** The same rows in columns that have room for `length`. */
function resized(from: MinuteColumns, length: number): MinuteColumns {
  const to = createColumns(length)
  to.rows = from.rows
  const target = columnsOf(to)
  for (const [i, column] of columnsOf(from).entries()) target[i].set(column.subarray(0, from.rows))
  return to
}

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

/** Points in columns: of 100,000 targets there are as many every few seconds. */
export interface MinuteColumns {
  rows: number
  address: Uint32Array
  minute: Uint32Array
  bytes: Float64Array
  packets: Float64Array
  flows: Float64Array
}

const rowsAtFirst = 1 << 10

export class MinuteSeries {
  readonly #pointsMax: number
  #columns = createColumns(rowsAtFirst)
  /** The row of each address, by minute. */
  readonly #rows = new Map<number, Map<number, number>>()
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

  /** What was added since; null: nothing. */
  take(): MinuteColumns | null {
    const { rows } = this.#columns
    if (rows === 0) return null
    const taken = resized(this.#columns, rows)
    for (const column of columnsOf(this.#columns)) column.fill(0, 0, rows)
    this.#columns.rows = 0
    this.#rows.clear()
    return taken
  }

  #rowOf(address: number, minute: number): number | null {
    let ofMinute = this.#rows.get(minute)
    if (ofMinute === undefined) {
      ofMinute = new Map()
      this.#rows.set(minute, ofMinute)
    }
    // As signed numbers all addresses are small integers, which a Map finds without making objects of them.
    const found = ofMinute.get(address | 0)
    if (found !== undefined) return found
    if (this.#columns.rows >= this.#pointsMax) {
      this.refused++
      return null
    }
    const row = this.#columns.rows++
    if (row >= this.#columns.address.length) this.#columns = resized(this.#columns, row * 2)
    this.#columns.address[row] = address
    this.#columns.minute[row] = minute
    ofMinute.set(address | 0, row)
    return row
  }
}

/** The rows `from` to `to` (exclusive), or as many as there are, one by one. */
export function pointsOf(columns: MinuteColumns, from = 0, to = columns.rows): MinutePoint[] {
  const { address, minute, bytes, packets, flows } = columns
  return Array.from({ length: Math.min(to, columns.rows) - from }, (_, i) => {
    const row = from + i
    return {
      address: address[row],
      minute: minute[row],
      bytes: bytes[row],
      packets: packets[row],
      flows: flows[row],
    }
  })
}

export function columnsOf({ address, minute, bytes, packets, flows }: MinuteColumns) {
  return [address, minute, bytes, packets, flows]
}

function createColumns(rows: number): MinuteColumns {
  return {
    rows: 0,
    address: new Uint32Array(rows),
    minute: new Uint32Array(rows),
    bytes: new Float64Array(rows),
    packets: new Float64Array(rows),
    flows: new Float64Array(rows),
  }
}

/** The same rows in columns that have room for `length`. */
function resized(from: MinuteColumns, length: number): MinuteColumns {
  const to = createColumns(length)
  to.rows = from.rows
  to.address.set(from.address.subarray(0, from.rows))
  to.minute.set(from.minute.subarray(0, from.rows))
  to.bytes.set(from.bytes.subarray(0, from.rows))
  to.packets.set(from.packets.subarray(0, from.rows))
  to.flows.set(from.flows.subarray(0, from.rows))
  return to
}

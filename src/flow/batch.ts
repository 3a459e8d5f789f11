// The batch: a reusable block of flow records, one typed array a column. Its collector owns it; consumers copy what they keep.
import { type ColumnKind, type ColumnName, columns } from './columns.ts'

type ArrayOf = { u32: Uint32Array; f64: Float64Array; ip6: Uint8Array }
export type ColumnArray = ArrayOf[ColumnKind]
export type ColumnArrays = { readonly [C in ColumnName]: ArrayOf[(typeof columns)[C]] }

export interface Batch {
  readonly capacity: number
  /** Number of filled rows. Columns are valid up to here, until the next `clear`. */
  rows: number
  readonly columns: ColumnArrays
}

const constructors = {
  u32: (rows: number) => new Uint32Array(rows),
  f64: (rows: number) => new Float64Array(rows),
  ip6: (rows: number) => new Uint8Array(rows * 16),
}

export function createColumn(kind: ColumnKind, capacity: number): ColumnArray {
  return constructors[kind](capacity)
}

export function createBatch(capacity: number): Batch {
  const arrays = Object.fromEntries(Object.entries(columns).map(([name, kind]) => [name, createColumn(kind, capacity)]))
  return { capacity, rows: 0, columns: arrays as ColumnArrays }
}

/** Writes the same value into `count` rows: a call of `fill` costs more for the few rows of a datagram. */
export function fillRows(column: ColumnArray, row: number, count: number, value: number): void {
  for (let i = row; i < row + count; i++) column[i] = value
}

/** Zeroes the rows in use and empties the batch, so that a decoder writes only what its exporter sent. */
export function clearBatch(batch: Batch): void {
  for (const array of Object.values(batch.columns)) array.fill(0, 0, batch.rows * (array.length / batch.capacity))
  batch.rows = 0
}

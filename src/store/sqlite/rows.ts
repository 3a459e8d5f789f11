// Columns of a row as typed values. A column of another type than its table declares is a bug, and throws.
import { AssertionError } from 'node:assert'
import type { SQLOutputValue } from 'node:sqlite'

export type Row = Record<string, SQLOutputValue>

function wrong(column: string, value: unknown): AssertionError {
  return new AssertionError({ message: `column ${column} holds ${value === null ? 'null' : typeof value}` })
}

export function text(row: Row, column: string): string {
  const value = row[column]
  if (typeof value !== 'string') throw wrong(column, value)
  return value
}

export function number(row: Row, column: string): number {
  const value = row[column]
  if (typeof value !== 'number') throw wrong(column, value)
  return value
}

export function blob(row: Row, column: string): Uint8Array {
  const value = row[column]
  if (!(value instanceof Uint8Array)) throw wrong(column, value)
  return value
}

export function textOrNull(row: Row, column: string): string | null {
  return row[column] === null ? null : text(row, column)
}

export function numberOrNull(row: Row, column: string): number | null {
  return row[column] === null ? null : number(row, column)
}

/** A column of JSON that only this store writes, always from a value of the same type: hence the type is known. */
export function json<T>(row: Row, column: string): T {
  return JSON.parse(text(row, column)) as T
}

export function jsonOrNull<T>(row: Row, column: string): T | null {
  return row[column] === null ? null : json<T>(row, column)
}

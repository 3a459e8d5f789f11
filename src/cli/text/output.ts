// Data for standard output: tables for people, JSON lines for programs, numbers and times as people read them.
import { once } from 'node:events'
import { printable, safeLines } from './terminal.ts'

/** Writes a line or several; whatever is in them, a terminal shows it and does nothing else. */
export function writeLine(text: string): Promise<void> {
  return writeText(`${text}\n`)
}

/** The same without a line break at its end. Waits while the reader is slow, so that a long list does not pile up in memory. */
export async function writeText(text: string): Promise<void> {
  if (!process.stdout.write(safeLines(text))) await once(process.stdout, 'drain')
}

export interface Column<Row> {
  title: string
  /** Least width; a longer text shifts what follows, so that rows can be printed as they come. */
  width: number
  right?: boolean
  text(row: Row): string
}

export function tableHead<Row>(columns: readonly Column<Row>[]): string {
  return aligned(columns, (column) => column.title)
}

export function tableRow<Row>(columns: readonly Column<Row>[], row: Row): string {
  return aligned(columns, (column) => printable(column.text(row)))
}

export function tableOf<Row>(columns: readonly Column<Row>[], rows: readonly Row[]): string {
  return [tableHead(columns), ...rows.map((row) => tableRow(columns, row))].join('\n')
}

function aligned<Row>(columns: readonly Column<Row>[], textOf: (column: Column<Row>) => string): string {
  const cells = columns.map((column) => {
    const text = textOf(column)
    return column.right ? text.padStart(column.width) : text.padEnd(column.width)
  })
  return cells.join('  ').trimEnd()
}

const multiples = ['', 'k', 'M', 'G', 'T', 'P']

/** 1234567 -> `1.23 M`, with a unit `1.23 Mbps`. */
export function formatCount(value: number, unit = ''): string {
  let step = 0
  let scaled = value
  while (scaled >= 999.5 && step < multiples.length - 1) {
    scaled /= 1000
    step++
  }
  const digits = scaled >= 99.95 || Number.isInteger(scaled) ? 0 : scaled >= 9.995 ? 1 : 2
  return `${scaled.toFixed(digits)} ${multiples[step]}${unit}`.trimEnd()
}

/** `2017-03-08T10:09:18+00:00` -> `2017-03-08 10:09:18`, in UTC; a text that is no date-time stays as it is. */
export function formatTime(text: string): string {
  const ms = Date.parse(text)
  return Number.isNaN(ms) ? text : new Date(ms).toISOString().slice(0, 19).replace('T', ' ')
}

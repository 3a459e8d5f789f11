// Comma-separated values (RFC 4180), for spreadsheets. Pure.
import type { Cell } from '../events/columns.ts'

export function csvLine(cells: readonly Cell[]): string {
  return `${cells.map(cellText).join(',')}\r\n`
}

function cellText(cell: Cell): string {
  if (cell === null) return ''
  if (typeof cell === 'number') return String(cell)
  const text = withoutFormula(cell)
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}

/** Spreadsheets run what begins like a formula; names and notes come from elsewhere. */
function withoutFormula(text: string): string {
  return /^[=+\-@\t\r\n|%]/.test(text) ? `'${text}` : text
}

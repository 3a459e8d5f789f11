// How the values of an event's fields lie in a table: each as a cell that every database has. A store asks a column for its cells and adds nothing to it.

export type Cell = string | number | null

export interface Column<Value> {
  /** The type of its cells, in the words of SQL that SQLite and PostgreSQL share. */
  type: 'TEXT' | 'INTEGER' | 'REAL'
  isNullable: boolean
  toCell(value: Value): Cell
  /** The cell is of the column's type. */
  fromCell(cell: Cell): Value
}

export const text: Column<string> = { type: 'TEXT', isNullable: false, toCell: (value) => value, fromCell: String }

export const real: Column<number> = { type: 'REAL', isNullable: false, toCell: (value) => value, fromCell: Number }

export const integer: Column<number> = { ...real, type: 'INTEGER' }

/** 1: true. */
export const flag: Column<boolean> = {
  type: 'INTEGER',
  isNullable: false,
  toCell: Number,
  fromCell: (cell) => cell === 1,
}

export function orNull<Value>({ type, toCell, fromCell }: Column<Value>): Column<Value | null> {
  return {
    type,
    isNullable: true,
    toCell: (value) => (value === null ? null : toCell(value)),
    fromCell: (cell) => (cell === null ? null : fromCell(cell)),
  }
}

/** One of some words; a word that a newer version wrote reads as `otherwise`. */
export function word<Word extends string>(words: readonly Word[], otherwise: Word): Column<Word> {
  return { ...text, toCell: (value) => value, fromCell: (cell) => words.find((each) => each === cell) ?? otherwise }
}

/** A value as JSON. `complete` adds what values of older versions lack. Only this column writes its cells, always from a value of its type: hence the type is known. */
export function json<Value>(complete: (stored: Value) => Value = (stored) => stored): Column<Value> {
  return {
    type: 'TEXT',
    isNullable: false,
    toCell: (value) => JSON.stringify(value),
    fromCell: (cell) => complete(JSON.parse(String(cell)) as Value),
  }
}

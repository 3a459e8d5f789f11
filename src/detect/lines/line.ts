// The form of a threshold: its value, what it decides, and why it has this value.

export interface Line {
  value: number | readonly number[]
  unit: string
  /** A clause that says what is compared with the value, and what follows. */
  decides: string
  /** Where the number comes from: a measurement, a standard, or what goes wrong above and below it. */
  reason: string
}

export type Lines = Readonly<Record<string, Line>>

/** The values of some rows, by name. */
export type ValuesOf<Rows extends Lines> = {
  readonly [Name in keyof Rows]: Rows[Name]['value'] extends number ? number : readonly number[]
}

export function valuesOf<Rows extends Lines>(rows: Rows): ValuesOf<Rows>
export function valuesOf(rows: Lines): Record<string, Line['value']> {
  return Object.fromEntries(Object.entries(rows).map(([name, { value }]) => [name, value]))
}

// What the reporter of node:test says at the end of its output: how many tests there were, and what came of them.

const names = ['tests', 'suites', 'pass', 'fail', 'cancelled', 'skipped', 'todo'] as const

export type Totals = Readonly<Record<(typeof names)[number], number>>

export const noTotals: Totals = { tests: 0, suites: 0, pass: 0, fail: 0, cancelled: 0, skipped: 0, todo: 0 }

/** Null when the output does not end with totals: its process ended before its tests did. */
export function totalsOf(output: string): Totals | null {
  const found = new Map([...output.matchAll(/^ℹ (\w+) (\d+)$/gm)].map(([, name, count]) => [name, Number(count)]))
  if (!names.every((name) => found.has(name))) return null
  return Object.fromEntries(names.map((name) => [name, found.get(name)])) as Totals
}

export function addTotals(a: Totals, b: Totals): Totals {
  return Object.fromEntries(names.map((name) => [name, a[name] + b[name]])) as Totals
}

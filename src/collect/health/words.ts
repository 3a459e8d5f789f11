// Formats shares, spans of time and lists for people.

/** Formats 0.0312 as `3.1 %`; only 0 is `0 %`. */
export function share(part: number): string {
  const percent = part * 100
  if (percent > 0 && percent < 0.01) return 'less than 0.01 %'
  return `${percent.toFixed(percent >= 10 ? 0 : percent >= 0.1 ? 1 : 2).replace(/\.0+$/, '')} %`
}

const units: readonly [ms: number, name: string][] = [
  [31_557_600_000, 'years'],
  [86_400_000, 'd'],
  [3_600_000, 'h'],
  [60_000, 'min'],
]

/** Formats 5400000 as `90 min`: in the largest unit that gives two or more. */
export function span(ms: number): string {
  for (const [unitMs, name] of units) if (ms >= 2 * unitMs) return `${Math.round(ms / unitMs)} ${name}`
  return ms >= 10_000 ? `${Math.round(ms / 1000)} s` : `${(ms / 1000).toFixed(1).replace(/\.0$/, '')} s`
}

/** Formats `1 set`, `2 sets`. */
export function counted(count: number, one: string): string {
  return `${count} ${one}${count === 1 ? '' : 's'}`
}

const listMax = 8

/** Formats `set 260`, `sets 260, 261`. */
export function listed(one: string, items: readonly (string | number)[]): string {
  return `${one}${items.length === 1 ? '' : 's'} ${shortened(items)}`
}

/** Formats `1, 2, 3`; for a long list its first items and the number of the others. */
export function shortened(items: readonly (string | number)[]): string {
  const more = items.length > listMax ? ` and ${items.length - listMax} more` : ''
  return items.slice(0, listMax).join(', ') + more
}

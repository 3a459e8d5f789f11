// The table of all metrics, from the rows that the components declare in their `metrics.ts` or `<part>-metrics.ts`.
import { globSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import type { MetricRow } from '../src/metrics.ts'

const source = fileURLToPath(new URL('../src', import.meta.url))

function isRow(value: unknown): value is MetricRow {
  return typeof value === 'object' && value !== null && 'name' in value && 'help' in value
}

/** Every row that a module exports, in a list or under a name. */
function rowsOf(module: object): MetricRow[] {
  return Object.values(module)
    .filter((value) => typeof value === 'object' && value !== null)
    .flatMap((value) => Object.values(value))
    .filter(isRow)
}

const modules = globSync('**/{,*-}metrics.ts', { cwd: source }).map((path) => import(`${source}/${path}`))
const rows = (await Promise.all(modules)).flatMap(rowsOf).sort((a, b) => (a.name < b.name ? -1 : 1))

export function renderMetrics(): string {
  const lines = rows.map(
    ({ name, help, labels = [] }) =>
      `| \`${name}\` | ${labels.map((label) => `\`${label}\``).join(', ')} | ${help.replaceAll('|', '\\|')} |`,
  )
  return ['| metric | labels | meaning |', '|---|---|---|', ...lines].join('\n')
}

// The table of all metrics, from the rows that the components declare beside themselves.
import { globSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import type { MetricRow } from '../src/metrics.ts'

const source = fileURLToPath(new URL('../src', import.meta.url))
/** What a module mentions that declares rows. */
const declaresRows =
  /\bexport const \w+(?:: readonly Metric(?:<|Row\b)|: (?:readonly )?HistogramRow\b|[^;]*?satisfies Record<string, MetricRow>)/

function isRow(value: unknown): value is MetricRow {
  return typeof value === 'object' && value !== null && 'name' in value && 'help' in value
}

/** Every row that a module exports: by itself, in a list or under a name. */
function rowsOf(module: object): MetricRow[] {
  return Object.values(module).flatMap((value) => (isRow(value) ? [value] : rowsWithin(value)))
}

function rowsWithin(value: unknown): MetricRow[] {
  return typeof value === 'object' && value !== null ? Object.values(value).filter(isRow) : []
}

const modules = globSync('**/*.ts', { cwd: source, exclude: ['**/*.test.ts'] })
  .map((path) => `${source}/${path}`)
  .filter((path) => declaresRows.test(readFileSync(path, 'utf8')))
  .map((path) => import(path))
const rows = (await Promise.all(modules)).flatMap(rowsOf).sort((a, b) => (a.name < b.name ? -1 : 1))

export function renderMetrics(): string {
  const lines = rows.map(
    ({ name, help, labels = [] }) =>
      `| \`${name}\` | ${labels.map((label) => `\`${label}\``).join(', ')} | ${help.replaceAll('|', '\\|')} |`,
  )
  return ['| metric | labels | meaning |', '|---|---|---|', ...lines].join('\n')
}

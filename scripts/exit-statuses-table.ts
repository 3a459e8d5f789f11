// The table of exit statuses in docs/alerts.md.
import { exitStatuses } from '../src/cli/usage.ts'

export function renderExitStatuses(): string {
  const rows = Object.entries(exitStatuses).map(([status, what]) => `| ${status} | ${what} |`)
  return ['| exit status | means |', '|---|---|', ...rows].join('\n')
}

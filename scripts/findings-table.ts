// The table of what is found about exporters, and what to do about it.
import { rules } from '../src/collect/health/findings.ts'

export function renderFindings(): string {
  const lines = rules.map(
    ({ rule, severity, about, advice }) =>
      `| \`${rule}\` | ${severity} | ${about.replaceAll('|', '\\|')} | ${advice.replaceAll('|', '\\|')} |`,
  )
  return ['| finding | severity | when | what to do |', '|---|---|---|---|', ...lines].join('\n')
}

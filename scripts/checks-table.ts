// The table of what readiness rests on.
import { checkNames } from '../src/contract/checks.ts'
import { checkRows } from '../src/serve/health/rows.ts'

export function renderChecks(): string {
  const lines = checkNames.map((name) => {
    const { well, help, isAdvice = false } = checkRows[name]
    return `| \`${name}\`${isAdvice ? ' (advice)' : ''} | ${well} | ${help} |`
  })
  return ['| check | it is well when | otherwise |', '|---|---|---|', ...lines].join('\n')
}

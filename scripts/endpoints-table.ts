// The table of endpoints in docs/api.md, from their declarations.
import { endpointNames, endpoints } from '../src/contract/endpoints.ts'
import type { Route } from '../src/contract/route.ts'

export function renderEndpoints(): string {
  const rows = endpointNames().map((name) => {
    const { method, path, ...rest }: Route = endpoints[name].route
    return `| \`${method} ${path}\` | ${rest.summary} | ${scopesOf(rest)} | \`${name}\` |`
  })
  return ['| Call | Does | Scope | Name |', '|---|---|---|---|', ...rows].join('\n')
}

function scopesOf({ scope, adminSeesAll }: Pick<Route, 'scope' | 'adminSeesAll'>): string {
  if (scope === 'public') return 'no credentials'
  if (scope === 'any') return 'any'
  return adminSeesAll ? `\`${scope}\` or \`admin\`` : `\`${scope}\``
}

// The table of the kinds of channels, for docs/alerts.md: what each needs, and what it was seen to work with.
import { channelKinds } from '../src/alert/channels/kinds.ts'

interface Property {
  description?: string
  default?: unknown
}

export function renderChannels(): string {
  const rows = [...channelKinds.values()].map(({ kind, title, proof, settings, secrets }) => {
    const needs = [...namesIn(settings, ''), ...namesIn(secrets, ' (secret)')].join(', ')
    return `| \`${kind}\` | ${title} | ${needs} | ${proof} |`
  })
  return ['| kind | reaches | settings | tested with |', '|---|---|---|---|', ...rows].join('\n')
}

/** What every message for people has is said once beside the table. */
const common = new Set(['language', 'timeZone'])

function namesIn(schema: object, mark: string): string[] {
  const { properties = {}, required = [] }: { properties?: Record<string, Property>; required?: string[] } = schema
  return Object.keys(properties)
    .filter((name) => !common.has(name))
    .map((name) => (required.includes(name) ? `\`${name}\`${mark}` : `[\`${name}\`]${mark}`))
}

// The types of what is posted to webhooks as a table of the documentation, from the contract.
import { webhookTypes } from '../src/contract/alerts/webhooks.ts'

export function renderTypes(): string {
  const rows = Object.entries(webhookTypes).map(([type, { when }]) => `| \`${type}\` | ${when} |`)
  return ['| `type` | when |', '|---|---|', ...rows].join('\n')
}

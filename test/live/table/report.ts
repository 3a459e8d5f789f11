// What was recorded, as Markdown: a row for each attack, a column for each exporter.
import type { Attack } from './attacks.ts'
import type { TableExporter } from './exporters.ts'
import { type Outcome, outcomeOf, percent, type Recorded, strays } from './outcome.ts'

export function tableOf(attacks: readonly Attack[], exporters: readonly TableExporter[], recorded: Recorded): string {
  const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |\n`
  const begun = attacks.filter(({ name }) => recorded.wire[name]?.packets > 0)
  const rows = begun.map((attack) =>
    line([attack.name, ...exporters.map((exporter) => cell(outcomeOf(attack, exporter, recorded)))]),
  )
  const notes = exporters.map(({ name }) => {
    const account = recorded.accounts[name]
    const said = account.watched.trim()
    const others = strays(attacks, account, recorded.beginMs)
    const list = others.map(({ address, start, attackType }) => `${address} ${start} ${attackType}`)
    return `${name}: ${others.length} other events ${list.join('; ')}; the watch: ${said}\n`
  })
  const header = [line(['attack', ...exporters.map(({ name }) => name)]), line(['---', ...exporters.map(() => '---')])]
  return [...header, ...rows, '\n', ...notes].join('')
}

function cell({ wrong, events, delay, endLater, packets }: Outcome): string {
  if (events.length === 0) return '**not found**'
  const numbers = `${delay?.toFixed(1) ?? '?'} s, end ${endLater?.toFixed(1) ?? 'open'}, ${percent(packets)}`
  return wrong.length === 0 ? numbers : `${numbers}; **${wrong.join(', ')}**`
}

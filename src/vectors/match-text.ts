// Which packets a row of the table of vectors holds, in words: several rows may have one label.
import { protocolName } from '../net/protocols.ts'
import { tcpFlagNames } from '../net/tcp-flags.ts'
import type { Match, Vector } from './vectors.ts'

/** By row: `TCP with SYN, ACK and without PSH`, `UDP from port 4500`; null: no other row has the label. */
export function matchTexts(table: readonly Vector[]): (string | null)[] {
  const rows = Map.groupBy(table, ({ label }) => label)
  return table.map(({ label, match }) => ((rows.get(label)?.length ?? 0) > 1 ? matchText(match) : null))
}

function matchText({ protocol, srcPort, flagsSet, flagsClear, fragment }: Match): string {
  const name = protocolName(protocol)
  if (fragment) return `${name} fragments`
  if (srcPort !== undefined) return `${name} from port ${srcPort}`
  if (flagsSet === undefined || flagsClear === undefined) return name
  const parts = [
    ...(flagsSet === 0 ? [] : [`with ${tcpFlagNames(flagsSet).join(', ')}`]),
    ...(flagsClear === 0 ? [] : [`without ${tcpFlagNames(flagsClear).join(', ')}`]),
  ]
  return `${name} ${parts.join(', ')}`.trim()
}

// The packets of a row of the table of vectors, in words: several rows may have one label.
import { protocolName } from '../net/protocols.ts'
import { tcpFlagNames } from '../net/tcp-flags.ts'
import type { Match, Vector } from './vectors.ts'

/** The words of each row; null where no other row has its label. */
export function matchTexts(table: readonly Vector[]): (string | null)[] {
  const rows = Map.groupBy(table, ({ label }) => label)
  return table.map(({ label, match }) => ((rows.get(label)?.length ?? 0) > 1 ? matchText(match) : null))
}

/** `TCP with SYN and without ACK, FIN`, `UDP from port 4500`, `TCP fragments`. */
export function matchText({ protocol, srcPort, flagsSet, flagsClear, fragment }: Match): string {
  const name = protocolName(protocol)
  if (fragment) return `${name} fragments`
  if (srcPort !== undefined && flagsSet === undefined) return `${name} from port ${srcPort}`
  if (flagsSet === undefined || flagsClear === undefined) return name
  const parts = [
    ...(srcPort === undefined ? [] : [`from port ${srcPort}`]),
    ...(flagsSet === 0 ? [] : [`with ${tcpFlagNames(flagsSet).join(', ')}`]),
    ...(flagsClear === 0 ? [] : [`without ${tcpFlagNames(flagsClear).join(', ')}`]),
  ]
  return `${name} ${parts.join(', ')}`.trim()
}

// The table of information elements that are understood, by what they are read for.
import { type Element, elements, ntopElements, reverseElements, sections } from '../src/decode/templates/elements.ts'
import type { WorkName } from '../src/decode/templates/scratch.ts'

const meaning: Record<string, readonly WorkName[]> = {
  bytes: ['bytes'],
  packets: ['packets'],
  addresses: ['srcAddr', 'dstAddr', 'src6', 'dst6', 'versionField'],
  'protocol and ports': ['ipProto', 'srcPort', 'dstPort'],
  'TCP flags': ['tcpFlags', 'firstFlags', 'laterFlags'],
  'ICMP type and code': ['icmpTypeCode', 'icmpType', 'icmpCode'],
  fragments: ['fragmentOffset', 'fragmentFlags'],
  'what a firewall did': ['firewallEvent'],
  'where it came in, and where it left': ['ingressInterface', 'egressInterface', 'direction'],
  'AS of the source': ['sourceAs'],
  start: ['startMs'],
  end: ['endMs'],
  'start of the exporter, duration': ['bootMs', 'durationMs'],
}

const rank = ({ rank = 0 }: Element) => rank
const named = ({ pen, id, name }: Pick<Element, 'pen' | 'id' | 'name'>) =>
  `${name} (${pen === undefined ? id : `${pen}/${id}`})`

export function renderElements(): string {
  const told = Object.entries(meaning).map(([what, columns]) => {
    const rows = elements.filter(({ column }) => columns.includes(column))
    return [what, rows.sort((a, b) => rank(a) - rank(b))] as const
  })
  const rest = elements.filter(({ column }) => !Object.values(meaning).flat().includes(column))
  const lines = [
    ...told,
    ['sampling', rest] as const,
    ['the way back, beside RFC 5103', [...reverseElements, ...ntopElements.reverse]] as const,
    ['beginning of a packet', sections] as const,
  ].map(([what, rows]) => `| ${what} | ${rows.map(named).join(', ')} |`)
  return ['| for | elements, the better ones first |', '|---|---|', ...lines].join('\n')
}

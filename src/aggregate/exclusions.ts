// Excludes traffic by port and by sender, for ranges of destinations. The rows are compiled once into arrays of plain data, which can be sent to threads.
// A record costs a search of its destination among the ranges, and of its ports and its sender in the lists there.
import { lastAddress, type Prefix, parsePrefix } from '../net/prefix.ts'
import { TCP, UDP } from '../net/protocols.ts'
import { isAmong, isInRanges, mergeRanges, placeOf } from '../net/ranges.ts'

/** The exclusions for destinations from `first` to the next row's. Rows are sorted, and the first begins at 0. */
export interface ExclusionRow {
  first: number
  /** See `parsePort`. */
  ports: readonly string[]
  /** IPv4 addresses and networks. */
  sources: readonly string[]
}

export interface Exclusions {
  readonly firsts: Uint32Array
  /** By row; null: nothing is excluded. */
  readonly rules: readonly (Rule | null)[]
}

interface Rule {
  /** Sorted keys: see `portKey`. */
  readonly ports: Uint32Array
  /** Sorted, disjoint pairs of first and last address. */
  readonly sources: Uint32Array
}

interface Port {
  protocol: number
  isSource: boolean
  port: number
}

/** Reads a port: `tcp/443` and `udp/53` are destination ports, `udp/src/53` is a source port. Null when the text is neither. */
export function parsePort(text: string): Port | null {
  const parts = /^(tcp|udp)\/(src\/)?(0|[1-9]\d{0,4})$/.exec(text)
  const port = Number(parts?.[3])
  if (parts === null || port > 65_535) return null
  return { protocol: parts[1] === 'tcp' ? TCP : UDP, isSource: parts[2] !== undefined, port }
}

/** Reads an address or a network; an address is a network of its own. Null when the text is neither. */
export function parseSource(text: string): Prefix | null {
  return parsePrefix(text.includes('/') ? text : `${text}/32`)
}

/** Compiles rows whose texts have been checked; null when nothing is excluded. Rows that share their lists share a rule. */
export function compileExclusions(rows: readonly ExclusionRow[]): Exclusions | null {
  const known = new Map<readonly string[], Map<readonly string[], Rule>>()
  const ruleOf = ({ ports, sources }: ExclusionRow): Rule | null => {
    if (ports.length === 0 && sources.length === 0) return null
    const ofPorts = known.get(ports) ?? new Map<readonly string[], Rule>()
    const rule = ofPorts.get(sources) ?? compileRule(ports, sources)
    known.set(ports, ofPorts.set(sources, rule))
    return rule
  }
  const rules = rows.map(ruleOf)
  if (rules.every((rule) => rule === null)) return null
  return { firsts: Uint32Array.from(rows, ({ first }) => first), rules }
}

function compileRule(ports: readonly string[], sources: readonly string[]): Rule {
  const keys = Uint32Array.from(ports, (text) => {
    const parsed = parsePort(text)
    if (parsed === null) throw new TypeError(`no port: ${text}`)
    return portKey(parsed.protocol, parsed.isSource, parsed.port)
  })
  const ranges = sources.map((text) => {
    const prefix = parseSource(text)
    if (prefix === null) throw new TypeError(`neither an address nor a network: ${text}`)
    return [prefix.network, lastAddress(prefix)] as const
  })
  return { ports: keys.sort(), sources: mergeRanges(ranges) }
}

/** One number for a protocol, a direction and a port. */
function portKey(protocol: number, isSource: boolean, port: number): number {
  return protocol * 2 ** 17 + (isSource ? 2 ** 16 : 0) + port
}

export function isExcluded(
  { firsts, rules }: Exclusions,
  address: number,
  protocol: number,
  srcPort: number,
  dstPort: number,
  source: number,
): boolean {
  const rule = rules[placeOf(firsts, address)]
  if (rule === null) return false
  if (isAmong(rule.ports, portKey(protocol, false, dstPort))) return true
  if (isAmong(rule.ports, portKey(protocol, true, srcPort))) return true
  return isInRanges(rule.sources, source)
}

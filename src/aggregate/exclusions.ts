// Traffic that is left out as if it had not come: by port and by sender, for ranges of destinations. Compiled once into arrays that are plain data, so
// that threads can be sent them; a record costs a search of its destination among the ranges, and of its ports and its sender in what is listed there.
import { lastAddress, mergeRanges, type Prefix, parsePrefix } from '../net/prefix.ts'
import { TCP, UDP } from '../net/protocols.ts'
import { isAmong, isInRanges, placeOf } from '../net/sorted.ts'

/** What is left out for the destinations from `first` on, up to the next row's. Rows are sorted, the first begins at 0. */
export interface ExclusionRow {
  first: number
  /** See `parsePort`. */
  ports: readonly string[]
  /** IPv4 addresses and networks. */
  sources: readonly string[]
}

export interface Exclusions {
  readonly firsts: Uint32Array
  /** By row; null: nothing is left out. */
  readonly rules: readonly (Rule | null)[]
}

interface Rule {
  /** Sorted: see `portKey`. */
  readonly ports: Uint32Array
  /** Sorted, disjoint pairs first, last. */
  readonly sources: Uint32Array
}

interface Port {
  protocol: number
  isSource: boolean
  port: number
}

/** `tcp/443` and `udp/53` are destination ports, `udp/src/53` is a source port; null when the text is neither. */
export function parsePort(text: string): Port | null {
  const parts = /^(tcp|udp)\/(src\/)?(0|[1-9]\d{0,4})$/.exec(text)
  const port = Number(parts?.[3])
  if (parts === null || port > 65_535) return null
  return { protocol: parts[1] === 'tcp' ? TCP : UDP, isSource: parts[2] !== undefined, port }
}

/** An address is a network of its own; null when the text is neither. */
export function parseSource(text: string): Prefix | null {
  return parsePrefix(text.includes('/') ? text : `${text}/32`)
}

/** Null when nothing is left out. The texts have been checked; rows that share their lists share a rule. */
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

/** One number for a port of a protocol's destinations or sources. */
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

// Zone files (RFC 1035 section 5): where their names lead, one record after the other. Pure; what can't be read is told by line and passed
// over. Nothing is included from other files.
import { canonicalOwner } from '../passive-dns/cof.ts'

export type ZoneEntry =
  | ({ kind: 'record'; line: number } & ZoneRecord)
  | { kind: 'broken'; line: number; reason: string }

export interface ZoneRecord {
  /** Canonical; null where no host has such a name. */
  name: string | null
  ttlSeconds: number
  type: string
  /** The text of an A record, or the canonical target of a CNAME record; null: an invalid target, or another type. */
  value: string | null
}

/** Words of one record. */
const wordsMax = 1_000
const ttlMaxSeconds = 0x7fffffff

interface Word {
  text: string
  isQuoted: boolean
}

/** One record or directive, which parentheses may spread over several lines. */
interface Statement {
  line: number
  /** It begins with a space: its owner is that of the record before. */
  isIndented: boolean
  words: Word[]
  /** Why it can't be read. */
  reason: string | null
}

//  word       comment            quoted        parenthesis  line break  space
const token = /(?:[^\s;"()\\]|\\[^\n])+|;[^\n]*|"(?:[^"\\\n]|\\[^\n])*"|[()]|\n|[^\S\n]+|["\\]/g

function* statementsOf(text: string): Generator<Statement> {
  let line = 1
  let depth = 0
  let isAtStart = true
  let statement: Statement = { line, isIndented: false, words: [], reason: null }
  for (const [part] of text.matchAll(token)) {
    if (part === '\n') {
      line++
      isAtStart = depth === 0
      if (depth > 0) continue
      yield statement
      statement = { line, isIndented: false, words: [], reason: null }
      continue
    }
    if (isAtStart && /^\s/.test(part)) statement.isIndented = true
    isAtStart = false
    if (/^[\s;]/.test(part)) continue
    if (part === '(') depth++
    else if (part === ')') {
      depth--
      if (depth < 0) statement.reason = 'A parenthesis is closed that was not opened'
      depth = Math.max(0, depth)
    } else if (part === '"' || part === '\\') statement.reason = 'A quotation mark or a backslash has no end'
    else if (statement.words.length >= wordsMax) statement.reason = `It has more than ${wordsMax} words`
    else {
      const isQuoted = part.startsWith('"')
      statement.words.push({ text: isQuoted ? part.slice(1, -1) : part, isQuoted })
    }
  }
  if (depth > 0) statement.reason = 'A parenthesis is not closed'
  yield statement
}

/** `origin`: canonical, what relative names are below until the file says otherwise; null: it must say it. */
export function* readZoneFile(text: string, origin: string | null): Generator<ZoneEntry> {
  const reader = new ZoneReader(origin)
  for (const statement of statementsOf(text)) {
    const entry = statement.words.length === 0 && statement.reason === null ? null : reader.read(statement)
    if (entry !== null) yield entry
  }
}

class ZoneReader {
  /** Without the dot at its end: empty is the root. Null: not known yet. */
  #origin: string | null
  #ttlSeconds = 0
  /** Undefined: there was no record yet. Null: that of the last record is no name of a host. */
  #owner: string | null | undefined = undefined

  constructor(origin: string | null) {
    this.#origin = origin
  }

  /** Null: a directive. */
  read({ line, isIndented, words, reason }: Statement): ZoneEntry | null {
    const outcome = reason ?? (isDirective(words[0]) ? this.#direct(words) : this.#record(words, isIndented))
    if (typeof outcome === 'string') return { kind: 'broken', line, reason: outcome }
    return outcome === null ? null : { kind: 'record', line, ...outcome }
  }

  /** A text is the reason why it can't be followed. */
  #direct([{ text: name }, ...values]: Word[]): string | null {
    const directive = name.toUpperCase()
    const value = values[0]?.text ?? ''
    if (directive === '$ORIGIN') {
      const origin = value === '.' ? '' : this.#absolute(value)
      if (origin === null) return '$ORIGIN must be a domain name'
      this.#origin = origin
      return null
    }
    if (directive === '$TTL') {
      const ttlSeconds = parseTtl(value)
      if (ttlSeconds === null) return '$TTL must be a time in seconds, or like 1h30m'
      this.#ttlSeconds = ttlSeconds
      return null
    }
    if (directive === '$INCLUDE') return '$INCLUDE is not followed: import the other file for itself'
    return `${directive.slice(0, 20)} is not known`
  }

  /** [owner] [TTL] [class] type rest, where TTL and class may change places. */
  #record(words: Word[], isIndented: boolean): ZoneRecord | string {
    let at = 0
    if (!isIndented) {
      const { text } = words[at++]
      if (this.#origin === null && !text.endsWith('.')) return 'The name is relative, and there is no $ORIGIN'
      this.#owner = this.#absolute(text)
    }
    if (this.#owner === undefined) return 'The first record has no owner'
    let ttlSeconds: number | null = null
    let className: string | null = null
    for (; at < words.length; at++) {
      const { text } = words[at]
      if (ttlSeconds === null && parseTtl(text) !== null) ttlSeconds = parseTtl(text)
      else if (className === null && /^(IN|CH|HS|CS)$/i.test(text)) className = text.toUpperCase()
      else break
    }
    const [given, value] = words.slice(at)
    if (given === undefined || given.isQuoted) return 'The record has no type'
    if (className !== null && className !== 'IN') return 'The record is not of class IN'
    const type = given.text.toUpperCase()
    return { name: this.#owner, ttlSeconds: ttlSeconds ?? this.#ttlSeconds, type, value: this.#value(type, value) }
  }

  #value(type: string, word: Word | undefined): string | null {
    if (word === undefined) return null
    if (type === 'A') return word.text
    return type === 'CNAME' ? this.#absolute(word.text) : null
  }

  /** Null: no host has such a name. */
  #absolute(text: string): string | null {
    if (text === '@') return this.#origin === null ? null : canonicalOwner(this.#origin)
    if (text.endsWith('.') && !text.endsWith('\\.')) return canonicalOwner(text)
    return canonicalOwner(this.#origin === null || this.#origin === '' ? text : `${text}.${this.#origin}`)
  }
}

function isDirective({ text, isQuoted }: Word): boolean {
  return !isQuoted && text.startsWith('$')
}

const unitSeconds: Readonly<Record<string, number>> = { '': 1, s: 1, m: 60, h: 3_600, d: 86_400, w: 604_800 }

/** `3600`, or `1h30m` as BIND takes it. */
function parseTtl(text: string): number | null {
  if (!/^(\d{1,10}|(\d{1,9}[smhdw])+)$/i.test(text)) return null
  const parts = [...text.matchAll(/(\d+)([smhdw]?)/gi)]
  const seconds = parts.reduce((sum, [, count, unit]) => sum + Number(count) * unitSeconds[unit.toLowerCase()], 0)
  return seconds <= ttlMaxSeconds ? seconds : null
}

// The query of an event list: which events it asks for, or what is wrong with it. Nothing is clamped.

import { canonicalHost } from '../../access/host-record.ts'
import { classifications } from '../../contract/events/classifications.ts'
import { unknownType } from '../../contract/events/filters.ts'
import { lastDays, otherTexts, pageEvents } from '../../contract/limits.ts'
import { type Severity, severities } from '../../events/severity.ts'
import { parseKey } from '../../net/address.ts'
import type { EventFilter, EventKey, EventWindow } from '../../store/store.ts'
import type { RawQuery } from '../http/endpoints.ts'
import type { ProblemErrors } from '../http/problem.ts'
import { QueryReader } from '../http/query.ts'

const dayMs = 86_400_000
/** Events in an answer about changes, unless another limit is given. */
const changesDefault = 100

/** `limit`: null for the whole window. */
export type WantedEvents = Omit<EventWindow, 'limit'> & {
  limit: number | null
  /** Without it however severe. */
  severity?: Severity
}

export type ParsedQuery = { ok: true; wanted: WantedEvents } | { ok: false; errors: ProblemErrors }

/** Without tests: nothing in the frozen part of the interface could say that they are. */
export function parseEventQuery(query: RawQuery, nowMs: number): ParsedQuery {
  return parseWith(new QueryReader(query), nowMs, { isTest: false })
}

/** With filters. */
export function parseFindQuery(query: RawQuery, nowMs: number): ParsedQuery {
  const reader = new QueryReader(query)
  const filter = readFilter(reader)
  const severity = reader.word('severity', severities)
  const isDescending = reader.word('order', ['asc', 'desc']) === 'desc'
  const parsed = parseWith(reader, nowMs, filter)
  if (!parsed.ok) return parsed
  return { ok: true, wanted: { ...parsed.wanted, isDescending, ...(severity === null ? {} : { severity }) } }
}

export type ParsedChanges =
  | { ok: true; since: { sequence: number; filter: EventFilter; limit: number } }
  | { ok: false; errors: ProblemErrors }

/** What changed since a place in the sequence, whenever it was made. */
export function parseChangedQuery(query: RawQuery): ParsedChanges {
  const reader = new QueryReader(query)
  const sequence = reader.wholeNumber('changedSince', { min: 0, max: Number.MAX_SAFE_INTEGER }) ?? 0
  const filter = readFilter(reader)
  const limit = reader.wholeNumber('limit', pageEvents) ?? changesDefault
  for (const parameter of ['last', 'start', 'end', 'order', 'cursor', 'severity'])
    if (query[parameter] !== undefined) reader.errors.push({ parameter, detail: 'It does not go with `changedSince`' })
  return reader.errors.length > 0
    ? { ok: false, errors: reader.errors }
    : { ok: true, since: { sequence, filter, limit } }
}

function readFilter(reader: QueryReader): EventFilter {
  const site = reader.read('site', canonicalHost, 'It must be a host record')
  const address = reader.read('address', parseKey, 'It must be an IPv4 address')
  const state = reader.word('state', ['open', 'ended'])
  const attackType = reader.read('attackType', (text) => text, '')
  const deviationMin = reader.amount('deviationMin')
  const classification = reader.word('classification', [...classifications, 'none'])
  const acknowledged = reader.word('acknowledged', ['true', 'false'])
  const test = reader.word('test', ['true', 'false'])
  const text = reader.text('q', 100)
  const others = readOtherTexts(reader)
  const host = text === null ? null : parseKey(text)
  return {
    ...(classification === null ? {} : { classification: classification === 'none' ? null : classification }),
    ...(acknowledged === null ? {} : { isAcknowledged: acknowledged === 'true' }),
    ...(test === null ? {} : { isTest: test === 'true' }),
    ...(text === null || host !== null ? {} : { texts: [text, ...others] }),
    ...(host === null ? {} : { victimOrSource: host }),
    ...(site === null ? {} : { site }),
    ...(address === null ? {} : { address }),
    ...(state === null ? {} : { isOpen: state === 'open' }),
    ...(attackType === null ? {} : { label: attackType === unknownType ? null : attackType }),
    ...(deviationMin === null ? {} : { deviationMin }),
  }
}

/** `qAlso`. */
export function readOtherTexts(reader: QueryReader): string[] {
  const { max, length, all } = otherTexts
  return (
    reader.read('qAlso', textsOf, `It must be at most ${max} texts of at most ${length} characters, ${all} in all`) ??
    []
  )
}

/** Null: too many or too long. */
function textsOf(given: string): string[] | null {
  const { max, length, all } = otherTexts
  const texts = given.split(',')
  const isShort = texts.length <= max && texts.every((text) => lengthOf(text) <= length) && lengthOf(given) <= all
  return isShort ? texts.map((text) => text.trim().toLowerCase()).filter((text) => text !== '') : null
}

/** In characters, as a schema counts them. */
function lengthOf(text: string): number {
  return Array.from(text).length
}

function parseWith(reader: QueryReader, nowMs: number, filter: EventFilter): ParsedQuery {
  const last = reader.wholeNumber('last', lastDays)
  const start = reader.time('start')
  const end = reader.time('end')
  const limit = reader.wholeNumber('limit', pageEvents)
  const after = reader.read('cursor', decodeCursor, 'It must be the cursor of a `Link` header')
  if (start !== null && end !== null && end < start) {
    reader.errors.push({ parameter: 'end', detail: 'It must not be before `start`' })
  }
  if (reader.errors.length > 0) return { ok: false, errors: reader.errors }
  return { ok: true, wanted: { ...windowOf({ last, start, end }, nowMs), filter, after, limit } }
}

interface Bounds {
  last: number | null
  start: number | null
  end: number | null
}

function windowOf({ last, start, end }: Bounds, nowMs: number): { fromMs: number | null; toMs: number | null } {
  const defaultMs = lastDays.default * dayMs
  if (last !== null) return { fromMs: Math.max(nowMs - last * dayMs, start ?? Number.NEGATIVE_INFINITY), toMs: end }
  if (start !== null) return { fromMs: start, toMs: end }
  return { fromMs: (end ?? nowMs) - defaultMs, toMs: end }
}

/** Twelve hex digits of the time and the id. */
export function encodeCursor({ createdMs, id }: EventKey): string {
  return createdMs.toString(16).padStart(12, '0') + id
}

function decodeCursor(text: string): EventKey | null {
  if (!/^[0-9a-f]{36}$/.test(text)) return null
  return { createdMs: Number.parseInt(text.slice(0, 12), 16), id: text.slice(12) }
}

// The sets (NetFlow v9: flowsets) of a message, and the templates in them: one walker for both protocols, which differ in the numbers of their
// template sets and in how an options template counts its fields.
import { elementKey } from './elements.ts'
import { type TemplateFields, variableLength } from './template.ts'

export interface Dialect {
  templateSet: number
  optionsTemplateSet: number
  /** Whether a template has enterprise numbers, may be withdrawn, and counts its scope fields (IPFIX) rather than their octets (NetFlow v9). */
  ipfix: boolean
}

export const netflow9Sets: Dialect = { templateSet: 0, optionsTemplateSet: 1, ipfix: false }
export const ipfixSets: Dialect = { templateSet: 2, optionsTemplateSet: 3, ipfix: true }

export interface SetHandler {
  /** The octets from `at` to `end` define the template. False: they are those that it had before; `fields` need not be read. */
  isNewTemplate(id: number, at: number, end: number, options: boolean): boolean
  onTemplate(id: number, fields: TemplateFields): void
  /** `id` below 256: all templates of that set. */
  onWithdrawal(id: number, options: boolean): void
  onData(id: number, at: number, end: number): void
  onBadTemplate(): void
  onBadSet(): void
  onTruncated(): void
}

const firstDataSet = 256

/** A template of more fields is turned away. */
export const templateFieldsMax = 512

/** Set: id (2), length with this header (2), records. */
export function walkSets(view: DataView, at: number, end: number, dialect: Dialect, handler: SetHandler): void {
  while (at + 4 <= end) {
    const id = view.getUint16(at)
    const length = view.getUint16(at + 2)
    if (length < 4) {
      handler.onBadSet()
      return
    }
    const setEnd = Math.min(at + length, end)
    if (at + length > end) handler.onTruncated()
    if (id >= firstDataSet) handler.onData(id, at + 4, setEnd)
    else if (id === dialect.templateSet) walkTemplates(view, at + 4, setEnd, dialect, handler)
    else if (id === dialect.optionsTemplateSet) walkOptionsTemplates(view, at + 4, setEnd, dialect, handler)
    else handler.onBadSet()
    at += length
  }
}

// Template record: id (2), field count (2), then a field each: element (2), length (2), and enterprise number (4) if the top bit is set.
function walkTemplates(view: DataView, at: number, end: number, dialect: Dialect, handler: SetHandler): void {
  while (at + 4 <= end) {
    const id = view.getUint16(at)
    const count = view.getUint16(at + 2)
    if (count === 0 && dialect.ipfix && (id === dialect.templateSet || id >= firstDataSet)) {
      handler.onWithdrawal(id, false)
      at += 4
      continue
    }
    // Zeros are padding.
    if (id < firstDataSet) {
      if (id !== 0 || count !== 0) handler.onBadTemplate()
      return
    }
    const next = fieldsEnd(view, at + 4, end, count, dialect)
    if (next < 0) {
      handler.onBadTemplate()
      return
    }
    defineTemplate({ view, id, at, fieldsAt: at + 4, count, scopes: 0, options: false, end: next, dialect, handler })
    at = next
  }
}

// Options template record, IPFIX: id (2), field count (2), scope field count (2), fields.
// NetFlow v9: id (2), octets of scope fields (2), octets of option fields (2), fields; a scope field has a type of its own numbering.
function walkOptionsTemplates(view: DataView, at: number, end: number, dialect: Dialect, handler: SetHandler): void {
  while (at + 4 <= end) {
    const id = view.getUint16(at)
    const second = view.getUint16(at + 2)
    if (second === 0 && dialect.ipfix && (id === dialect.optionsTemplateSet || id >= firstDataSet)) {
      handler.onWithdrawal(id, true)
      at += 4
      continue
    }
    if (at + 6 > end) return
    const third = view.getUint16(at + 4)
    if (id < firstDataSet) {
      if (id !== 0 || second !== 0) handler.onBadTemplate()
      return
    }
    const count = dialect.ipfix ? second : (second + third) >>> 2
    const scopes = dialect.ipfix ? third : second >>> 2
    const next = fieldsEnd(view, at + 6, end, count, dialect)
    if (next < 0) {
      handler.onBadTemplate()
      return
    }
    defineTemplate({ view, id, at, fieldsAt: at + 6, count, scopes, options: true, end: next, dialect, handler })
    at = next
  }
}

/** Where the fields end; -1 when that lies beyond `end`. */
function fieldsEnd(view: DataView, at: number, end: number, count: number, { ipfix }: Dialect): number {
  if (!ipfix) return at + count * 4 <= end ? at + count * 4 : -1
  for (let field = 0; field < count; field++) {
    if (at + 4 > end) return -1
    at += (view.getUint16(at) & 0x8000) !== 0 ? 8 : 4
  }
  return at <= end ? at : -1
}

interface Definition {
  view: DataView
  id: number
  at: number
  fieldsAt: number
  count: number
  scopes: number
  options: boolean
  end: number
  dialect: Dialect
  handler: SetHandler
}

function defineTemplate({ view, id, at, fieldsAt, count, scopes, options, end, dialect, handler }: Definition): void {
  if (count === 0 || count > templateFieldsMax) {
    handler.onBadTemplate()
    return
  }
  if (!handler.isNewTemplate(id, at, end, options)) return
  const keys: number[] = []
  const lengths: number[] = []
  let field = fieldsAt
  for (let i = 0; i < count; i++, field += 4) {
    const type = view.getUint16(field)
    lengths.push(view.getUint16(field + 2))
    if (dialect.ipfix && (type & 0x8000) !== 0) {
      keys.push(elementKey(view.getUint32(field + 4), type & 0x7fff))
      field += 4
    } else keys.push(!dialect.ipfix && i < scopes ? -1 : elementKey(0, type))
  }
  if (lengths.every((length) => length === 0)) {
    handler.onBadTemplate()
    return
  }
  handler.onTemplate(id, { keys, lengths, options })
}

/** Octets of a field's value in this record, and where it begins: packed as `at * 65_536 + length`; -1 when it reaches beyond `end`. */
export function variableFieldAt(view: DataView, at: number, end: number, length: number): number {
  if (length === variableLength) {
    if (at + 1 > end) return -1
    length = view.getUint8(at)
    at += 1
    if (length === 255) {
      if (at + 2 > end) return -1
      length = view.getUint16(at)
      at += 2
    }
  }
  return at + length > end ? -1 : at * 65_536 + length
}

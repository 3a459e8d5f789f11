// The sets (NetFlow v9: flowsets) of a message, and the templates in them: one walker for both protocols, which differ in the numbers of their
// template sets and in how an options template counts its fields.
import { elementKey } from '../templates/elements.ts'
import { type TemplateFields, variableLength } from '../templates/template.ts'

export interface Dialect {
  templateSet: number
  optionsTemplateSet: number
  /** Whether a template has enterprise numbers, may be withdrawn, and counts its scope fields (IPFIX) rather than their octets (NetFlow v9). */
  ipfix: boolean
}

export const netflow9Sets: Dialect = { templateSet: 0, optionsTemplateSet: 1, ipfix: false }
export const ipfixSets: Dialect = { templateSet: 2, optionsTemplateSet: 3, ipfix: true }

export interface SetHandler {
  /** The octets from `at` to `end` define the template. False: they are those that it had before; its fields need not be read. */
  isNewTemplate(id: number, at: number, end: number, options: boolean): boolean
  onTemplate(id: number, fields: TemplateFields): void
  /** A template that is too long, or whose records would be empty. */
  onRefusedTemplate(): void
  /** `id` below 256: all templates of that set. */
  onWithdrawal(id: number, options: boolean): void
  onData(id: number, at: number, end: number): void
  /** A set of a kind that is not known. */
  onUnknownSet(): void
  /** The message ends within a set. */
  onTruncated(): void
  /** The rest of the message can't be read. */
  onMalformed(): void
}

const firstDataSet = 256

/** The length of a message has 16 bits. */
const messageOctetsMax = 65_535

/** Most fields of a template; longer ones are refused. */
export const templateFieldsMax = 512

// Set: id (2), length with this header (2), records.
/** Walks the sets from `at` to `end`, up to the first that is malformed: the rest of that message is to be discarded (RFC 7011 section 9). */
export function walkSets(view: DataView, at: number, end: number, dialect: Dialect, handler: SetHandler): void {
  end = Math.min(end, messageOctetsMax)
  while (at + 4 <= end) {
    const id = view.getUint16(at)
    const length = view.getUint16(at + 2)
    const setEnd = Math.min(at + length, end)
    if (at + length > end) handler.onTruncated()
    const options = id === dialect.optionsTemplateSet
    let sound = length >= 4
    if (sound && id >= firstDataSet) handler.onData(id, at + 4, setEnd)
    else if (sound && (options || id === dialect.templateSet)) {
      sound = walkTemplates({ view, end: setEnd, options, dialect, handler }, at + 4)
    } else if (sound) handler.onUnknownSet()
    if (!sound) {
      handler.onMalformed()
      return
    }
    at += length
  }
}

interface TemplateSet {
  view: DataView
  end: number
  options: boolean
  dialect: Dialect
  handler: SetHandler
}

// Template record: id (2), field count (2), then the fields: element (2), length (2), and enterprise number (4) if the top bit is set.
// Options template record of IPFIX: id (2), field count (2), scope field count (2), fields.
// Options template record of NetFlow v9: id (2), octets of scope fields (2), octets of option fields (2), fields; scopes have types of their own.
/** False when the set is malformed. */
function walkTemplates(set: TemplateSet, at: number): boolean {
  const { view, end, options, dialect, handler } = set
  const withdrawsAll = options ? dialect.optionsTemplateSet : dialect.templateSet
  while (at + 4 <= end) {
    const id = view.getUint16(at)
    const second = view.getUint16(at + 2)
    if (dialect.ipfix && second === 0 && (id === withdrawsAll || id >= firstDataSet)) {
      handler.onWithdrawal(id, options)
      at += 4
      continue
    }
    if (id < firstDataSet) return isZero(view, at, end)
    const fieldsAt = at + (options ? 6 : 4)
    if (fieldsAt > end) return false
    const third = options ? view.getUint16(at + 4) : 0
    const counted = dialect.ipfix || !options
    const count = counted ? second : (second + third) >>> 2
    const next = fieldsEnd(view, fieldsAt, end, count, dialect)
    if (next < 0) return false
    defineTemplate(set, { id, at, fieldsAt, count, scopes: counted ? third : second >>> 2, next })
    at = next
  }
  return true
}

/** Padding. */
function isZero(view: DataView, at: number, end: number): boolean {
  while (at < end) if (view.getUint8(at++) !== 0) return false
  return true
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
  id: number
  at: number
  fieldsAt: number
  count: number
  scopes: number
  next: number
}

function defineTemplate(set: TemplateSet, { id, at, fieldsAt, count, scopes, next }: Definition): void {
  const { view, options, dialect, handler } = set
  if (count === 0 || count > templateFieldsMax) {
    handler.onRefusedTemplate()
    return
  }
  if (!handler.isNewTemplate(id, at, next, options)) return
  const keys: number[] = []
  const lengths: number[] = []
  let field = fieldsAt
  for (let i = 0; i < count; i++, field += 4) {
    const type = view.getUint16(field)
    lengths.push(view.getUint16(field + 2))
    if (dialect.ipfix && (type & 0x8000) !== 0) {
      keys.push(elementKey(view.getUint32(field + 4), type & 0x7fff))
      field += 4
    } else keys.push(!dialect.ipfix && i < scopes ? scopeKey(type) : elementKey(0, type))
  }
  if (lengths.every((length) => length === 0)) handler.onRefusedTemplate()
  else handler.onTemplate(id, { keys, lengths, options })
}

/** The scopes of NetFlow v9 that have an element of their own: an interface, a template (RFC 3954 section 6.1). */
function scopeKey(type: number): number {
  if (type === 2) return elementKey(0, 10)
  return type === 5 ? elementKey(0, 145) : -1
}

/**
 * Where a field's value begins in this record, and how many octets it has, packed into one number (see `placeAt`, `placeLength`): both fit in 16
 * bits, as UDP's own length does. -1 when the value reaches beyond `end`.
 */
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

export function placeAt(place: number): number {
  return place >>> 16
}

export function placeLength(place: number): number {
  return place & 0xffff
}

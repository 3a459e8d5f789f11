// Encodes NetFlow v9 and IPFIX messages from given templates and values: the counterpart of src/decode/formats/sets.ts.
import { Writer } from './writer.ts'

export type Value = number | bigint | Uint8Array

export interface Field {
  id: number
  /** Enterprise number; IPFIX only. */
  pen?: number
  /** 65535: variable length. */
  length: number
}

export interface TemplateSpec {
  id: number
  fields: readonly Field[]
  /** Number of scope fields of an options template. In NetFlow v9 their ids are scope types. */
  scopes?: number
}

export interface Record {
  template: TemplateSpec
  values: readonly Value[]
}

export interface MessageHeader {
  version: 9 | 10
  nowMs: number
  /** Start of the exporter's uptime (NetFlow v9). */
  bootMs?: number
  sequence?: number
  /** Source id, or observation domain. */
  domain?: number
}

export interface MessageParts {
  templates?: readonly TemplateSpec[]
  /** Consecutive records with the same template share a set. */
  records?: readonly Record[]
  /** Template ids to withdraw (IPFIX). */
  withdrawals?: readonly number[]
}

export function encodeMessage(header: MessageHeader, parts: MessageParts): Uint8Array {
  const { version, nowMs, bootMs = nowMs - 3_600_000, sequence = 0, domain = 0 } = header
  const { templates = [], records = [], withdrawals = [] } = parts
  const writer = new Writer().u16(version).u16(0)
  if (version === 9) writer.u32(nowMs - bootMs)
  writer
    .u32(Math.floor(nowMs / 1000))
    .u32(sequence)
    .u32(domain)
  for (const id of withdrawals) writeSet(writer, 2, () => writer.u16(id).u16(0))
  for (const template of templates) writeTemplate(writer, template, version)
  for (const set of runs(records)) {
    writeSet(writer, set[0].template.id, () => {
      for (const record of set) writeRecord(writer, record)
    })
  }
  const count = templates.length + records.length + withdrawals.length
  return writer.setU16(2, version === 9 ? count : writer.length).done()
}

function runs(records: readonly Record[]): Record[][] {
  const sets: Record[][] = []
  for (const record of records) {
    const last = sets.at(-1)
    if (last?.[0].template.id === record.template.id) last.push(record)
    else sets.push([record])
  }
  return sets
}

/** Writes a set with its length, padded to four octets. */
function writeSet(writer: Writer, id: number, body: () => void): void {
  const at = writer.length
  writer.u16(id).u16(0)
  body()
  writer.pad(4, at).setU16(at + 2, writer.length - at)
}

function writeTemplate(writer: Writer, { id, fields, scopes }: TemplateSpec, version: 9 | 10): void {
  const options = scopes !== undefined
  const setId = (version === 9 ? 0 : 2) + (options ? 1 : 0)
  writeSet(writer, setId, () => {
    writer.u16(id)
    if (options && version === 9) writer.u16(scopes * 4).u16((fields.length - scopes) * 4)
    else if (options) writer.u16(fields.length).u16(scopes)
    else writer.u16(fields.length)
    for (const { id: element, pen, length } of fields) {
      writer.u16(pen === undefined ? element : element | 0x8000).u16(length)
      if (pen !== undefined) writer.u32(pen)
    }
  })
}

function writeRecord(writer: Writer, { template, values }: Record): void {
  template.fields.forEach(({ length }, field) => {
    const value = values[field]
    if (length !== 65_535) writeValue(writer, value, length)
    else {
      const bytes = value instanceof Uint8Array ? value : new Writer().uint(value, 8).done()
      if (bytes.length < 255) writer.u8(bytes.length)
      else writer.u8(255).u16(bytes.length)
      writer.bytes(bytes)
    }
  })
}

function writeValue(writer: Writer, value: Value, length: number): void {
  if (!(value instanceof Uint8Array)) writer.uint(value, length)
  else writer.bytes(value)
}

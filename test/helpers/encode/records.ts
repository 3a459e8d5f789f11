// Templates by their field ids, and records of one address each: for tests about templates rather than about values.
import type { Field, Record, TemplateSpec, Value } from '../../../src/encode/messages.ts'
import { addressBytes } from '../../../src/encode/writer.ts'

/** A template of these fields after a destination address. */
export function templateOf(id: number, ...fields: (Field | [id: number, length: number])[]): TemplateSpec {
  const listed = fields.map((field) => (Array.isArray(field) ? { id: field[0], length: field[1] } : field))
  return { id, fields: [{ id: 12, length: 4 }, ...listed] }
}

export function recordOf(template: TemplateSpec, ...values: Value[]): Record {
  return { template, values: [addressBytes('203.0.113.1'), ...values] }
}

/** An options template whose scope is the exporter, with one record. */
export function optionsOf(
  id: number,
  version: 9 | 10,
  ...options: [id: number, length: number, value: Value][]
): Record {
  const scope: Field = version === 9 ? { id: 1, length: 4 } : { id: 144, length: 4 }
  const fields = [scope, ...options.map(([element, length]) => ({ id: element, length }))]
  return { template: { id, scopes: 1, fields }, values: [0, ...options.map(([, , value]) => value)] }
}

type Option = [id: number, length: number, value: Value]

/** An options template of this scope (in NetFlow v9 a scope type), with one record. */
export function scopedOf(scope: Option, ...options: Option[]): Record {
  const fields = [scope, ...options].map(([id, length]) => ({ id, length }))
  return { template: { id: 310, scopes: 1, fields }, values: [scope, ...options].map(([, , value]) => value) }
}

// Files that people write for alerts: YAML, in which a misspelt member is refused. The interface ignores it, and a rule without its condition fits everything.
import { readFileSync } from 'node:fs'
import { buffer } from 'node:stream/consumers'
import { IsArray, IsObject, IsUnion, type Static, type TSchema } from 'typebox'
import { Value } from 'typebox/value'
import { parseDocument } from 'yaml'
import { messageOf } from '../../errors.ts'
import { printable } from '../text/terminal.ts'
import { UsageError } from '../usage.ts'

const bytesMax = 1024 * 1024

/** `-`: standard input. */
export async function readYaml(file: string): Promise<unknown> {
  const text = await textOf(file)
  if (text.length > bytesMax) throw new UsageError(`${printable(file)} is larger than ${bytesMax} bytes`)
  const document = parseDocument(text, { logLevel: 'error' })
  const [fault] = document.errors
  if (fault !== undefined) throw new UsageError(`${printable(file)}: ${printable(fault.message)}`)
  try {
    return document.toJS({ maxAliasCount: 20 })
  } catch (error) {
    throw new UsageError(`${printable(file)}: ${printable(messageOf(error))}`)
  }
}

async function textOf(file: string): Promise<string> {
  if (file === '-') return (await buffer(process.stdin)).toString()
  try {
    return readFileSync(file, 'utf8')
  } catch (error) {
    throw new UsageError(`cannot read ${printable(file)}: ${printable(messageOf(error))}`)
  }
}

/** `what`: how it is called where it does not fit. */
export function fitting<Schema extends TSchema>(schema: Schema, given: unknown, what: string): Static<Schema> {
  const [unknown] = unknownMembers(schema, given, '')
  if (unknown !== undefined) throw new UsageError(`${printable(what)} has no ${printable(unknown)}`)
  if (Value.Check(schema, given)) return given
  const [fault] = Value.Errors(schema, given)
  const place = fault.instancePath.slice(1).replaceAll('/', '.')
  throw new UsageError(printable(`${what}: ${place === '' ? 'it' : place} ${fault.message}`))
}

/** Paths of members that the schema does not name, whether or not it lets them be there. */
function unknownMembers(schema: TSchema, value: unknown, path: string): string[] {
  if (Array.isArray(value))
    return IsArray(schema) ? value.flatMap((each, n) => unknownMembers(schema.items, each, `${path}[${n}]`)) : []
  if (value === null || typeof value !== 'object') return []
  if (IsUnion(schema)) {
    const all = schema.anyOf.filter(IsObject).map((each) => unknownMembers(each, value, path))
    return all.toSorted((a, b) => a.length - b.length)[0] ?? []
  }
  if (!IsObject(schema)) return []
  return Object.entries(value).flatMap(([name, each]) => {
    const at = path === '' ? name : `${path}.${name}`
    return Object.hasOwn(schema.properties, name) ? unknownMembers(schema.properties[name], each, at) : [at]
  })
}

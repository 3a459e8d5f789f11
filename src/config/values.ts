// One value of one key: from text to its type, checked against its schema, and said in words when it does not fit.
import { IsArray, IsLiteral, IsString, type TSchema } from 'typebox'
import { Value } from 'typebox/value'
import { parseDocument } from 'yaml'
import { type ConfigKey, keywordsOf } from './keys.ts'

const shownMax = 60

/** The value that a text stands for: itself where the key takes text; else as YAML; else a list parted by commas. */
export function fromText(schema: TSchema, text: string): unknown {
  if (IsString(schema) || fits(schema, text)) return text
  const value = fromYamlText(text)
  return IsArray(schema) && typeof value === 'string' ? text.split(',').map((item) => item.trim()) : value
}

function fits(schema: TSchema, value: unknown): boolean {
  return Value.Check(schema, value)
}

function fromYamlText(text: string): unknown {
  try {
    const document = parseDocument(text, { logLevel: 'error' })
    return document.errors.length > 0 ? text : document.toJS({ maxAliasCount: 0 })
  } catch {
    return text
  }
}

/** The value with the defaults of what it leaves out below it, or the reasons why it does not fit: a sentence fragment each. */
export function checkValue(
  key: ConfigKey,
  given: unknown,
): { ok: true; value: unknown } | { ok: false; reasons: string[] } {
  const value = Value.Default(key.schema, structuredClone(given))
  if (Value.Check(key.schema, value)) return { ok: true, value }
  const choices = literalsOf(key.schema)
  if (choices !== null)
    return { ok: false, reasons: [`must be one of ${choices.join(', ')}, not ${shown(key, value)}`] }
  const reasons = new Set<string>()
  for (const error of Value.Errors(key.schema, value)) {
    const at = error.instancePath.replaceAll('/', '.')
    if (error.keyword === 'additionalProperties') continue
    const reason =
      error.keyword === 'boolean'
        ? 'is an unknown key'
        : key.expects && at === ''
          ? `must be ${key.expects}`
          : error.message
    reasons.add(`${at === '' ? '' : `${at.slice(1)}: `}${reason}`)
  }
  return { ok: false, reasons: [`${[...reasons].slice(0, 5).join(', ')} (it is ${shown(key, value)})`] }
}

/** The literals that a schema takes, when it takes nothing else. */
export function literalsOf(schema: TSchema): unknown[] | null {
  const { anyOf, enum: values } = keywordsOf(schema)
  if (values !== undefined) return values
  if (anyOf === undefined || !anyOf.every((each) => IsLiteral(each))) return null
  return anyOf.map((each) => keywordsOf(each).const)
}

/** A value for a message: short, and never a secret's. */
export function shown(key: ConfigKey, value: unknown): string {
  if (key.secret) return 'a secret'
  const text = JSON.stringify(value) ?? 'nothing'
  return text.length > shownMax ? `${text.slice(0, shownMax)}...` : text
}

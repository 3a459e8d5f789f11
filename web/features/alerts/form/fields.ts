// The fields of a channel's form, made from the JSON Schemas of its kind; what is typed into them, and what is wrong with it: pure.
import type { Kind } from '../queries.ts'

export type Part = 'settings' | 'secrets'

export interface FormField {
  /** `settings.url`. */
  key: string
  part: Part
  name: string
  /** `lines`: a text of several lines. `list`: several values in one field. */
  control: 'text' | 'lines' | 'list' | 'number' | 'choice' | 'switch'
  isRequired: boolean
  isUrl: boolean
  choices: readonly string[]
  /** What holds where nothing is typed; empty: nothing does. */
  standard: string
  /** As the service says what it is. */
  description: string
  pattern: RegExp | null
  /** Bounds: for a text its characters, for a list the number of its values, for a number the number itself. */
  min: number
  max: number
}

/** By the key of a field. */
export type Typed = Readonly<Record<string, string>>

/** Why what is typed into a field will not do. */
export type Fault = 'missing' | 'form' | 'url' | 'long' | 'few' | 'many' | 'range'

/** Longer texts are written in several lines. */
const lineMax = 2_000

/** Values of a list stand one a line, or between commas. */
const separator = /[\s,;]+/

type Schema = Readonly<Record<string, unknown>>

/** What a channel cannot be without comes first, what fits most as it is last. */
export function fieldsOf({ settings, secrets }: Pick<Kind, 'settings' | 'secrets'>): FormField[] {
  const fields = [...fieldsOfPart('settings', settings), ...fieldsOfPart('secrets', secrets)]
  return fields.sort((a, b) => placeOf(a) - placeOf(b))
}

function placeOf({ key, isRequired, control }: FormField): number {
  if (key === 'settings.language' || key === 'settings.timeZone') return 3
  return isRequired ? 0 : control === 'lines' ? 2 : 1
}

function fieldsOfPart(part: Part, schema: Schema): FormField[] {
  const required = Array.isArray(schema.required) ? schema.required : []
  return Object.entries(schemaOf(schema.properties)).map(([name, value]) =>
    fieldOf({ part, name, isRequired: required.includes(name) }, schemaOf(value)),
  )
}

function fieldOf(place: Pick<FormField, 'part' | 'name' | 'isRequired'>, schema: Schema): FormField {
  const control = controlOf(schema)
  const value = control === 'list' ? schemaOf(schema.items) : schema
  const [least, most] =
    control === 'list'
      ? [schema.minItems, schema.maxItems]
      : control === 'number'
        ? [schema.minimum, schema.maximum]
        : [schema.minLength, schema.maxLength]
  return {
    ...place,
    key: `${place.part}.${place.name}`,
    control,
    isUrl: value.format === 'uri',
    choices: Array.isArray(schema.enum) ? schema.enum.map(String) : [],
    standard: schema.default === undefined ? '' : String(schema.default),
    description: typeof schema.description === 'string' ? schema.description : '',
    pattern: typeof value.pattern === 'string' ? new RegExp(value.pattern, 'u') : null,
    min: numberOf(least, Number.NEGATIVE_INFINITY),
    max: numberOf(most, Number.POSITIVE_INFINITY),
  }
}

function controlOf({ type, enum: choices, maxLength }: Schema): FormField['control'] {
  if (Array.isArray(choices)) return 'choice'
  if (type === 'array') return 'list'
  if (type === 'integer' || type === 'number') return 'number'
  if (type === 'boolean') return 'switch'
  return numberOf(maxLength, 0) > lineMax ? 'lines' : 'text'
}

const schemaOf = (value: unknown): Schema =>
  typeof value === 'object' && value !== null ? Object.fromEntries(Object.entries(value)) : {}

const numberOf = (value: unknown, other: number) => (typeof value === 'number' ? value : other)

/** What a channel has now, as it would be typed. Nobody is given its secrets. */
export function typedOf(fields: readonly FormField[], settings: Readonly<Record<string, unknown>>): Typed {
  const given = fields.filter(({ part, name }) => part === 'settings' && settings[name] !== undefined)
  return Object.fromEntries(given.map(({ key, name }) => [key, textOf(settings[name])]))
}

function textOf(value: unknown): string {
  if (value === false) return ''
  return Array.isArray(value) ? value.map(String).join('\n') : String(value)
}

/** What is sent of a part: fields that are empty are left out. */
export function valuesOf(fields: readonly FormField[], part: Part, typed: Typed): Record<string, unknown> {
  const filled = fields.filter((field) => field.part === part && trimmed(typed, field) !== '')
  return Object.fromEntries(filled.map((field) => [field.name, readValue(field, trimmed(typed, field))]))
}

function readValue({ control }: FormField, text: string): unknown {
  if (control === 'number') return Number(text)
  if (control === 'switch') return true
  return control === 'list' ? text.split(separator) : text
}

/** `kept`: fields that may be left empty though they are required. */
export function faultsOf(fields: readonly FormField[], typed: Typed, kept: ReadonlySet<string>): Map<string, Fault> {
  const faults = new Map<string, Fault>()
  for (const field of fields) {
    const text = trimmed(typed, field)
    const isMissing = text === '' && field.isRequired && !kept.has(field.key)
    const fault = isMissing ? 'missing' : text === '' ? null : faultOf(field, text)
    if (fault !== null) faults.set(field.key, fault)
  }
  return faults
}

function faultOf(field: FormField, text: string): Fault | null {
  const { control, min, max } = field
  if (control === 'number') {
    const value = Number(text)
    return Number.isInteger(value) && value >= min && value <= max ? null : 'range'
  }
  if (control === 'list') {
    const values = text.split(separator)
    if (values.length < min) return 'few'
    if (values.length > max) return 'many'
    return values.map((value) => faultOfText(field, value)).find((fault) => fault !== null) ?? null
  }
  return text.length > max ? 'long' : faultOfText(field, text)
}

function faultOfText({ isUrl, pattern }: FormField, text: string): Fault | null {
  if (isUrl && !/^https?:\/\/[^/\s]+/.test(text)) return 'url'
  return pattern === null || pattern.test(text) ? null : 'form'
}

const trimmed = (typed: Typed, { key }: FormField) => (typed[key] ?? '').trim()

/** The field that a place in the request is of (JSON Pointer); null: it is of none. */
export function fieldAt(fields: readonly FormField[], pointer: string): FormField | null {
  const [, part, name] = pointer.split('/')
  return fields.find((field) => field.part === part && field.name === name) ?? null
}

// The configuration's keys, compiled once from the components' schemas: path, environment variable, schema. Everything else about
// configuration (reading, checking, example file, documentation) walks this list.
import { IsObject, type TSchema } from 'typebox'

/** What a key's schema may say beside its type. */
export interface Keywords {
  description?: string
  default?: unknown
  minimum?: number
  maximum?: number
  enum?: unknown[]
  const?: unknown
  anyOf?: TSchema[]
  /** The shape of a text in words, for whoever got it wrong: `HOST:PORT`. */
  expects?: string
  /** True: never shown, and may be read from the file that `<variable>_FILE` names. */
  secret?: boolean
}

export interface ConfigKey extends Keywords {
  /** `http.listen`. */
  path: string
  parts: string[]
  /** `FLOODGAUGE_HTTP_LISTEN`. */
  variable: string
  schema: TSchema
}

export interface ConfigSection {
  path: string
  parts: string[]
  description: string
}

export interface KeyList {
  sections: ConfigSection[]
  keys: ConfigKey[]
}

/** A TypeBox schema is a JSON schema object, though its type does not say so. */
export function keywordsOf(schema: TSchema): Keywords {
  return schema as Keywords
}

function variableOf(parts: string[]): string {
  const snake = parts.map((part) => part.replace(/([a-z0-9])([A-Z])/g, '$1_$2'))
  return ['FLOODGAUGE', ...snake].join('_').toUpperCase()
}

/** Objects with named properties are sections; anything else, arrays and records among them, is a key. */
export function listKeys(schema: TSchema): KeyList {
  const list: KeyList = { sections: [], keys: [] }
  const walk = (node: TSchema, parts: string[]) => {
    if (!IsObject(node)) {
      list.keys.push({ ...keywordsOf(node), path: parts.join('.'), parts, variable: variableOf(parts), schema: node })
      return
    }
    if (parts.length > 0)
      list.sections.push({ path: parts.join('.'), parts, description: keywordsOf(node).description ?? '' })
    for (const [name, child] of Object.entries(node.properties)) walk(child, [...parts, name])
  }
  walk(schema, [])
  return list
}

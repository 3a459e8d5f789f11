// Shapes as the plain JSON of a description.
import type { TSchema } from 'typebox'
import { namedShapes } from './endpoints.ts'

export type Json = Record<string, unknown>

/** The schema as plain JSON, in which shapes with names, other than `self`, are references. */
export function plain(schema: unknown, self?: TSchema): Json {
  const convert = (node: unknown): unknown => {
    if (Array.isArray(node)) return node.map(convert)
    if (typeof node !== 'object' || node === null) return node
    const known = Object.entries(namedShapes).find(([, shape]) => shape === node && shape !== self)
    if (known !== undefined) return { $ref: `#/components/schemas/${known[0]}` }
    return Object.fromEntries(Object.entries(node).map(([key, value]) => [key, convert(value)]))
  }
  return converted(convert(schema))
}

/** An object converts to an object. */
function converted(value: unknown): Json {
  return value as Json
}

// Compilers of the contract's schemas. What writes an answer is compiled with the first answer, and once in a process: to compile all of them took a
// fifth of the time in which the service starts.
import validators from '@fastify/ajv-compiler'
import serializers from '@fastify/fast-json-stringify-compiler'
import type { FastifyServerOptions } from 'fastify'

type Factory = NonNullable<NonNullable<FastifyServerOptions['schemaController']>['compilersFactory']>
type BuildSerializer = NonNullable<Factory['buildSerializer']>
type Serializer = ReturnType<ReturnType<BuildSerializer>>

const build: BuildSerializer = serializers()
const known = new Map<unknown, Serializer>()

const buildSerializer: BuildSerializer = (schemas, options) => {
  const compile = build(schemas, options)
  return (route) => (data) => {
    let serializer = known.get(route.schema)
    if (serializer === undefined) {
      serializer = compile(route)
      known.set(route.schema, serializer)
    }
    return serializer(data)
  }
}

/** Those of validators know each schema that they have compiled. */
export const compilers: Factory = { buildValidator: validators(), buildSerializer }

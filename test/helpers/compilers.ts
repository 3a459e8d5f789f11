// Compilers of schemas that all servers of a process share: fastify's own, which would compile every schema again for each server.
import { createRequire } from 'node:module'
import type { SchemaCompilers } from '../../src/api/http/server.ts'

type BuildValidator = NonNullable<SchemaCompilers['buildValidator']>
type BuildSerializer = NonNullable<SchemaCompilers['buildSerializer']>

// They are dependencies of fastify's, not of ours.
const requireOfFastify = createRequire(import.meta.resolve('fastify'))
const validators: () => BuildValidator = requireOfFastify('@fastify/ajv-compiler')
const serializers: () => BuildSerializer = requireOfFastify('@fastify/fast-json-stringify-compiler')

function sharedSerializers(): BuildSerializer {
  const build = serializers()
  const compiled = new Map<unknown, ReturnType<ReturnType<BuildSerializer>>>()
  return (externalSchemas, options) => {
    const compile = build(externalSchemas, options)
    return (route) => {
      const known = compiled.get(route.schema)
      if (known !== undefined) return known
      const made = compile(route)
      compiled.set(route.schema, made)
      return made
    }
  }
}

/** Validators are shared by their compiler, which knows each schema that it has compiled. */
export const sharedCompilers: SchemaCompilers = { buildValidator: validators(), buildSerializer: sharedSerializers() }

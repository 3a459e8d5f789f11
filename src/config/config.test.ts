import assert from 'node:assert/strict'
import { test } from 'node:test'
import { IsArray, IsObject, IsRecord, IsUnion, type TSchema } from 'typebox'
import { Value } from 'typebox/value'
import { configKeys, configSchema, flagKeys, inspectConfig, loadConfig } from '../config.ts'
import { AppError } from '../errors.ts'
import { keywordsOf } from './keys.ts'

test('the defaults are a valid configuration', () => {
  assert.deepEqual(inspectConfig({ env: {} }).problems, [])
  assert.ok(Value.Check(configSchema, loadConfig({ env: {} })))
})

test('every key has a default and a description that is a sentence', () => {
  for (const { path, description, default: byDefault, schema } of configKeys.keys) {
    assert.notEqual(byDefault, undefined, `${path} has no default`)
    assert.match(description ?? '', /^[A-Z`].*\.$/s, `${path} has no description`)
    assert.ok(Value.Check(schema, byDefault), `${path} has a wrong default`)
  }
})

test('every object is closed, so that a misspelt key is refused', () => {
  const walk = (schema: TSchema, path: string) => {
    if (IsObject(schema)) {
      assert.equal(
        Object.entries(schema).find(([name]) => name === 'additionalProperties')?.[1],
        false,
        `${path} is open`,
      )
      for (const [name, child] of Object.entries(schema.properties)) walk(child, `${path}.${name}`)
    } else if (IsArray(schema)) walk(schema.items, `${path}[]`)
    else if (IsUnion(schema)) for (const each of schema.anyOf) walk(each, path)
    else if (IsRecord(schema)) for (const each of Object.values(schema.patternProperties)) walk(each, `${path}.*`)
  }
  walk(configSchema, 'config')
})

test('keys have different variables, and flags name keys', () => {
  const variables = configKeys.keys.map(({ variable }) => variable)
  assert.equal(new Set(variables).size, variables.length)
  const paths = new Set(configKeys.keys.map(({ path }) => path))
  for (const path of Object.values(flagKeys)) assert.ok(paths.has(path), `${path} is no key`)
})

test('a wrong configuration is refused with all its problems', () => {
  assert.throws(
    () => loadConfig({ env: { FLOODGAUGE_LOG_LEVEL: 'loud', FLOODGAUGE_LOG_LEVL: 'x' } }),
    (error) =>
      error instanceof AppError &&
      error.code === 'BAD_CONFIG' &&
      /loud.*|LEVL.*/.test(error.message) &&
      error.message.includes('; '),
  )
})

test('only text keys are secrets, and sections have no keywords of values', () => {
  for (const { schema, path } of configKeys.keys) {
    if (keywordsOf(schema).secret) assert.ok(Value.Check(schema, 'some text of a secret'), path)
  }
})

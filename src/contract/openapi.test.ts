import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { describe, it } from 'node:test'
import type { TSchema } from 'typebox'
import { Value } from 'typebox/value'
import { webhookBodyShape, webhookTypes } from './alerts/webhooks.ts'
import { endpointNames, endpoints } from './endpoints.ts'
import { buildOpenApi } from './openapi.ts'
import type { Endpoint } from './route.ts'
import { Problem } from './shapes.ts'

const names = endpointNames()
const built = buildOpenApi()

function at(pointer: string): unknown {
  const parts = pointer.replace('#/', '').split('/')
  return parts.reduce<unknown>((node, part) => Object.entries(node ?? {}).find(([key]) => key === part)?.[1], built)
}

function referencesIn(node: unknown): string[] {
  if (typeof node !== 'object' || node === null) return []
  return Object.entries(node).flatMap(([key, value]) => (key === '$ref' ? [String(value)] : referencesIn(value)))
}

function parametersOf(shape: TSchema | undefined): [string, TSchema][] {
  return shape !== undefined && 'properties' in shape ? Object.entries(Object(shape.properties)) : []
}

function examplesOf(shape: TSchema): unknown[] {
  return 'examples' in shape && Array.isArray(shape.examples) ? shape.examples : []
}

const goesAlone = new Set(['changedSince'])

describe('the description of the interface', () => {
  it('is what is committed as openapi.json', () => {
    const committed = JSON.parse(readFileSync(new URL('../../openapi.json', import.meta.url), 'utf8'))
    assert.deepEqual(committed, JSON.parse(JSON.stringify(built)), 'run `npm run generate`')
  })

  it('has every endpoint, with the answers that it can give', () => {
    for (const name of names) {
      const { path, method, scope } = endpoints[name].route
      const operation = JSON.parse(JSON.stringify(built.paths[path]))[method.toLowerCase()]
      assert.equal(operation.operationId, name)
      const need = { public: /needs no credentials/, any: /Any valid credentials/ }
      const isNamed = scope === 'public' || scope === 'any'
      assert.match(operation.description, isNamed ? need[scope] : new RegExp(`scope \`${scope}\``))
      const schemes: string[] | undefined = operation.security?.flatMap((each: object) => Object.keys(each))
      if (scope === 'public') assert.deepEqual(schemes, [])
      else if (path.startsWith('/open')) assert.equal(schemes, undefined)
      else assert.deepEqual(schemes, ['AuthToken', 'AuthEmail', 'Session', 'CsrfToken', 'Bearer'])
      const statuses = [
        '200',
        '400',
        '401',
        '403',
        '405',
        '429',
        '500',
        '503',
        ...(method === 'POST' || method === 'PUT' ? ['413', '415'] : []),
      ]
      for (const status of statuses) assert.ok(operation.responses[status], `${name} ${status}`)
    }
    const operations = Object.values(built.paths).flatMap((item) => Object.values(item))
    assert.equal(operations.length, names.length)
  })

  it('links to endpoints that are there', () => {
    const linked = Object.values<Endpoint>(endpoints).flatMap(({ route }) => Object.values(route.links ?? {}))
    assert.ok(linked.length > 0)
    for (const { endpoint } of linked) assert.ok(Object.hasOwn(endpoints, endpoint), endpoint)
  })

  it('refers to what is there, and has nothing that is not referred to', () => {
    const references = new Set(referencesIn(built))
    for (const reference of references) assert.notEqual(at(reference), undefined, reference)
    for (const kind of ['schemas', 'headers', 'responses'] as const) {
      for (const name of Object.keys(built.components[kind]))
        assert.ok(references.has(`#/components/${kind}/${name}`), name)
    }
  })

  it('has examples that are valid', () => {
    for (const name of names) {
      const { shapes, example }: Endpoint = endpoints[name]
      const { body, query, params, response } = shapes
      assert.ok(Value.Check(response, example.response), name)
      assert.equal(body !== undefined, example.body !== undefined, name)
      if (body !== undefined) assert.ok(Value.Check(body, example.body), name)
      for (const [parameter, shape] of [...parametersOf(query), ...parametersOf(params)]) {
        const [value] = examplesOf(shape)
        // All examples together are one request, which a parameter that goes with no other would break.
        if (goesAlone.has(parameter)) assert.equal(value, undefined, parameter)
        else assert.ok(value !== undefined && Value.Check(shape, value), `${name} ${parameter}`)
      }
    }
    for (const response of Object.values(built.components.responses)) {
      const { content } = JSON.parse(JSON.stringify(response))
      assert.ok(Value.Check(Problem, content['application/problem+json'].example))
    }
  })

  it('has webhooks with examples that are valid', () => {
    for (const [type, row] of Object.entries(webhookTypes)) {
      const { requestBody } = JSON.parse(JSON.stringify(built.webhooks[type])).post
      const { schema, examples } = requestBody.content['application/json']
      assert.equal(schema.properties.type.const, type)
      assert.ok(Value.Check(webhookBodyShape(type, row), examples.example.value), type)
    }
  })

  it('names the headers by the vendor word, in both schemes and in the text', () => {
    const { components, info } = buildOpenApi({ vendor: 'ACME', url: 'https://ddos.example.net' })
    assert.equal(components.securitySchemes.AuthToken.name, 'X-ACME-AuthToken')
    assert.equal(components.securitySchemes.AuthEmail.name, 'X-ACME-AuthEmail')
    assert.match(info.description, /X-ACME-AuthToken.*X-ACME-AuthEmail/)
  })

  it('leaves the vocabulary of attack types open, and the type out when unknown', () => {
    const event = JSON.parse(JSON.stringify(built.components.schemas.DdosEvent))
    assert.equal(event.properties.attack_type.enum, undefined)
    assert.ok(!event.required.includes('attack_type'))
  })
})

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { endpointNames, endpoints } from '../../contract/endpoints.ts'
import { compilers } from './compilers.ts'

for (const name of endpointNames()) {
  const { route, shapes, example } = endpoints[name]
  test(`what ${name} answers can be written, and nothing of it is lost`, () => {
    const write = compilers.buildSerializer?.(
      {},
      {},
    )({
      schema: shapes.response,
      method: route.method,
      url: route.path,
      httpStatus: '200',
    })
    assert.deepEqual(JSON.parse(String(write?.(example.response))), example.response)
  })
}

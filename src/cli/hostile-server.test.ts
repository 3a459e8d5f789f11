// A server that was taken over, or whoever answers in its place, can do nothing to the terminal of who runs a command.
import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { Commands } from '../../test/helpers/commands/commands.ts'
import { endpointNames, endpoints } from '../contract/endpoints.ts'
import type { Endpoint } from '../contract/route.ts'

const hostile = '\u001b[2J\r\nforged line\u009b31m\u202e\u2028'
/** Controls but line breaks, and what reorders or hides text. */
const unsafe = /[\p{Cc}\u061c\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff]/u

const folder = mkdtempSync(join(tmpdir(), 'floodgauge-hostile-'))
const commands = new Commands(folder)
let server: Server
let url: string
/** Whether answers are errors, whose texts are hostile as well. */
let status = 200

const routes = endpointNames().map((name) => {
  const { route, example }: Endpoint = endpoints[name]
  return {
    method: route.method,
    path: new RegExp(`^${route.path.replaceAll(/\{\w+\}/g, '[^/]+')}$`),
    example: example.response,
  }
})

/** Every text with more in it; what programs go by stays, so that the commands come far. */
function spoilt(value: unknown, name = ''): unknown {
  if (typeof value === 'string') return /^(?:state|phase|view|kind|traffic)$/.test(name) ? value : `${value}${hostile}`
  if (Array.isArray(value)) return value.map((each) => spoilt(each, name))
  if (value === null || typeof value !== 'object') return value
  return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, spoilt(each, key)]))
}

before(async () => {
  server = createServer((request, response) => {
    request.resume()
    const path = decodeURI(request.url ?? '').replace(/\?.*/, '')
    const known = routes.find((route) => route.method === request.method && route.path.test(path))
    const problem = { title: hostile, status, detail: hostile, errors: [{ parameter: hostile, detail: hostile }] }
    const body = status === 200 ? spoilt(known?.example ?? {}) : problem
    response.writeHead(status, { 'content-type': status === 200 ? 'application/json' : 'application/problem+json' })
    response.end(JSON.stringify(body))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  url = `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}`
  writeFileSync(join(folder, 'names.json'), '{"rrname":"a.example","rrtype":"A","rdata":"192.0.2.1","time_last":1}\n')
})
after(async () => {
  server.close()
  await commands.close()
  rmSync(folder, { recursive: true })
})

const id = '0123456789abcdef01234567'
const cases: string[][] = [
  ['site', 'list'],
  ['site', 'show', 'www.example.com'],
  ['site', 'verify', 'www.example.com'],
  ['site', 'add', 'www.example.com'],
  ['site', 'delete', 'www.example.com'],
  ['event', 'list'],
  ['event', 'show', id],
  ['explain', '192.0.2.10'],
  ['simulate', 'www.example.com'],
  ['names', 'query', 'www.example.com'],
  ['names', 'import', 'names.json'],
]

describe('a hostile server', () => {
  for (const args of cases) {
    for (const options of [[], ['--json']]) {
      const name = [...args, ...options].join(' ')
      it(`does nothing to the terminal of \`${name}\``, async () => {
        const given = ['--url', url, '--email', 'ann@example.com', '--token', 'x']
        for (status of [200, 404, 500]) {
          const { out, err } = await commands.run([...args, ...given, ...options])
          assert.doesNotMatch((out + err).replaceAll('\n', ''), unsafe)
          assert.doesNotMatch(out + err, /^forged line/m)
          // An import is answered in numbers.
          if (status !== 404) assert.match(out + err, /forged line|floodgauge: |lines/)
          if (options.length > 0) for (const line of out.split('\n').filter(Boolean)) JSON.parse(line)
        }
      })
    }
  }
})

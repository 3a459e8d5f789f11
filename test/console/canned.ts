// The console over answers that a test gives, with no service behind it: its build served as files, and each endpoint answered as the
// test says, or with the example of the contract. What is asked and answered is checked against the contract's schemas.
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { existsSync, readFileSync } from 'node:fs'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { extname } from 'node:path'
import { fileURLToPath } from 'node:url'
import { Value } from 'typebox/value'
import { type EndpointName, endpointNames, endpoints, type Response } from '../../src/contract/endpoints.ts'
import type { Problem } from '../../src/contract/shapes.ts'

export const dist = fileURLToPath(new URL('../../web/dist/', import.meta.url))

export interface Asked {
  name: EndpointName
  params: Readonly<Record<string, string>>
  search: URLSearchParams
  body: unknown
}

/** A refusal instead of an answer. */
export class Refusal {
  readonly status: number
  readonly detail: string
  readonly more: Omit<Problem, 'title' | 'status' | 'detail'>

  constructor(status: number, detail: string, more: Omit<Problem, 'title' | 'status' | 'detail'> = {}) {
    this.status = status
    this.detail = detail
    this.more = more
  }
}

export type Answers = { [Name in EndpointName]?: (asked: Asked) => Response<Name> | Refusal }

export interface CannedConsole {
  url: string
  /** What was asked so far, in order. */
  asked: Asked[]
  /** Tells pages that listen what has changed; gives how many do. */
  say(type: string, data: object): number
  /** Changes what is answered from now on. */
  answer(changed: Answers): void
  /** Fails if an answer was not as the contract has it. */
  close(): Promise<void>
}

const types: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
}

/** Paths without parameters come first: `/names/sources` is no record. */
const matchers = endpointNames()
  .map((name) => {
    const { method, path } = endpoints[name].route
    const pattern = new RegExp(`^${path.replaceAll(/\{(\w+)\}/g, '(?<$1>[^/]+)')}$`)
    return { name, method, pattern, places: path.split('{').length }
  })
  .sort((a, b) => a.places - b.places)

export async function openCanned(given: Answers): Promise<CannedConsole> {
  let answers = given
  const asked: Asked[] = []
  const faults: string[] = []
  const streams = new Set<ServerResponse>()
  const server = createServer((request, response) => {
    void handle(request, response).catch((error: unknown) => {
      faults.push(String(error))
      response.writeHead(500).end()
    })
  })

  async function handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { pathname, searchParams: search } = new URL(request.url ?? '/', 'http://localhost')
    const found = matchers.find(({ method, pattern }) => method === request.method && pattern.test(pathname))
    if (found === undefined) return sendFile(pathname, response)
    const { name, pattern } = found
    if (name === 'getStream') {
      response.writeHead(200, { 'content-type': 'text/event-stream' }).write(': open\n\n')
      streams.add(response)
      response.once('close', () => streams.delete(response))
      return
    }
    const groups = Object.entries(pattern.exec(pathname)?.groups ?? {})
    const params = Object.fromEntries(groups.map(([key, value]) => [key, decodeURIComponent(value)]))
    const text = Buffer.concat(await request.toArray()).toString()
    const call: Asked = { name, params, search, body: text === '' ? undefined : JSON.parse(text) }
    asked.push(call)
    const { body: shape = null } = { body: undefined, ...endpoints[name].shapes }
    const wrong = shape === null ? [] : Value.Errors(shape, call.body)
    for (const { instancePath, message } of wrong) faults.push(`body of ${name} ${instancePath}: ${message}`)
    const answer = answers[name]?.(call) ?? endpoints[name].example.response
    if (answer instanceof Refusal) {
      response.writeHead(answer.status, { 'content-type': 'application/problem+json' })
      response.end(JSON.stringify({ title: 'No', status: answer.status, detail: answer.detail, ...answer.more }))
      return
    }
    for (const { instancePath, message } of Value.Errors(endpoints[name].shapes.response, answer)) {
      faults.push(`${name} ${instancePath}: ${message}`)
    }
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(answer))
  }

  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  assert.ok(typeof address === 'object' && address !== null)
  return {
    url: `http://127.0.0.1:${address.port}`,
    asked,
    say: (type, data) => {
      for (const stream of streams) stream.write(`event: ${type}\ndata: ${JSON.stringify(data)}\n\n`)
      return streams.size
    },
    answer: (changed) => {
      answers = { ...answers, ...changed }
    },
    close: async () => {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
      assert.deepEqual(faults, [])
    },
  }
}

/** A file of the build; for the address of a screen its one page. */
function sendFile(pathname: string, response: ServerResponse): void {
  const path = /^\/assets\/[\w.-]+$/.test(pathname) ? pathname.slice(1) : 'index.html'
  if (!existsSync(dist + path)) {
    response.writeHead(404).end()
    return
  }
  response.writeHead(200, {
    'content-type': types[extname(path)] ?? 'application/octet-stream',
    // As the service has it.
    'cache-control': path === 'index.html' ? 'no-cache' : 'public, max-age=31536000, immutable',
  })
  response.end(readFileSync(dist + path))
}

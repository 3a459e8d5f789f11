// For tests: a service that answers what the test tells it to, and a clock that jumps over every wait.
import { type Client, type ClientOptions, createClient } from '../../../client/client.ts'
import type { Timing } from '../../../client/request.ts'
import type { DdosEvent } from '../../../client/types.ts'

export interface Call {
  method: string
  url: URL
  headers: Headers
  body: unknown
}

export class FakeService {
  readonly calls: Call[] = []
  readonly waitsMs: number[] = []
  nowMs = Date.UTC(2026, 0, 1)
  readonly timing: Timing = {
    now: () => this.nowMs,
    sleep: async (ms) => {
      this.waitsMs.push(ms)
      this.nowMs += ms
    },
  }
  readonly #answer: (call: Call) => Response | Promise<Response>

  constructor(answer: (call: Call) => Response | Promise<Response>) {
    this.#answer = answer
  }

  readonly fetch: typeof globalThis.fetch = async (input, init) => {
    init?.signal?.throwIfAborted()
    const url = new URL(String(input))
    const body = typeof init?.body === 'string' ? JSON.parse(init.body) : undefined
    const call = { method: init?.method ?? 'GET', url, headers: new Headers(init?.headers), body }
    this.calls.push(call)
    return this.#answer(call)
  }

  client(options: Partial<ClientOptions> = {}): Client {
    const base = { baseUrl: 'http://service.test', email: 'ann@example.org', token: 'secret' }
    return createClient({ ...base, timing: this.timing, fetch: this.fetch, ...options })
  }
}

export function json(body: unknown, status = 200, headers: Record<string, string> = {}): Response {
  return new Response(JSON.stringify(body), { status, headers: { 'content-type': 'application/json', ...headers } })
}

/** An event detected at that moment; its id tells them apart. */
export function eventAt(ms: number, id = ms.toString(16).padStart(24, '0')): DdosEvent {
  return {
    _id: id,
    cts: `${new Date(ms).toISOString().slice(0, 19)}+00:00`,
    curavg_bps: 60,
    curavg_flows: 60,
    curavg_pps: 60,
    deviate: 2,
    ip: '192.0.2.1',
    domain: '',
    site: '192.0.2.0/24',
  }
}

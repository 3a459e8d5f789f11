// A receiver of webhooks that keeps what it got and answers as it is told.
import { once } from 'node:events'
import { createServer, type IncomingHttpHeaders } from 'node:http'
import type { AddressInfo } from 'node:net'

export interface Received {
  path: string
  headers: IncomingHttpHeaders
  body: string
  atMs: number
}

interface Answer {
  status: number
  headers?: Record<string, string>
  body?: string
  /** How long the receiver thinks about it. */
  afterMs?: number
}

export class WebhookReceiver {
  readonly received: Received[] = []
  /** What the next request is answered with: status, headers and body. `break`: the connection is broken off. */
  answer: (received: Received) => Answer | 'hang' | 'break'
  readonly #server = createServer((request, response) => {
    const parts: Buffer[] = []
    request.on('data', (part: Buffer) => parts.push(part))
    request.on('end', () => {
      const body = Buffer.concat(parts).toString('utf8')
      const received = { path: request.url ?? '', headers: request.headers, body, atMs: Date.now() }
      this.received.push(received)
      const answer = this.answer(received)
      if (answer === 'break') request.socket.destroy()
      else if (answer !== 'hang')
        setTimeout(() => response.writeHead(answer.status, answer.headers).end(answer.body), answer.afterMs ?? 0)
    })
  })

  constructor(answer: WebhookReceiver['answer'] = () => ({ status: 204 })) {
    this.answer = answer
  }

  async start(): Promise<this> {
    this.#server.listen(0, '127.0.0.1')
    await once(this.#server, 'listening')
    return this
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}/hook`
  }

  stop(): void {
    this.#server.closeAllConnections()
    this.#server.close()
  }
}

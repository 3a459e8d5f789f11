// A DNS server on loopback, UDP and TCP on one port, whose answers a test writes.
import { createSocket, type RemoteInfo } from 'node:dgram'
import { createServer, type Socket } from 'node:net'
import { type Answer, decode, encode, type Packet } from 'dns-packet'

export interface Asked {
  id: number
  name: string
  over: 'udp' | 'tcp'
  /** UDP: the port that the question came from. */
  port: number
}

/** Messages to send for a question, in order; none: no answer. */
export type Reply = (asked: Asked) => (Packet | Buffer)[]

export class DnsServer {
  readonly asked: Asked[] = []
  reply: Reply
  port = 0
  readonly #udp = createSocket('udp4')
  readonly #connections = new Set<Socket>()
  readonly #tcp = createServer((socket) => {
    this.#connections.add(socket)
    socket.on('error', () => {})
    socket.on('data', (data) => {
      for (const message of this.#answer(data.subarray(2), 'tcp', 0)) {
        const length = Buffer.alloc(2)
        length.writeUInt16BE(message.length)
        // In two parts, as a network may do.
        socket.write(Buffer.concat([length, message.subarray(0, 5)]))
        setImmediate(() => socket.write(message.subarray(5)))
      }
    })
  })

  constructor(reply: Reply) {
    this.reply = reply
  }

  get address(): string {
    return `127.0.0.1:${this.port}`
  }

  async start(): Promise<this> {
    await new Promise<void>((resolve) => this.#tcp.listen(0, '127.0.0.1', resolve))
    const bound = this.#tcp.address()
    this.port = typeof bound === 'object' && bound !== null ? bound.port : 0
    await new Promise<void>((resolve) => this.#udp.bind(this.port, '127.0.0.1', resolve))
    this.#udp.on('message', (message, from: RemoteInfo) => {
      for (const reply of this.#answer(message, 'udp', from.port)) this.#udp.send(reply, from.port, from.address)
    })
    return this
  }

  stop(): void {
    this.#udp.close()
    this.#tcp.close()
    for (const socket of this.#connections) socket.destroy()
  }

  #answer(message: Buffer, over: 'udp' | 'tcp', port: number): Buffer[] {
    const { id = 0, questions = [] } = decode(message)
    const asked: Asked = { id, name: questions[0]?.name ?? '', over, port }
    this.asked.push(asked)
    return this.reply(asked).map((reply) => (Buffer.isBuffer(reply) ? reply : encode(reply)))
  }
}

/** An answer to the question that was asked, with what the test changes. */
export function response(asked: Asked, answers: Answer[], change: Packet = {}): Packet {
  return {
    type: 'response',
    id: asked.id,
    questions: [{ type: 'A', class: 'IN', name: asked.name }],
    answers,
    ...change,
  }
}

export function a(name: string, data: string, ttl = 60): Answer {
  return { type: 'A', class: 'IN', name, data, ttl }
}

export function cname(name: string, data: string, ttl = 60): Answer {
  return { type: 'CNAME', class: 'IN', name, data, ttl }
}

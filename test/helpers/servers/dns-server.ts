// A DNS server on loopback, UDP and TCP on one port, or TLS on it, whose answers a test writes.
import { createSocket, type RemoteInfo } from 'node:dgram'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { createServer, type Server, type Socket } from 'node:net'
import { createServer as createTlsServer } from 'node:tls'
import { fileURLToPath } from 'node:url'
import { type Answer, decode, encode, type Packet } from 'dns-packet'

export type Transport = 'udp' | 'tcp' | 'tls'

/** Files of the TLS server, whose certificate is for `resolver.example` and 127.0.0.1. */
export const certificates = {
  authority: pathOf('authority.pem'),
  certificate: pathOf('resolver.pem'),
  key: pathOf('resolver-key.pem'),
  /** With names of many kinds, some of them odd; for the same key. */
  names: pathOf('names.pem'),
}

export interface Asked {
  id: number
  /** In lower case, and as it was asked. */
  name: string
  spelled: string
  /** Left out: A. */
  type?: 'A' | 'AAAA' | 'TXT'
  over: Transport
  /** UDP: the port that the question came from. */
  port: number
}

/** Messages to send for a question, in order; none: no answer. */
export type Reply = (asked: Asked) => (Packet | Buffer)[]

export class DnsServer {
  readonly asked: Asked[] = []
  reply: Reply
  port = 0
  /** Connections so far, over TCP or TLS. */
  connections = 0
  readonly #udp = createSocket('udp4')
  readonly #open = new Set<Socket>()
  readonly #stream: Server

  constructor(reply: Reply, stream: 'tcp' | 'tls' = 'tcp') {
    this.reply = reply
    const serve = (socket: Socket) => this.#serve(socket, stream)
    this.#stream =
      stream === 'tcp'
        ? createServer(serve)
        : createTlsServer({ cert: readFileSync(certificates.certificate), key: readFileSync(certificates.key) }, serve)
  }

  get address(): string {
    return `127.0.0.1:${this.port}`
  }

  async start(): Promise<this> {
    while (!(await this.#bind()));
    this.#udp.on('message', (message, from: RemoteInfo) => {
      for (const reply of this.#answer(message, 'udp', from.port)) this.#udp.send(reply, from.port, from.address)
    })
    return this
  }

  /** False: for UDP somebody else has the port that the kernel gave for TCP. */
  async #bind(): Promise<boolean> {
    await once(this.#stream.listen(0, '127.0.0.1'), 'listening')
    const bound = this.#stream.address()
    this.port = typeof bound === 'object' && bound !== null ? bound.port : 0
    try {
      await once(this.#udp.bind(this.port, '127.0.0.1'), 'listening')
      return true
    } catch (error) {
      if (!(error instanceof Error && 'code' in error && error.code === 'EADDRINUSE')) throw error
      await once(this.#stream.close(), 'close')
      return false
    }
  }

  stop(): void {
    this.#udp.close()
    this.#stream.close()
    this.disconnect()
  }

  /** Ends the connections that are open. */
  disconnect(): void {
    for (const socket of this.#open) socket.destroy()
    this.#open.clear()
  }

  #serve(socket: Socket, over: Transport): void {
    this.connections++
    this.#open.add(socket)
    socket.on('error', () => {})
    let received = Buffer.alloc(0)
    socket.on('data', (data) => {
      received = Buffer.concat([received, data])
      while (received.length >= 2 && received.length >= 2 + received.readUInt16BE(0)) {
        const end = 2 + received.readUInt16BE(0)
        for (const message of this.#answer(received.subarray(2, end), over, 0)) sendInTwo(socket, message)
        received = received.subarray(end)
      }
    })
  }

  #answer(message: Buffer, over: Transport, port: number): Buffer[] {
    const { id = 0, questions = [] } = decode(message)
    const spelled = questions[0]?.name ?? ''
    const given = questions[0]?.type
    const type = given === 'TXT' || given === 'AAAA' ? given : 'A'
    const asked: Asked = { id, name: spelled.toLowerCase(), spelled, type, over, port }
    this.asked.push(asked)
    return this.reply(asked).map((reply) => (Buffer.isBuffer(reply) ? reply : encode(reply)))
  }
}

/** In two parts, as a network may do. */
function sendInTwo(socket: Socket, message: Buffer): void {
  const length = Buffer.alloc(2)
  length.writeUInt16BE(message.length)
  const whole = Buffer.concat([length, message])
  socket.write(whole.subarray(0, 5))
  socket.write(whole.subarray(5))
}

function pathOf(name: string): string {
  return fileURLToPath(new URL(`certificates/${name}`, import.meta.url))
}

/** An answer to the question that was asked, with what the test changes. */
export function response(asked: Asked, answers: Answer[], change: Packet = {}): Packet {
  return {
    type: 'response',
    id: asked.id,
    questions: [{ type: asked.type ?? 'A', class: 'IN', name: asked.spelled }],
    answers,
    ...change,
  }
}

export function a(name: string, data: string, ttl = 60): Answer {
  return { type: 'A', class: 'IN', name, data, ttl }
}

export function aaaa(name: string, data: string, ttl = 60): Answer {
  return { type: 'AAAA', class: 'IN', name, data, ttl }
}

export function txt(name: string, data: string | string[], ttl = 60): Answer {
  return { type: 'TXT', class: 'IN', name, data, ttl }
}

export function cname(name: string, data: string, ttl = 60): Answer {
  return { type: 'CNAME', class: 'IN', name, data, ttl }
}

export function dname(name: string, data: string, ttl = 60): Answer {
  return { type: 'DNAME', class: 'IN', name, data, ttl }
}

// Questions over TCP and over TLS (RFC 7766, RFC 7858): any number at a time on one connection, answered in any order. A connection that
// has nothing to do is kept for a while and then closed; one that is silent, or in the midst of a message, while a question waits in vain is
// given up.
import { connect, isIP, type Socket } from 'node:net'
import { connect as connectTls } from 'node:tls'
import type { DecodedPacket } from 'dns-packet'
import { decodeAnswer, encodeQuestion, type Question } from './answer.ts'
import { codeOf, type ExchangeOptions, type Finish, onceWithin } from './exchange.ts'
import type { Server } from './servers.ts'

export interface StreamOptions extends ExchangeOptions {
  server: Server
  /** TLS: certificates of the authorities to trust, in PEM; null: those that come with Node.js. */
  authorities: string | null
}

/** A handshake costs more than all the questions after it. */
const tlsIdleMs = 10_000

export class StreamExchange {
  readonly #options: StreamOptions
  #connection: Connection | null = null

  constructor(options: StreamOptions) {
    this.#options = options
  }

  /** Null: no answer in time, or the server can't be reached, or is not who it should be. */
  ask(question: Question): Promise<DecodedPacket | null> {
    if (this.#connection === null || this.#connection.isClosed) this.#connection = new Connection(this.#options)
    return this.#connection.ask(question)
  }
}

class Connection {
  readonly #options: StreamOptions
  readonly #socket: Socket
  readonly #idleMs: number
  readonly #waiting = new Map<number, { question: Question; finish: Finish }>()
  /** To be sent when the connection stands, and, with TLS, the other end is known to be who it should be; null: it does. */
  #unsent: Buffer[] | null = []
  #received = Buffer.alloc(0)
  #heardMs = Number.NEGATIVE_INFINITY

  constructor(options: StreamOptions) {
    this.#options = options
    const isTls = options.server.certificateName !== undefined
    this.#idleMs = isTls ? tlsIdleMs : 0
    this.#socket = isTls ? openTls(options) : connect(options.server.port, options.server.address)
    this.#socket.on(isTls ? 'secureConnect' : 'connect', () => this.#stands())
    this.#socket.on('data', (data) => this.#take(data))
    this.#socket.on('timeout', () => this.#socket.destroy())
    this.#socket.on('error', (error) => options.onRefused(codeOf(error)))
    this.#socket.on('close', () => {
      for (const { finish } of this.#waiting.values()) finish(null)
    })
  }

  get isClosed(): boolean {
    return !this.#socket.writable
  }

  ask(given: Question): Promise<DecodedPacket | null> {
    const question = { ...given, id: this.#freeId(given.id) }
    const askedMs = performance.now()
    const { promise, finish } = onceWithin(this.#options, (packet) => {
      this.#waiting.delete(question.id)
      // Where a message does not come to its end, its length was none, and whatever follows would be taken for a part of it.
      const isStuck = this.#heardMs < askedMs || this.#received.length > 0
      if (packet === null && isStuck) this.#socket.destroy()
      else if (this.#waiting.size === 0) this.#rest()
    })
    this.#waiting.set(question.id, { question, finish })
    this.#socket.ref()
    this.#socket.setTimeout(0)
    const message = withLength(encodeQuestion(question))
    if (this.#unsent === null) this.#socket.write(message)
    else this.#unsent.push(message)
    return promise
  }

  #stands(): void {
    for (const message of this.#unsent ?? []) this.#socket.write(message)
    this.#unsent = null
  }

  /** Messages are preceded by their length in two octets (RFC 1035 section 4.2.2). */
  #take(data: Buffer): void {
    this.#heardMs = performance.now()
    this.#received = Buffer.concat([this.#received, data])
    while (this.#received.length >= 2 && this.#received.length >= 2 + this.#received.readUInt16BE(0)) {
      const end = 2 + this.#received.readUInt16BE(0)
      this.#answer(this.#received.subarray(2, end))
      this.#received = this.#received.subarray(end)
    }
  }

  #answer(message: Buffer): void {
    const waiting = message.length >= 2 ? this.#waiting.get(message.readUInt16BE(0)) : undefined
    const packet = waiting === undefined ? null : decodeAnswer(message, waiting.question)
    if (packet === null) this.#options.onForeign()
    else waiting?.finish(packet)
  }

  #rest(): void {
    if (this.#idleMs === 0) {
      this.#socket.destroy()
      return
    }
    this.#socket.setTimeout(this.#idleMs)
    this.#socket.unref()
  }

  /** The given one, or the next that no open question has. */
  #freeId(given: number): number {
    let id = given
    while (this.#waiting.has(id)) id = (id + 1) & 0xffff
    return id
  }
}

function openTls({ server, authorities }: StreamOptions): Socket {
  const { address, port, certificateName = address } = server
  return connectTls({
    host: address,
    port,
    // An address is no server name (RFC 6066 section 3); the certificate is checked against it all the same, as the host.
    ...(isIP(certificateName) === 0 && { servername: certificateName }),
    ...(authorities !== null && { ca: authorities }),
  })
}

function withLength(message: Buffer): Buffer {
  const length = Buffer.alloc(2)
  length.writeUInt16BE(message.length)
  return Buffer.concat([length, message])
}

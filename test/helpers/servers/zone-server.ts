// A server of zone transfers on loopback whose messages a test writes; signed (RFC 8945) independently of the code that is tested.
import { createHmac } from 'node:crypto'
import { createServer, type Server, type Socket } from 'node:net'
import { type Answer, decode, encode, type Packet } from 'dns-packet'
import { wireForm } from './dnstap-sender.ts'

export interface ZoneAsked {
  id: number
  name: string
  type: string
  /** As it came, over a connection of this number. */
  message: Buffer
}

export type ZoneReply = (asked: ZoneAsked) => Buffer[]

export class ZoneServer {
  readonly asked: ZoneAsked[] = []
  reply: ZoneReply
  port = 0
  readonly #server: Server
  readonly #open = new Set<Socket>()

  constructor(reply: ZoneReply) {
    this.reply = reply
    this.#server = createServer((socket) => this.#serve(socket))
  }

  async start(): Promise<this> {
    await new Promise<void>((resolve) => this.#server.listen(0, '127.0.0.1', resolve))
    const bound = this.#server.address()
    this.port = typeof bound === 'object' && bound !== null ? bound.port : 0
    return this
  }

  stop(): void {
    this.#server.close()
    for (const socket of this.#open) socket.destroy()
  }

  #serve(socket: Socket): void {
    this.#open.add(socket)
    socket.on('error', () => {})
    let received = Buffer.alloc(0)
    socket.on('data', (data) => {
      received = Buffer.concat([received, data])
      while (received.length >= 2 && received.length >= 2 + received.readUInt16BE(0)) {
        const message = received.subarray(2, 2 + received.readUInt16BE(0))
        received = received.subarray(2 + message.length)
        const { id = 0, questions = [] } = decode(message)
        const asked = { id, name: questions[0].name, type: questions[0].type, message }
        this.asked.push(asked)
        for (const each of this.reply(asked)) socket.write(framed(each))
      }
    })
  }
}

function framed(message: Buffer): Buffer {
  return Buffer.concat([uint16(message.length), message])
}

export function soa(zone: string, serial: number, refresh = 3_600): Answer {
  const data = {
    mname: `ns.${zone}`,
    rname: `hostmaster.${zone}`,
    serial,
    refresh,
    retry: 600,
    expire: 86_400,
    minimum: 60,
  }
  return { type: 'SOA', class: 'IN', name: zone, ttl: 60, data }
}

export function zoneMessage({ id, name, type }: ZoneAsked, answers: Answer[], change: Packet = {}): Buffer {
  const questions = [{ name, type: type === 'SOA' ? ('SOA' as const) : ('AXFR' as const), class: 'IN' as const }]
  return encode({ type: 'response', id, questions, answers, ...change })
}

export interface SigningKey {
  name: string
  algorithm: 'hmac-sha256' | 'hmac-sha384' | 'hmac-sha512'
  secret: Buffer
}

interface SignOptions {
  key: SigningKey
  timeSigned: number
  /** Which messages are signed, by place; all when it is left out. */
  signs?: (place: number) => boolean
  error?: number
}

/** The messages of an answer with their signatures. */
export function signed(
  request: Buffer,
  messages: Buffer[],
  { key, timeSigned, signs = () => true, error = 0 }: SignOptions,
): Buffer[] {
  const digest = (...parts: Buffer[]) =>
    createHmac(key.algorithm.slice(5), key.secret).update(Buffer.concat(parts)).digest()
  const time = Buffer.alloc(8)
  time.writeUIntBE(timeSigned, 0, 6)
  time.writeUInt16BE(300, 6)
  const size = digest().length
  // Name, size of data and what follows the MAC stand at the end of the request.
  let mac = request.subarray(request.length - 6 - size, request.length - 6)
  let waiting: Buffer[] = []
  let isFirst = true
  return messages.map((message, place) => {
    if (!signs(place)) {
      waiting.push(message)
      return message
    }
    const variables = isFirst
      ? Buffer.concat([
          wireForm(key.name),
          uint16(255),
          Buffer.alloc(4),
          wireForm(key.algorithm),
          time,
          uint16(error),
          uint16(0),
        ])
      : time
    mac = digest(uint16(mac.length), mac, ...waiting, message, variables)
    waiting = []
    isFirst = false
    const data = Buffer.concat([
      wireForm(key.algorithm),
      time,
      uint16(mac.length),
      mac,
      message.subarray(0, 2),
      uint16(error),
      uint16(0),
    ])
    const record = Buffer.concat([
      wireForm(key.name),
      uint16(250),
      uint16(255),
      Buffer.alloc(4),
      uint16(data.length),
      data,
    ])
    const whole = Buffer.concat([message, record])
    whole.writeUInt16BE(whole.readUInt16BE(10) + 1, 10)
    return whole
  })
}

function uint16(value: number): Buffer {
  const octets = Buffer.alloc(2)
  octets.writeUInt16BE(value)
  return octets
}

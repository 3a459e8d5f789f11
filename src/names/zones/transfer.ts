// A zone's records from its server (AXFR, RFC 5936), asked for when its serial number has changed; over one connection, signed where there is
// a key, bounded in records, octets and time.
import { randomInt } from 'node:crypto'
import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { isWithin } from '../../net/hostname.ts'
import { codeOf } from '../resolve/exchange.ts'
import type { Server } from '../resolve/servers.ts'
import { refusesSignature, type SignedAnswers, signRequest, type TsigKey } from './tsig.ts'
import { classIn, encodeZoneQuestion, readMessage, readName, types, type WireMessage, type WireRecord } from './wire.ts'

export interface TransferOptions {
  server: Server
  /** Canonical. */
  zone: string
  /** Null: nothing is signed. */
  key: TsigKey | null
  /** The serial number of the known copy; null: there is none. */
  knownSerial: number | null
  /** Unix seconds. */
  now: () => number
  signal: AbortSignal
  limits?: Partial<TransferLimits>
}

export interface TransferLimits {
  /** Bound for records of all types. */
  recordsMax: number
  bytesMax: number
  /** Bound for the server's silence. */
  silentMs: number
  /** Bound for the whole transfer. */
  wholeMs: number
}

/** A record that says where a name leads. */
export interface Leading {
  /** Canonical; of a wildcard record with `*.` before it. */
  name: string
  /** An IPv4 address, or the name that it is an alias for. */
  value: number | string
}

export const transferFailures = ['unreachable', 'timeout', 'refused', 'signature', 'broken', 'large'] as const
export type TransferFailure = (typeof transferFailures)[number]

export type TransferOutcome =
  | { kind: 'unchanged'; refreshSeconds: number }
  | { kind: 'zone'; serial: number; refreshSeconds: number; leading: Leading[] }
  /** `detail`: the error code of the network or of the answer; empty: none. */
  | { kind: 'failed'; reason: TransferFailure; detail: string }

const limitsDefault: TransferLimits = {
  recordsMax: 1_000_000,
  bytesMax: 256 * 1024 * 1024,
  silentMs: 20_000,
  wholeMs: 600_000,
}

class Failure extends Error {
  readonly reason: TransferFailure

  constructor(reason: TransferFailure, detail = '') {
    super(detail)
    this.reason = reason
  }
}

export async function transferZone(options: TransferOptions): Promise<TransferOutcome> {
  const limits = { ...limitsDefault, ...options.limits }
  const { server, signal } = options
  const socket = connect(server.port, server.address)
  const stop = AbortSignal.any([signal, AbortSignal.timeout(limits.wholeMs)])
  const abandon = () => socket.destroy(new Failure('timeout'))
  stop.addEventListener('abort', abandon)
  socket.setTimeout(limits.silentMs, abandon)
  try {
    await once(socket, 'connect')
    return await new Session(socket, options, limits).run()
  } catch (error) {
    if (error instanceof Failure) return { kind: 'failed', reason: error.reason, detail: error.message }
    return { kind: 'failed', reason: 'unreachable', detail: error instanceof Error ? codeOf(error) : '' }
  } finally {
    stop.removeEventListener('abort', abandon)
    socket.on('error', () => {})
    socket.destroy()
  }
}

interface Soa {
  serial: number
  refreshSeconds: number
}

class Session {
  readonly #socket: Socket
  readonly #options: TransferOptions
  readonly #limits: TransferLimits
  readonly #messages: AsyncGenerator<Buffer>
  #records = 0

  constructor(socket: Socket, options: TransferOptions, limits: TransferLimits) {
    this.#socket = socket
    this.#options = options
    this.#limits = limits
    this.#messages = messagesOf(socket, limits.bytesMax)
  }

  async run(): Promise<TransferOutcome> {
    const soa = await this.#currentSoa()
    if (soa.serial === this.#options.knownSerial) return { kind: 'unchanged', refreshSeconds: soa.refreshSeconds }
    const leading: Leading[] = []
    const { serial, refreshSeconds } = await this.#transfer(leading)
    return { kind: 'zone', serial, refreshSeconds, leading }
  }

  async #currentSoa(): Promise<Soa> {
    const next = this.#ask(types.SOA)
    const { message, read, answers } = await next()
    if (answers !== null && !answers.isComplete) throw new Failure('signature')
    const record = read.answers.find((each) => this.#isSoa(each))
    if (record === undefined) throw new Failure('refused', 'no SOA')
    return soaIn(message, record)
  }

  /** Gives the SOA record that it begins and ends with. */
  async #transfer(leading: Leading[]): Promise<Soa> {
    const next = this.#ask(types.AXFR)
    let soa: Soa | null = null
    for (;;) {
      const { message, read, answers } = await next()
      this.#records += read.answers.length
      if (this.#records > this.#limits.recordsMax) throw new Failure('large', 'records')
      if (read.answers.length === 0) throw new Failure('broken', 'a message without records')
      for (const [i, record] of read.answers.entries()) {
        if (this.#isSoa(record)) {
          if (soa === null) {
            soa = soaIn(message, record)
            continue
          }
          if (i + 1 < read.answers.length || soaIn(message, record).serial !== soa.serial)
            throw new Failure('broken', 'SOA')
          if (answers !== null && !answers.isComplete) throw new Failure('signature')
          return soa
        }
        if (soa === null) throw new Failure('broken', 'no SOA at the beginning')
        const found = leadingIn(message, record)
        // What is not of the zone is not the server's to say.
        if (found !== null && isWithin(found.name, this.#options.zone)) leading.push(found)
      }
    }
  }

  #isSoa({ type, name }: WireRecord): boolean {
    return type === types.SOA && name === this.#options.zone
  }

  /** Asks; gives what reads the messages of the answer, each checked. */
  #ask(type: number): () => Promise<{ message: Buffer; read: WireMessage; answers: SignedAnswers | null }> {
    const { zone, key, now } = this.#options
    const id = randomInt(0x10000)
    const question = encodeZoneQuestion(id, zone, type)
    const { message: request, answers } =
      key === null ? { message: question, answers: null } : signRequest(question, key, now())
    this.#socket.write(Buffer.concat([Buffer.from([request.length >> 8, request.length & 0xff]), request]))
    return async () => {
      const { value: message, done } = await this.#messages.next()
      if (done === true) throw new Failure('broken', 'the connection was closed')
      const read = readMessage(message)
      if (read === null || !read.isResponse || read.id !== id) throw new Failure('broken')
      if (answers !== null && refusesSignature(message, read)) throw new Failure('signature', `rcode ${read.rcode}`)
      if (read.rcode !== 0) throw new Failure('refused', `rcode ${read.rcode}`)
      if (answers !== null && !answers.take(message, read, now())) throw new Failure('signature')
      return { message, read, answers }
    }
  }
}

function soaIn(message: Buffer, { dataAt, end }: WireRecord): Soa {
  const primary = readName(message, dataAt)
  const mailbox = primary && readName(message, primary.end)
  if (mailbox === null || mailbox.end + 20 > end) throw new Failure('broken', 'SOA')
  return { serial: message.readUInt32BE(mailbox.end), refreshSeconds: message.readUInt32BE(mailbox.end + 4) }
}

/** Null: the record says nothing of where a name of a host leads. */
function leadingIn(message: Buffer, record: WireRecord): Leading | null {
  const { name, type, dataAt, end } = record
  if (name === null || name === '' || record.class !== classIn) return null
  if (type === types.A && end === dataAt + 4) return { name, value: message.readUInt32BE(dataAt) }
  const target = type === types.CNAME ? readName(message, dataAt)?.text : null
  return target ? { name, value: target } : null
}

/** Each is preceded by its length (RFC 1035 section 4.2.2). */
async function* messagesOf(socket: Socket, bytesMax: number): AsyncGenerator<Buffer> {
  let received: Buffer = Buffer.alloc(0)
  let bytes = 0
  for await (const chunk of socket as AsyncIterable<Buffer>) {
    bytes += chunk.length
    if (bytes > bytesMax) throw new Failure('large', 'octets')
    received = received.length === 0 ? chunk : Buffer.concat([received, chunk])
    while (received.length >= 2 && received.length >= 2 + received.readUInt16BE(0)) {
      const end = 2 + received.readUInt16BE(0)
      yield received.subarray(2, end)
      received = received.subarray(end)
    }
  }
}

// One question over the network: a datagram from a socket of its own (so that its source port is a fresh one), or a TCP connection.
// A message that is not the answer is passed over; the wait for the real one goes on.
import { createSocket } from 'node:dgram'
import { connect } from 'node:net'
import type { DecodedPacket } from 'dns-packet'
import { decodeAnswer, encodeQuestion, type Question } from './answer.ts'
import type { Server } from './servers.ts'

export interface ExchangeOptions {
  timeoutMs: number
  /** Gives up at once when aborted; not aborted yet. */
  signal: AbortSignal
  /** A message came that is no answer to the question. */
  onForeign: () => void
}

export type Exchange = (question: Question, server: Server, options: ExchangeOptions) => Promise<DecodedPacket | null>

/** Null: no answer in time, or the server can't be reached. */
export const askUdp: Exchange = (question, server, options) => {
  const socket = createSocket(server.family === 6 ? 'udp6' : 'udp4')
  const { promise, finish } = onceWithin(options, () => socket.close())
  socket.on('error', () => finish(null))
  socket.on('message', (message) => {
    const packet = decodeAnswer(message, question)
    if (packet === null) options.onForeign()
    else finish(packet)
  })
  socket.on('connect', () => socket.send(encodeQuestion(question)))
  // A connected socket takes datagrams from that address and port only, and hears when nobody listens there.
  socket.connect(server.port, server.address)
  return promise
}

/** Messages over TCP are preceded by their length in two octets (RFC 1035 section 4.2.2). Null as above. */
export const askTcp: Exchange = (question, server, options) => {
  const socket = connect(server.port, server.address)
  const { promise, finish } = onceWithin(options, () => socket.destroy())
  let received = Buffer.alloc(0)
  socket.on('error', () => finish(null))
  socket.on('close', () => finish(null))
  socket.on('connect', () => {
    const message = encodeQuestion(question)
    const length = Buffer.alloc(2)
    length.writeUInt16BE(message.length)
    socket.write(Buffer.concat([length, message]))
  })
  socket.on('data', (data) => {
    received = Buffer.concat([received, data])
    if (received.length < 2 || received.length < 2 + received.readUInt16BE(0)) return
    const packet = decodeAnswer(received.subarray(2, 2 + received.readUInt16BE(0)), question)
    if (packet === null) options.onForeign()
    finish(packet)
  })
  return promise
}

/** A promise that is settled once: by `finish`, by the time-out or by the signal; then `close` is called. */
function onceWithin({ timeoutMs, signal }: ExchangeOptions, close: () => void) {
  const { promise, resolve } = Promise.withResolvers<DecodedPacket | null>()
  let open = true
  const finish = (packet: DecodedPacket | null): void => {
    if (!open) return
    open = false
    clearTimeout(timer)
    signal.removeEventListener('abort', abandon)
    close()
    resolve(packet)
  }
  const abandon = (): void => finish(null)
  const timer = setTimeout(abandon, timeoutMs)
  signal.addEventListener('abort', abandon)
  return { promise, finish }
}

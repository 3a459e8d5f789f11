// One question over the network by datagram, from a socket of its own, so that its source port is a fresh one. What streams need of an
// exchange too is here as well. A message that is not the answer is passed over; the wait for the real one goes on.
import { createSocket } from 'node:dgram'
import type { DecodedPacket } from 'dns-packet'
import { decodeAnswer, encodeQuestion, type Question } from './answer.ts'
import type { Server } from './servers.ts'

export interface ExchangeOptions {
  timeoutMs: number
  /** Gives up at once when aborted; not aborted yet. */
  signal: AbortSignal
  /** A message came that is no answer to the question. */
  onForeign: () => void
  /** The network, or the other end, refused: an error code. */
  onRefused: (code: string) => void
}

/** Null: no answer in time, or the server can't be reached. */
export function askUdp(question: Question, server: Server, options: ExchangeOptions): Promise<DecodedPacket | null> {
  const socket = createSocket(server.family === 6 ? 'udp6' : 'udp4')
  const { promise, finish } = onceWithin(options, () => socket.close())
  socket.on('error', (error) => {
    options.onRefused(codeOf(error))
    finish(null)
  })
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

export type Finish = (packet: DecodedPacket | null) => void

/** A promise that is settled once: by `finish`, by the time-out or by the signal; then `close` is called with the same. */
export function onceWithin({ timeoutMs, signal }: ExchangeOptions, close: Finish) {
  const { promise, resolve } = Promise.withResolvers<DecodedPacket | null>()
  let open = true
  const finish: Finish = (packet) => {
    if (!open) return
    open = false
    clearTimeout(timer)
    signal.removeEventListener('abort', abandon)
    close(packet)
    resolve(packet)
  }
  const abandon = (): void => finish(null)
  const timer = setTimeout(abandon, timeoutMs)
  signal.addEventListener('abort', abandon)
  return { promise, finish }
}

/** What an error of a socket is called. */
export function codeOf(error: Error): string {
  return 'code' in error && typeof error.code === 'string' ? error.code : error.message
}

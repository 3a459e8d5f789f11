// Sends messages to a syslog receiver: over UDP a datagram each (RFC 5426), over TCP and TLS behind their length (RFC 6587, RFC 5425), to a socket of
// this machine a datagram each. It answers whether messages were handed over; who sends keeps them until then.
import { createSocket, type Socket } from 'node:dgram'
import { readFileSync } from 'node:fs'
import { connect, isIP, isIPv6, type Socket as Stream } from 'node:net'
import { connect as connectTls } from 'node:tls'
import type { SyslogTarget } from '../settings.ts'

/** How long the receiver may take to answer, and to take what was sent. */
const timeoutMs = 10_000

export interface Sender {
  /** Rejects when they could not be handed over. Only messages before a rejection may have arrived. */
  send(messages: readonly Buffer[]): Promise<void>
  close(): void
}

export interface SenderOptions {
  /** The authorities that the certificate of a TLS receiver must come from, PEM, when the connection begins. Undefined: those that Node.js knows. */
  authorities?: () => string | Buffer | undefined
  /** Where the host is, for whoever has looked; undefined: where its name leads to. */
  address?: string
}

export function createSender(target: SyslogTarget, options: SenderOptions = {}): Sender {
  if (target.kind === 'udp') return new DatagramSender({ ...target, host: options.address ?? target.host })
  return new StreamSender(() => open(target, options))
}

/** Those of a file; an empty path is that of none. */
export function authoritiesIn(file: string): SenderOptions {
  return { authorities: () => (file === '' ? undefined : readFileSync(file)) }
}

class DatagramSender implements Sender {
  readonly #target: { host: string; port: number }
  #socket: Socket | null = null

  constructor(target: { host: string; port: number }) {
    this.#target = target
  }

  async send(messages: readonly Buffer[]): Promise<void> {
    const { host, port } = this.#target
    this.#socket ??= createSocket(isIPv6(host) ? 'udp6' : 'udp4')
      .on('error', () => {})
      .unref()
    const socket = this.#socket
    for (const message of messages) {
      await new Promise<void>((resolve, reject) => {
        socket.send(message, port, host, (error) => (error === null ? resolve() : reject(error)))
      })
    }
  }

  close(): void {
    this.#socket?.close()
    this.#socket = null
  }
}

class StreamSender implements Sender {
  readonly #open: () => Stream
  /** On its way, or connected. */
  #stream: Stream | null = null
  #isConnected = false

  constructor(openStream: () => Stream) {
    this.#open = openStream
  }

  async send(messages: readonly Buffer[]): Promise<void> {
    const framed = Buffer.concat(messages.flatMap((message) => [Buffer.from(`${message.length} `), message]))
    const stream = this.#stream ?? this.#begin()
    const { promise, resolve, reject } = Promise.withResolvers<void>()
    const fail = (error?: unknown) => reject(error instanceof Error ? error : new Error('the connection has ended'))
    const timer = setTimeout(() => fail(new Error('the syslog receiver does not answer')), timeoutMs)
    const write = () => stream.write(framed, (error) => (error ? fail(error) : resolve()))
    const ready = 'authorized' in stream ? 'secureConnect' : 'connect'
    stream.on('error', fail).once('close', fail)
    if (this.#isConnected) write()
    else stream.once(ready, write)
    try {
      await promise
      this.#isConnected = true
    } catch (error) {
      this.close()
      throw error
    } finally {
      clearTimeout(timer)
      stream.off('error', fail).off('close', fail).off(ready, write)
    }
  }

  /** Whoever sends learns that it has failed. */
  close(): void {
    this.#stream?.destroy()
    this.#stream = null
    this.#isConnected = false
  }

  #begin(): Stream {
    const stream = this.#open()
    this.#stream = stream
    this.#isConnected = false
    // An end between two messages is seen by the next one.
    stream.on('error', () => {})
    stream.once('close', () => {
      if (this.#stream === stream) this.close()
    })
    // A receiver answers nothing that matters.
    return stream.resume().unref()
  }
}

function open(target: SyslogTarget, { authorities, address }: SenderOptions): Stream {
  if (target.kind === 'unix') return connect({ path: target.path })
  const { host, port } = target
  if (target.kind !== 'tls') return connect({ host: address ?? host, port })
  const ca = authorities?.()
  return connectTls({
    host: address ?? host,
    port,
    // The certificate has to be that of the host, whatever address was connected to.
    ...(isIP(host) === 0 && { servername: host }),
    minVersion: 'TLSv1.2',
    ...(ca !== undefined && { ca }),
  })
}

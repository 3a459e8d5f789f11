// One dnstap sender's connection: the handshake of Frame Streams in either form, then frames, until one side has enough.
import type { Socket } from 'node:net'
import { controls, encodeControl, FrameReader } from './frame-stream.ts'
import { dnstapContentType } from './message.ts'

/** Why we closed a connection. */
export type CloseReason = 'handshake' | 'idle' | 'protocol' | 'frame_length'

export interface ConnectionOptions {
  /** Within it a sender has to begin. */
  handshakeMs: number
  /** A sender that is silent for so long is closed; it connects again when it has something to tell. */
  idleMs: number
  /** A data frame; valid until this returns. */
  onFrame: (frame: Buffer) => void
  /** The connection is over; null: the sender ended it. */
  onClose: (reason: CloseReason | null) => void
}

/** New: nothing was said. Offered: READY was answered with ACCEPT. Started: data may come. */
type State = 'new' | 'offered' | 'started' | 'over'

const keepAliveMs = 60_000

export class DnstapConnection {
  readonly #socket: Socket
  readonly #options: ConnectionOptions
  readonly #reader = new FrameReader()
  readonly #handshake: NodeJS.Timeout
  #state: State = 'new'
  /** The sender waits for answers to its control frames. */
  #isBidirectional = false
  #reason: CloseReason | null = null

  constructor(socket: Socket, options: ConnectionOptions) {
    this.#socket = socket
    this.#options = options
    this.#handshake = setTimeout(() => this.#fail('handshake'), options.handshakeMs)
    socket.setKeepAlive(true, keepAliveMs)
    socket.setTimeout(options.idleMs, () => this.#fail('idle'))
    // A sender that goes away without a word is no error of ours; `close` follows.
    socket.on('error', () => {})
    socket.on('data', (chunk) => this.#read(chunk))
    socket.on('close', () => {
      this.#state = 'over'
      clearTimeout(this.#handshake)
      options.onClose(this.#reason)
    })
  }

  close(): void {
    this.#socket.destroy()
  }

  #read(chunk: Buffer): void {
    if (this.#state === 'over') return
    for (const frame of this.#reader.read(chunk)) {
      if (frame.kind === 'long') this.#fail('frame_length')
      else if (frame.kind === 'broken') this.#fail('protocol')
      else if (frame.kind === 'control') this.#control(frame)
      else if (this.#state === 'started') this.#options.onFrame(frame.octets)
      else this.#fail('protocol')
      if (this.#isOver()) return
    }
  }

  #control({ type, contentTypes }: { type: number; contentTypes: readonly string[] }): void {
    const isOurs = contentTypes.length === 0 || contentTypes.includes(dnstapContentType)
    if (type === controls.ready && this.#state === 'new' && isOurs) {
      this.#state = 'offered'
      this.#isBidirectional = true
      this.#socket.write(encodeControl(controls.accept, [dnstapContentType]))
    } else if (type === controls.start && (this.#state === 'new' || this.#state === 'offered') && isOurs) {
      this.#state = 'started'
      clearTimeout(this.#handshake)
    } else if (type === controls.stop && this.#state === 'started') {
      this.#state = 'over'
      if (this.#isBidirectional) this.#socket.end(encodeControl(controls.finish))
      else this.#socket.end()
    } else {
      this.#fail('protocol')
    }
  }

  #isOver(): boolean {
    return this.#state === 'over'
  }

  #fail(reason: CloseReason): void {
    if (this.#socket.destroyed) return
    this.#state = 'over'
    this.#reason = reason
    this.#socket.destroy()
  }
}

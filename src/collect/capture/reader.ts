// Reads captured exports from a file or standard input, compressed or not, one datagram at a time in bounded memory. It neither decodes
// them nor knows what time it is.
import { createReadStream } from 'node:fs'
import { pipeline, Readable } from 'node:stream'
import { createGunzip } from 'node:zlib'
import { AppError, messageOf } from '../../errors.ts'
import { formatOctets } from '../../net/octets.ts'
import { type CaptureFormat, type Frame, formatOf } from './format.ts'
import { findUdp, type UdpPlace } from './frame.ts'

export interface CapturedDatagram {
  /** Time of capture, Unix milliseconds with a fraction. */
  timeMs: number
  /** The sender. */
  address: string
  port: number
  toPort: number
  /** A copy: valid as long as the consumer keeps it. */
  payload: DataView
}

export interface Capture extends AsyncIterable<CapturedDatagram> {
  /** Frames that hold no UDP datagram, or a fragment of one. */
  readonly skipped: number
  /** Octets read of the file, as it lies on disk. */
  readonly bytesRead: number
}

/** Reads a pcap or pcapng file, plain or gzip, or `-` for standard input. Throws AppError BAD_CAPTURE when it can't be read to its end. */
export function readCapture(path: string): Capture {
  return new CaptureFile(path)
}

type Chunks = AsyncIterable<Uint8Array>

class CaptureFile implements Capture {
  skipped = 0
  bytesRead = 0
  readonly #path: string

  constructor(path: string) {
    this.#path = path
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<CapturedDatagram> {
    try {
      yield* this.#datagrams(await plain(this.#counted(this.#open())))
    } catch (error) {
      throw this.#explained(error)
    }
  }

  #open(): Chunks {
    return this.#path === '-' ? process.stdin : createReadStream(this.#path, { highWaterMark: 1 << 18 })
  }

  async *#counted(chunks: Chunks): AsyncGenerator<Uint8Array> {
    for await (const chunk of chunks) {
      this.bytesRead += chunk.length
      yield chunk
    }
  }

  async *#datagrams(chunks: Chunks): AsyncGenerator<CapturedDatagram> {
    const frame: Frame = { timeMs: 0, linkType: 0, at: 0, length: 0 }
    const place: UdpPlace = { ipVersion: 4, addressAt: 0, port: 0, toPort: 0, payloadAt: 0, payloadLength: 0 }
    let format: CaptureFormat | null = null
    let rest: Uint8Array = new Uint8Array(0)
    for await (const chunk of chunks) {
      const bytes = joined(rest, chunk)
      const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
      if (format === null && bytes.length >= 4) {
        format = formatOf(view)
        if (format === null) throw new AppError('BAD_CAPTURE', 'neither pcap nor pcapng')
      }
      let at = 0
      while (format !== null) {
        const size = format.blockSize(view, at, bytes.length - at)
        if (size === 0 || at + size > bytes.length) break
        if (format.read(view, at, frame)) {
          if (findUdp(view, frame, place)) yield datagramOf(view, frame, place)
          else this.skipped++
        }
        at += size
      }
      rest = bytes.subarray(at)
    }
    if (format === null) throw new AppError('BAD_CAPTURE', 'too short for a capture')
    if (rest.length > 0) throw new AppError('BAD_CAPTURE', 'the file ends within a frame')
  }

  #explained(error: unknown): AppError {
    const reason = messageOf(error)
    const name = this.#path === '-' ? 'standard input' : this.#path
    return new AppError('BAD_CAPTURE', `${name}: ${reason}`, { cause: error })
  }
}

function datagramOf(view: DataView, frame: Frame, place: UdpPlace): CapturedDatagram {
  const { ipVersion, addressAt, port, toPort, payloadAt, payloadLength } = place
  return {
    timeMs: frame.timeMs,
    address: formatOctets(view, addressAt, ipVersion),
    port,
    toPort,
    payload: new DataView(view.buffer, view.byteOffset + payloadAt, payloadLength),
  }
}

function joined(rest: Uint8Array, chunk: Uint8Array): Uint8Array {
  if (rest.length === 0) return chunk
  const bytes = new Uint8Array(rest.length + chunk.length)
  bytes.set(rest)
  bytes.set(chunk, rest.length)
  return bytes
}

/** Unpacks when the first two octets are those of gzip (RFC 1952). */
async function plain(chunks: AsyncGenerator<Uint8Array>): Promise<Chunks> {
  let head: Uint8Array = new Uint8Array(0)
  while (head.length < 2) {
    const { value, done } = await chunks.next()
    if (done) break
    head = joined(head, value)
  }
  const whole = preceded(head, chunks)
  if (head[0] !== 0x1f || head[1] !== 0x8b) return whole
  return unpacked(whole)
}

/** Joins two streams: an error of either, or a consumer that stops early, ends both. */
function unpacked(packed: Chunks): Chunks {
  return pipeline(Readable.from(packed), createGunzip({ chunkSize: 1 << 18 }), () => {})
}

async function* preceded(head: Uint8Array, chunks: Chunks): AsyncGenerator<Uint8Array> {
  yield head
  yield* chunks
}

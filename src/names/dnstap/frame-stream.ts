// Frame Streams (the transport of dnstap, as in the fstrm library): octets of a stream in, whole frames out. Pure; at most one frame is held.

//  data frame        length, not 0    payload
//  control frame     0                length    type    fields
//  field             kind             length    octets
//
// All numbers are of 32 bits, big-endian. READY, ACCEPT and START have fields: the content types of the frames (kind 1).

export const controls = { accept: 1, start: 2, stop: 3, ready: 4, finish: 5 } as const
const contentTypeField = 1

/** Longer frames end a stream. */
export const frameBytesMax = 65_536
/** As in the fstrm library. */
const controlBytesMax = 512

export type Frame =
  | { kind: 'data'; octets: Buffer }
  | { kind: 'control'; type: number; contentTypes: string[] }
  /** The stream can't be read on: what is no such stream, or a frame that is too long. */
  | { kind: 'broken' }
  | { kind: 'long' }

export class FrameReader {
  #chunks: Buffer[] = []
  #held = 0
  /** Octets to have before the next frame can be whole. */
  #needed = 4

  /** Frames that are whole now. Nothing is to be read after one that is broken or too long. */
  read(chunk: Buffer): Frame[] {
    this.#chunks.push(chunk)
    this.#held += chunk.length
    if (this.#held < this.#needed) return []
    const frames: Frame[] = []
    const octets = this.#chunks.length === 1 ? chunk : Buffer.concat(this.#chunks)
    let at = 0
    for (;;) {
      const { needed, frame } = frameAt(octets, at)
      if (frame !== null) frames.push(frame)
      this.#needed = needed
      if (octets.length - at < needed) break
      at += needed
    }
    const rest = octets.subarray(at)
    this.#chunks = rest.length === 0 ? [] : [rest]
    this.#held = rest.length
    return frames
  }
}

/** The frame that begins there, and how long it is; null when it is not whole: then at least that many octets are needed. */
function frameAt(octets: Buffer, at: number): { needed: number; frame: Frame | null } {
  const left = octets.length - at
  if (left < 4) return { needed: 4, frame: null }
  const length = octets.readUInt32BE(at)
  if (length > frameBytesMax) return { needed: left, frame: { kind: 'long' } }
  if (length > 0) {
    const needed = 4 + length
    return { needed, frame: left < needed ? null : { kind: 'data', octets: octets.subarray(at + 4, at + needed) } }
  }
  if (left < 8) return { needed: 8, frame: null }
  const controlLength = octets.readUInt32BE(at + 4)
  if (controlLength < 4 || controlLength > controlBytesMax) return { needed: left, frame: { kind: 'broken' } }
  const needed = 8 + controlLength
  return { needed, frame: left < needed ? null : controlFrame(octets.subarray(at + 8, at + needed)) }
}

function controlFrame(octets: Buffer): Frame {
  const contentTypes: string[] = []
  for (let at = 4; at < octets.length; ) {
    if (octets.length - at < 8) return { kind: 'broken' }
    const field = octets.readUInt32BE(at)
    const length = octets.readUInt32BE(at + 4)
    at += 8
    if (length > octets.length - at) return { kind: 'broken' }
    if (field === contentTypeField) contentTypes.push(octets.toString('latin1', at, at + length))
    at += length
  }
  return { kind: 'control', type: octets.readUInt32BE(0), contentTypes }
}

export function encodeControl(type: number, contentTypes: readonly string[] = []): Buffer {
  const fields = contentTypes.map((text) => {
    const value = Buffer.from(text, 'latin1')
    return Buffer.concat([words(contentTypeField, value.length), value])
  })
  const body = Buffer.concat([words(type), ...fields])
  return Buffer.concat([words(0, body.length), body])
}

function words(...values: number[]): Buffer {
  const octets = Buffer.alloc(4 * values.length)
  for (const [i, value] of values.entries()) octets.writeUInt32BE(value, 4 * i)
  return octets
}

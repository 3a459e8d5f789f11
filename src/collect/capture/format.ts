// Reads the two capture file formats block by block: classic pcap (draft-ietf-opsawg-pcap) and pcapng (draft-ietf-opsawg-pcapng). It does not look into
// the frames.
import { AppError } from '../../errors.ts'

/** Octets of a block at most: libpcap limits a snapshot to 256 KiB; the rest is for pcapng's options. */
export const blockBytesMax = 1 << 20

/** A captured frame within the buffer that it was read from. The object is reused from frame to frame. */
export interface Frame {
  timeMs: number
  linkType: number
  /** Offset of the frame, and the octets of it that were captured. */
  at: number
  length: number
}

export interface CaptureFormat {
  /** Length of the block at `at`, in octets; 0 when `available` octets are too few to tell. */
  blockSize(view: DataView, at: number, available: number): number
  /** Reads a whole block into `frame`; false when it holds no frame. */
  read(view: DataView, at: number, frame: Frame): boolean
}

/** Recognises the format by the first 4 octets; null when it is neither. */
export function formatOf(view: DataView): CaptureFormat | null {
  const magic = view.getUint32(0)
  if (magic === 0xa1b2c3d4) return new Pcap(false, 1e3)
  if (magic === 0xa1b23c4d) return new Pcap(false, 1e6)
  if (magic === 0xd4c3b2a1) return new Pcap(true, 1e3)
  if (magic === 0x4d3cb2a1) return new Pcap(true, 1e6)
  return magic === sectionHeader ? new Pcapng() : null
}

function bad(text: string): AppError {
  return new AppError('BAD_CAPTURE', text)
}

// File header: magic, version (2 + 2), reserved (8), snapshot length, link type: 24 octets.
// Record: seconds, fraction, captured length, original length: 16 octets; then the frame.
class Pcap implements CaptureFormat {
  readonly #little: boolean
  readonly #fractionsPerMs: number
  #linkType = -1

  constructor(little: boolean, fractionsPerMs: number) {
    this.#little = little
    this.#fractionsPerMs = fractionsPerMs
  }

  blockSize(view: DataView, at: number, available: number): number {
    if (this.#linkType < 0) return 24
    if (available < 16) return 0
    const captured = view.getUint32(at + 8, this.#little)
    if (captured > blockBytesMax) throw bad(`a frame of ${captured} octets: the file is damaged`)
    return 16 + captured
  }

  read(view: DataView, at: number, frame: Frame): boolean {
    if (this.#linkType < 0) {
      // The upper bits hold the length of the frame check sequence.
      this.#linkType = view.getUint32(at + 20, this.#little) & 0xffff
      return false
    }
    const fraction = view.getUint32(at + 4, this.#little)
    frame.timeMs = view.getUint32(at, this.#little) * 1000 + fraction / this.#fractionsPerMs
    frame.linkType = this.#linkType
    frame.at = at + 16
    frame.length = view.getUint32(at + 8, this.#little)
    return true
  }
}

const sectionHeader = 0x0a0d0d0a
const interfaceDescription = 1
const simplePacket = 3
const enhancedPacket = 6
const byteOrderMagic = 0x1a2b3c4d
const interfacesMax = 10_000

// Every block: type, total length, body, total length again.
class Pcapng implements CaptureFormat {
  #little = false
  /** The section's interfaces: link type, and units of time in a millisecond. */
  #interfaces: { linkType: number; unitsPerMs: number }[] = []

  blockSize(view: DataView, at: number, available: number): number {
    if (available < 12) return 0
    if (view.getUint32(at) === sectionHeader) {
      this.#little = view.getUint32(at + 8) !== byteOrderMagic
      if (view.getUint32(at + 8, this.#little) !== byteOrderMagic) throw bad('a pcapng section of unknown byte order')
    }
    const size = view.getUint32(at + 4, this.#little)
    if (size < 12 || size % 4 !== 0 || size > blockBytesMax) throw bad(`a pcapng block of ${size} octets`)
    return size
  }

  read(view: DataView, at: number, frame: Frame): boolean {
    const size = view.getUint32(at + 4, this.#little)
    switch (view.getUint32(at, this.#little)) {
      case sectionHeader:
        this.#interfaces = []
        return false
      case interfaceDescription:
        this.#describe(view, at, size)
        return false
      case simplePacket:
        return this.#simple(view, at, size, frame)
      case enhancedPacket:
        return this.#enhanced(view, at, size, frame)
      default:
        return false
    }
  }

  // Interface description: link type (2), reserved (2), snapshot length (4), options (code 2, length 2, value padded to 4).
  #describe(view: DataView, at: number, size: number): void {
    if (size < 20) throw bad('a pcapng interface block that is too short')
    if (this.#interfaces.length >= interfacesMax) throw bad('too many pcapng interfaces')
    const end = at + size - 4
    let unitsPerMs = 1e3
    for (let option = at + 16; option + 4 <= end; ) {
      const code = view.getUint16(option, this.#little)
      const length = view.getUint16(option + 2, this.#little)
      if (code === 0) break
      // if_tsresol: a power of ten, or of two when the top bit is set.
      if (code === 9 && length === 1 && option + 5 <= end) {
        const exponent = view.getUint8(option + 4)
        unitsPerMs = (exponent & 0x80 ? 2 ** (exponent & 0x7f) : 10 ** exponent) / 1e3
      }
      option += 4 + length + (-length & 3)
    }
    this.#interfaces.push({ linkType: view.getUint16(at + 8, this.#little), unitsPerMs })
  }

  // Enhanced packet: interface, time (high, low), captured length, original length, frame.
  #enhanced(view: DataView, at: number, size: number, frame: Frame): boolean {
    if (size < 32) throw bad('a pcapng packet block that is too short')
    const source = this.#interfaces[view.getUint32(at + 8, this.#little)]
    if (source === undefined) throw bad('a pcapng packet of an interface that was not described')
    const units = view.getUint32(at + 12, this.#little) * 2 ** 32 + view.getUint32(at + 16, this.#little)
    frame.timeMs = units / source.unitsPerMs
    frame.linkType = source.linkType
    frame.at = at + 28
    frame.length = view.getUint32(at + 20, this.#little)
    if (frame.length > size - 32) throw bad('a pcapng packet longer than its block')
    return true
  }

  // Simple packet: original length, frame. It has no time, which 0 stands for.
  #simple(view: DataView, at: number, size: number, frame: Frame): boolean {
    const source = this.#interfaces[0]
    if (size < 16 || source === undefined) throw bad('a pcapng packet without an interface')
    frame.timeMs = 0
    frame.linkType = source.linkType
    frame.at = at + 12
    frame.length = Math.min(view.getUint32(at + 8, this.#little), size - 16)
    return true
  }
}

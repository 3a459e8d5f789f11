// The kernels: each copies one field, `offset` octets into its record, of the `count` records that begin at `starts` into a column. The caller has
// checked that every record lies within the view; nothing is checked here. All numbers are in network order.
import type { ColumnArray } from '../../flow/batch.ts'
import type { ColumnKind } from '../../flow/columns.ts'

type Numbers = Uint32Array | Float64Array
type Copy<To> = (from: DataView, offset: number, starts: Uint32Array, count: number, to: To, row: number) => void

/** `to` is a column of the kind that the kernel was chosen for. */
export type CopyKernel = Copy<ColumnArray>

const copyU8: Copy<Numbers> = (from, offset, starts, count, to, row) => {
  for (let i = 0; i < count; i++) to[row + i] = from.getUint8(starts[i] + offset)
}

const copyU16: Copy<Numbers> = (from, offset, starts, count, to, row) => {
  for (let i = 0; i < count; i++) to[row + i] = from.getUint16(starts[i] + offset)
}

const copyU24: Copy<Numbers> = (from, offset, starts, count, to, row) => {
  for (let i = 0; i < count; i++) {
    const at = starts[i] + offset
    to[row + i] = from.getUint16(at) * 256 + from.getUint8(at + 2)
  }
}

const copyU32: Copy<Numbers> = (from, offset, starts, count, to, row) => {
  for (let i = 0; i < count; i++) to[row + i] = from.getUint32(starts[i] + offset)
}

const copyU40: Copy<Numbers> = (from, offset, starts, count, to, row) => {
  for (let i = 0; i < count; i++) {
    const at = starts[i] + offset
    to[row + i] = from.getUint8(at) * 2 ** 32 + from.getUint32(at + 1)
  }
}

const copyU48: Copy<Numbers> = (from, offset, starts, count, to, row) => {
  for (let i = 0; i < count; i++) {
    const at = starts[i] + offset
    to[row + i] = from.getUint16(at) * 2 ** 32 + from.getUint32(at + 2)
  }
}

const copyU56: Copy<Numbers> = (from, offset, starts, count, to, row) => {
  for (let i = 0; i < count; i++) {
    const at = starts[i] + offset
    to[row + i] = from.getUint16(at) * 2 ** 40 + from.getUint8(at + 2) * 2 ** 32 + from.getUint32(at + 3)
  }
}

/** Exact to 2^53. */
const copyU64: Copy<Numbers> = (from, offset, starts, count, to, row) => {
  for (let i = 0; i < count; i++) {
    const at = starts[i] + offset
    to[row + i] = from.getUint32(at) * 2 ** 32 + from.getUint32(at + 4)
  }
}

const copyF32: Copy<Numbers> = (from, offset, starts, count, to, row) => {
  for (let i = 0; i < count; i++) to[row + i] = from.getFloat32(starts[i] + offset)
}

const copyF64: Copy<Numbers> = (from, offset, starts, count, to, row) => {
  for (let i = 0; i < count; i++) to[row + i] = from.getFloat64(starts[i] + offset)
}

const copyIp6: Copy<Uint8Array> = (from, offset, starts, count, to, row) => {
  for (let i = 0; i < count; i++) {
    const at = starts[i] + offset
    for (let octet = 0; octet < 16; octet++) to[(row + i) * 16 + octet] = from.getUint8(at + octet)
  }
}

const microsecondFraction = 1000 / 2 ** 32

/** From 1900 to 1970, seconds. */
const ntpEpochSeconds = 2_208_988_800

/**
 * dateTimeMicroseconds and dateTimeNanoseconds (RFC 7011 sections 6.1.9 and 6.1.10: NTP timestamps) to Unix milliseconds. Exporters exist
 * that send a plain count since 1970 instead; as an NTP timestamp that would lie before 1970, which tells them apart.
 */
function ntpMs(high: number, low: number, unitsPerMs: number): number {
  if (high >= ntpEpochSeconds) return (high - ntpEpochSeconds) * 1000 + low * microsecondFraction
  return (high * 2 ** 32 + low) / unitsPerMs
}

const copyNtpMicro: Copy<Numbers> = (from, offset, starts, count, to, row) => {
  for (let i = 0; i < count; i++) {
    const at = starts[i] + offset
    to[row + i] = ntpMs(from.getUint32(at), from.getUint32(at + 4), 1e3)
  }
}

const copyNtpNano: Copy<Numbers> = (from, offset, starts, count, to, row) => {
  for (let i = 0; i < count; i++) {
    const at = starts[i] + offset
    to[row + i] = ntpMs(from.getUint32(at), from.getUint32(at + 4), 1e6)
  }
}

const copySeconds: Copy<Numbers> = (from, offset, starts, count, to, row) => {
  for (let i = 0; i < count; i++) to[row + i] = from.getUint32(starts[i] + offset) * 1000
}

/** Microseconds to milliseconds. */
const copyMicros: Copy<Numbers> = (from, offset, starts, count, to, row) => {
  for (let i = 0; i < count; i++) to[row + i] = from.getUint32(starts[i] + offset) / 1000
}

/** Kernels of unsigned integers, by width in octets. */
const unsigned = [undefined, copyU8, copyU16, copyU24, copyU32, copyU40, copyU48, copyU56, copyU64]

/** Kernels of the encodings that have but one or two widths, by width. An encoding is named when a plain unsigned integer is not meant. */
const encoded = {
  ipv4: { 4: copyU32 },
  float: { 4: copyF32, 8: copyF64 },
  seconds: { 4: copySeconds },
  micros: { 4: copyMicros },
  ntpMicro: { 8: copyNtpMicro },
  ntpNano: { 8: copyNtpNano },
} satisfies Record<string, Record<number, Copy<Numbers>>>

export type Encoding = keyof typeof encoded

export interface FieldCopy {
  copy: CopyKernel
  /** Added to the field's offset: leading octets that the column takes no part in. */
  skip: number
}

/** What a column takes of a field: `octets`, the lowest ones of an unsigned integer; or the one value that `encoding` tells. */
export interface Taking {
  kind: ColumnKind
  octets?: number
  encoding?: Encoding
}

/**
 * The kernel for a field of `width` octets, or null when that width is not legal. Fewer octets than the type has are legal (reduced-size
 * encoding, RFC 7011 section 6.2); of more than the column takes it gets the lowest.
 */
export function chooseCopy(
  { kind, octets = kind === 'u32' ? 4 : 8, encoding }: Taking,
  width: number,
): FieldCopy | null {
  if (kind === 'ip6') return width === 16 ? { copy: asKernel(copyIp6), skip: 0 } : null
  if (encoding !== undefined) {
    const kernels: Record<number, Copy<Numbers>> = encoded[encoding]
    return Object.hasOwn(kernels, width) ? { copy: asKernel(kernels[width]), skip: 0 } : null
  }
  if (width > 8) return null
  const skip = Math.max(0, width - octets)
  const copy = unsigned[width - skip]
  return copy === undefined ? null : { copy: asKernel(copy), skip }
}

/** A kernel is chosen by the kind of its column, so the column that it is given later fits; the compiler can't follow that. */
function asKernel(copy: Copy<Numbers> | Copy<Uint8Array>): CopyKernel {
  return copy as CopyKernel
}

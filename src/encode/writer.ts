// Writes network-order octets into a growing buffer: the counterpart of the DataView that the decoders read.
import { parseIpv4 } from '../net/ipv4.ts'

export class Writer {
  #bytes = new Uint8Array(256)
  #view = new DataView(this.#bytes.buffer)
  length = 0

  u8(value: number): this {
    this.#room(1)
    this.#view.setUint8(this.length, value)
    this.length += 1
    return this
  }

  u16(value: number): this {
    this.#room(2)
    this.#view.setUint16(this.length, value)
    this.length += 2
    return this
  }

  u32(value: number): this {
    this.#room(4)
    this.#view.setUint32(this.length, value)
    this.length += 4
    return this
  }

  /** Writes an unsigned integer of up to 8 octets; of a larger number its lowest octets. */
  uint(value: number | bigint, octets: number): this {
    this.#room(octets)
    let rest = BigInt.asUintN(64, BigInt(typeof value === 'number' ? Math.trunc(value) : value))
    for (let i = octets - 1; i >= 0; i--) {
      this.#view.setUint8(this.length + i, Number(rest & 255n))
      rest >>= 8n
    }
    this.length += octets
    return this
  }

  bytes(bytes: ArrayLike<number>): this {
    this.#room(bytes.length)
    this.#bytes.set(bytes, this.length)
    this.length += bytes.length
    return this
  }

  /** Writes zeros up to a multiple of `octets`, counted from `from`. */
  pad(octets: number, from = 0): this {
    while ((this.length - from) % octets !== 0) this.u8(0)
    return this
  }

  /** Writes a length or count that was not known before. */
  setU16(at: number, value: number): this {
    this.#view.setUint16(at, value)
    return this
  }

  setU32(at: number, value: number): this {
    this.#view.setUint32(at, value)
    return this
  }

  /** A copy of what was written so far. */
  done(): Uint8Array {
    return this.#bytes.slice(0, this.length)
  }

  #room(octets: number): void {
    if (this.length + octets <= this.#bytes.length) return
    const bytes = new Uint8Array((this.length + octets) * 2)
    bytes.set(this.#bytes)
    this.#bytes = bytes
    this.#view = new DataView(bytes.buffer)
  }
}

export function isIpv6(address: string): boolean {
  return address.includes(':')
}

/** The 4 or 16 octets of an address. */
export function addressBytes(address: string): Uint8Array {
  if (isIpv6(address)) return ipv6Bytes(address)
  const value = parseIpv4(address)
  if (value === null) throw new TypeError(`no address: ${address}`)
  return Uint8Array.of(value >>> 24, value >>> 16, value >>> 8, value)
}

function ipv6Bytes(address: string): Uint8Array {
  const [head, tail] = address.split('::').map((half) => half.split(':').filter((group) => group !== ''))
  const zeros = tail === undefined ? [] : new Array<string>(8 - head.length - tail.length).fill('0')
  const groups = [...head, ...zeros, ...(tail ?? [])].map((group) => Number.parseInt(group, 16))
  return Uint8Array.from(groups.flatMap((group) => [group >>> 8, group]))
}

// Writes captures: classic pcap (microseconds, Ethernet, IPv4 or IPv6, UDP) from datagrams.
import { writeFileSync } from 'node:fs'
import { gzipSync } from 'node:zlib'
import { addressBytes, Writer } from '../../../src/encode/writer.ts'

export interface DatagramToCapture {
  timeMs: number
  payload: Uint8Array
  /** The exporter's; 192.0.2.1:40000 when left out. */
  address?: string
  port?: number
  toAddress?: string
  toPort?: number
}

export function encodeCapture(datagrams: Iterable<DatagramToCapture>): Uint8Array {
  const writer = new Writer().u32(0xa1b2c3d4).u16(2).u16(4).u32(0).u32(0).u32(262_144).u32(1)
  for (const datagram of datagrams) {
    const frame = encodeFrame(datagram)
    const seconds = Math.floor(datagram.timeMs / 1000)
    writer.u32(seconds).u32(Math.round((datagram.timeMs - seconds * 1000) * 1000))
    writer.u32(frame.length).u32(frame.length).bytes(frame)
  }
  return writer.done()
}

/** Gzipped when the name ends in `.gz`. */
export function writeCapture(path: string, datagrams: Iterable<DatagramToCapture>): void {
  const bytes = encodeCapture(datagrams)
  writeFileSync(path, path.endsWith('.gz') ? gzipSync(bytes) : bytes)
}

function encodeFrame({ payload, address = '192.0.2.1', port = 40_000, toPort = 2055, ...rest }: DatagramToCapture) {
  const src = addressBytes(address)
  const dst = addressBytes(rest.toAddress ?? (src.length === 4 ? '192.0.2.2' : '2001:db8::2'))
  const length = payload.length + 8
  const writer = new Writer().bytes([2, 0, 0, 0, 0, 2, 2, 0, 0, 0, 0, 1]).u16(src.length === 4 ? 0x0800 : 0x86dd)
  if (src.length === 4)
    writer
      .u8(0x45)
      .u8(0)
      .u16(20 + length)
      .u16(0)
      .u16(0)
      .u8(64)
      .u8(17)
      .u16(0)
  else writer.u32(0x60000000).u16(length).u8(17).u8(64)
  return writer.bytes(src).bytes(dst).u16(port).u16(toPort).u16(length).u16(0).bytes(payload).done()
}

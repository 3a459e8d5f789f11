import assert from 'node:assert/strict'
import { it } from 'node:test'
import fc from 'fast-check'
import { blockBytesMax, type Frame, formatOf } from '../../src/collect/capture/format.ts'
import { findUdp, type UdpPlace } from '../../src/collect/capture/frame.ts'
import { Writer } from '../../src/encode/writer.ts'
import { AppError } from '../../src/errors.ts'
import { encodeCapture } from '../helpers/encode/capture.ts'
import { fuzz } from '../helpers/fuzz.ts'
import { fuzzMs, mutated, mutations, poisoned } from './bytes.ts'

const payload = new Uint8Array(40).fill(7)
const pcap = encodeCapture([
  { timeMs: 1, payload },
  { timeMs: 2, payload, address: '2001:db8::1' },
])
const pcapng = (() => {
  const frame = pcap.subarray(40, 40 + 14 + 28 + 40)
  const writer = new Writer()
    .u32(0x0a0d0d0a)
    .u32(28)
    .u32(0x1a2b3c4d)
    .u32(0x10000)
    .u32(0xffffffff)
    .u32(0xffffffff)
    .u32(28)
  writer.u32(1).u32(28).u16(1).u16(0).u32(0).u16(9).u16(1).u32(0x09000000).u32(28)
  const length = 32 + frame.length + (-frame.length & 3)
  return writer
    .u32(6)
    .u32(length)
    .u32(0)
    .u32(1)
    .u32(2)
    .u32(frame.length)
    .u32(frame.length)
    .bytes(frame)
    .pad(4)
    .u32(length)
    .done()
})()

/** Walks a whole file in memory as the reader does; every datagram as text, or the reason why the file is bad. */
function walked(view: DataView): string[] {
  const frame: Frame = { timeMs: 0, linkType: 0, at: 0, length: 0 }
  const place: UdpPlace = { ipVersion: 4, addressAt: 0, port: 0, toPort: 0, payloadAt: 0, payloadLength: 0 }
  const seen: string[] = []
  try {
    const format = view.byteLength < 4 ? null : formatOf(view)
    for (let at = 0; format !== null; ) {
      const size = format.blockSize(view, at, view.byteLength - at)
      assert.ok(size >= 0 && size <= blockBytesMax + 16)
      if (size === 0 || at + size > view.byteLength) break
      if (format.read(view, at, frame)) {
        assert.ok(frame.at >= at && frame.at + frame.length <= at + size)
        if (findUdp(view, frame, place)) {
          assert.ok(place.payloadAt + place.payloadLength <= frame.at + frame.length)
          seen.push(JSON.stringify([frame, place]))
        }
      }
      at += size
    }
  } catch (error) {
    if (!(error instanceof AppError)) throw error
    seen.push(error.message)
  }
  return seen
}

it('hostile captures: a reason or datagrams, nothing read beyond the end', () => {
  assert.equal(walked(poisoned(pcap, 0)).length, 2)
  assert.equal(walked(poisoned(pcapng, 0)).length, 1)
  const linkType = fc.constantFrom(0, 1, 12, 101, 108, 113, 228, 229, 276, 999)
  const property = fc.property(fc.boolean(), mutations, linkType, (classic, list, link) => {
    const bytes = mutated(classic ? pcap : pcapng, list)
    if (classic && bytes.length >= 24) new DataView(bytes.buffer).setUint32(20, link)
    assert.deepEqual(walked(poisoned(bytes, 0xff)), walked(poisoned(bytes, 0x00)))
  })
  fuzz(property, fuzzMs())
})

import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { dataFrame, readyFrame, startFrame, stopFrame } from '../../../test/helpers/servers/dnstap-sender.ts'
import { controls, encodeControl, type Frame, FrameReader, frameBytesMax } from './frame-stream.ts'

const text = (frame: Frame) =>
  frame.kind === 'data'
    ? frame.octets.toString()
    : frame.kind === 'control'
      ? `${frame.type}(${frame.contentTypes})`
      : frame.kind

function read(octets: Buffer, pieceBytes: number): string[] {
  const reader = new FrameReader()
  const frames: string[] = []
  for (let at = 0; at < octets.length; at += pieceBytes) {
    for (const frame of reader.read(octets.subarray(at, at + pieceBytes))) {
      frames.push(text(frame))
      if (frame.kind === 'long' || frame.kind === 'broken') return frames
    }
  }
  return frames
}

describe('FrameReader', () => {
  const long = 'x'.repeat(frameBytesMax)
  const stream = Buffer.concat([
    readyFrame,
    startFrame,
    dataFrame(Buffer.from('a')),
    dataFrame(Buffer.from(long)),
    stopFrame,
  ])
  const frames = ['4(protobuf:dnstap.Dnstap)', '2(protobuf:dnstap.Dnstap)', 'a', long, '3()']

  it('gives whole frames, however the octets come', () => {
    for (const pieceBytes of [1, 2, 3, 7, 1_000, stream.length]) assert.deepEqual(read(stream, pieceBytes), frames)
  })

  it('a START without content type has none', () => {
    assert.deepEqual(read(encodeControl(controls.start), 5), ['2()'])
  })

  it('ends where a frame is too long, or a control frame is malformed', () => {
    const words = (...values: number[]) => {
      const octets = Buffer.alloc(4 * values.length)
      for (const [i, value] of values.entries()) octets.writeUInt32BE(value, 4 * i)
      return octets
    }
    const cases: [Buffer, string][] = [
      [words(frameBytesMax + 1), 'long'],
      [words(0xffff_ffff), 'long'],
      [words(0, 3), 'broken'],
      [words(0, 513), 'broken'],
      [words(0, 8, 2, 1), 'broken'],
      [words(0, 12, 2, 1, 1), 'broken'],
    ]
    for (const [octets, kind] of cases) {
      assert.deepEqual(read(Buffer.concat([dataFrame(Buffer.from('a')), octets]), 3), ['a', kind])
      assert.deepEqual(read(octets, octets.length), [kind])
    }
  })
})

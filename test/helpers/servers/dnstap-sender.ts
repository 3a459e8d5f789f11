// What dnstap senders send: messages, frames, and a connection that goes through the handshake.
import { connect, type Socket } from 'node:net'
import { type Answer, encode } from 'dns-packet'
import { controls, encodeControl, FrameReader } from '../../../src/names/dnstap/frame-stream.ts'
import { dnstapContentType, type ResponseType, responseTypes } from '../../../src/names/dnstap/message.ts'

export interface DnstapGiven {
  name: string
  answers: Answer[]
  type?: ResponseType
  /** The zone of the server that was asked. */
  zone?: string
  identity?: string
  queryAddress?: Uint8Array
  queryPort?: number
}

export function dnsMessage(name: string, answers: Answer[]): Buffer {
  return encode({ type: 'response', id: 1, questions: [{ type: 'A', class: 'IN', name }], answers })
}

/** A `Dnstap` message, with all fields that senders fill in. */
export function dnstapMessage({ type = 'CLIENT_RESPONSE', identity = 'sensor', ...given }: DnstapGiven): Buffer {
  const { name, answers, zone, queryAddress = Buffer.from([192, 0, 2, 99]), queryPort = 40_000 } = given
  const message = Buffer.concat([
    varintField(1, responseTypes[type]),
    varintField(2, 1),
    varintField(3, 1),
    octetsField(4, queryAddress),
    octetsField(5, Buffer.from([192, 0, 2, 53])),
    varintField(6, queryPort),
    varintField(7, 53),
    varintField(8, 1_800_000_000),
    fixed32Field(9, 1),
    ...(zone === undefined ? [] : [octetsField(11, wireForm(zone))]),
    varintField(12, 1_800_000_000),
    fixed32Field(13, 2),
    octetsField(14, dnsMessage(name, answers)),
  ])
  return Buffer.concat([
    octetsField(1, Buffer.from(identity)),
    octetsField(2, Buffer.from('test 1')),
    octetsField(14, message),
    varintField(15, 1),
  ])
}

export function dataFrame(payload: Uint8Array): Buffer {
  const length = Buffer.alloc(4)
  length.writeUInt32BE(payload.length)
  return Buffer.concat([length, payload])
}

export const startFrame = encodeControl(controls.start, [dnstapContentType])
export const readyFrame = encodeControl(controls.ready, [dnstapContentType])
export const stopFrame = encodeControl(controls.stop)

/** A connection as the fstrm library makes it; `at`: a path, or a port of loopback. */
export class DnstapSender {
  readonly socket: Socket
  /** Types of control frames that came. */
  readonly heard: number[] = []
  readonly closed: Promise<void>
  readonly #reader = new FrameReader()

  constructor(at: string | number) {
    this.socket = typeof at === 'string' ? connect(at) : connect(at, '127.0.0.1')
    this.closed = new Promise((resolve) => this.socket.once('close', () => resolve()))
    this.socket.on('error', () => {})
    this.socket.on('data', (chunk) => {
      for (const frame of this.#reader.read(chunk)) if (frame.kind === 'control') this.heard.push(frame.type)
    })
  }

  send(...frames: Uint8Array[]): this {
    for (const frame of frames) this.socket.write(frame)
    return this
  }
}

/** A name as on the wire. */
export function wireForm(name: string): Buffer {
  const labels = name.split('.').filter((label) => label !== '')
  return Buffer.concat([...labels.map((label) => Buffer.from([label.length, ...Buffer.from(label)])), Buffer.from([0])])
}

function varint(value: number): Buffer {
  const octets: number[] = []
  let left = value
  for (; left >= 128; left = Math.floor(left / 128)) octets.push((left % 128) | 128)
  return Buffer.from([...octets, left])
}

function varintField(field: number, value: number): Buffer {
  return Buffer.concat([varint(field * 8), varint(value)])
}

function octetsField(field: number, octets: Uint8Array): Buffer {
  return Buffer.concat([varint(field * 8 + 2), varint(octets.length), octets])
}

function fixed32Field(field: number, value: number): Buffer {
  const octets = Buffer.alloc(4)
  octets.writeUInt32LE(value)
  return Buffer.concat([varint(field * 8 + 5), octets])
}

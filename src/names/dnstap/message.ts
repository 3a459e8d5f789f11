// A dnstap message (dnstap.proto): of its fields those that say what was answered, and in whose name. The addresses and ports of who asked and
// of who answered are passed over by their length, and never read.
import { canonicalHostname } from '../../net/hostname.ts'
import { walkFields } from './protobuf.ts'

/** The content type of its frames. */
export const dnstapContentType = 'protobuf:dnstap.Dnstap'

/** Fields of `Dnstap`. */
const outer = { identity: 1, message: 14 } as const
/** Fields of `Message`. */
const inner = { type: 1, queryZone: 11, responseMessage: 14 } as const

/**
 * Types of messages that hold an answer. What a resolver was told by servers of others (RESOLVER_RESPONSE) is as those servers sent it: only
 * what lies in the zone that was asked counts. The others come from servers that the sender trusts as its own.
 */
export const responseTypes = {
  AUTH_RESPONSE: 2,
  RESOLVER_RESPONSE: 4,
  CLIENT_RESPONSE: 6,
  FORWARDER_RESPONSE: 8,
} as const
export type ResponseType = keyof typeof responseTypes
const typeNames = new Map<number, ResponseType>(
  Object.entries(responseTypes).map(([name, type]) => [type, name as ResponseType]),
)

export interface DnstapResponse {
  kind: 'response'
  type: ResponseType
  /** What the sender calls itself; empty: nothing, or no printable text. */
  identity: string
  /** The name of the zone that was asked, and the answer, as on the wire. Valid as long as the frame. Null: it is not told. */
  zone: Buffer | null
  response: Buffer
}

export type DnstapMessage = DnstapResponse | { kind: 'other' } | { kind: 'broken' }

const identityMax = 64

export function readDnstap(frame: Buffer): DnstapMessage {
  let identity = ''
  let message: Buffer | null = null
  const isWhole = walkFields(frame, (field, from, to) => {
    if (field === outer.identity) identity = frame.toString('latin1', from, Math.min(to, from + identityMax))
    if (field === outer.message) message = frame.subarray(from, to)
  })
  return isWhole && message !== null ? readMessage(message, printable(identity)) : { kind: 'broken' }
}

function readMessage(message: Buffer, identity: string): DnstapMessage {
  let typeNumber = 0
  let zone: Buffer | null = null
  let response: Buffer | null = null
  const isWhole = walkFields(message, (field, from, to, value) => {
    if (field === inner.type) typeNumber = value
    if (field === inner.queryZone) zone = message.subarray(from, to)
    if (field === inner.responseMessage) response = message.subarray(from, to)
  })
  if (!isWhole) return { kind: 'broken' }
  const type = typeNames.get(typeNumber)
  if (type === undefined || response === null) return { kind: 'other' }
  return { kind: 'response', type, identity, zone, response }
}

function printable(text: string): string {
  return /^[\x21-\x7e]*$/.test(text) ? text : ''
}

/** Octets of a label that may stand in the name of a host. A dot within a label would make another name of it. */
const isOfHost = Uint8Array.from({ length: 256 }, (_, octet) =>
  Number(/[A-Za-z0-9_-]/.test(String.fromCharCode(octet))),
)
const dot = 0x2e

/** A host's name in wire form without compression (RFC 1035 section 3.1), canonical; `''` is the root, null no such name. */
export function wireName(octets: Buffer, from = 0): string | null {
  let end = from
  for (;;) {
    if (end >= octets.length || octets[end] > 63) return null
    if (octets[end] === 0) break
    const labelEnd = end + 1 + octets[end]
    for (let at = end + 1; at < labelEnd; at++) if (isOfHost[octets[at]] !== 1) return null
    end = labelEnd
  }
  if (end === from) return ''
  const text = Buffer.from(octets.subarray(from + 1, end))
  for (let at = octets[from]; at < text.length; ) {
    const length = text[at]
    text[at] = dot
    at += 1 + length
  }
  return canonicalHostname(text.toString('latin1'))
}

// DNS messages read record by record (RFC 1035 section 4): what a zone transfer needs of them, and where each record lies, for its signature.
// Pure; nothing is read beyond the end, whatever the lengths and pointers say.
import { canonicalOwner } from '../passive-dns/cof.ts'

//  id  flags  questions  answers  authorities  additionals  |  name type class  ...  |  name type class ttl length data  ...

const headerBytes = 12
/** A name has at most 255 octets, and so fewer labels (RFC 1035 section 2.3.4). */
const labelsMax = 128

export interface WireName {
  /** In lower case, labels parted by dots; the root is empty. Null: it has octets that no name of a host has. */
  text: string | null
  /** The first octet after it. */
  end: number
}

export interface WireRecord {
  /** Where it begins. */
  at: number
  name: string | null
  type: number
  class: number
  ttlSeconds: number
  /** Where its data lies. */
  dataAt: number
  end: number
}

export interface WireMessage {
  id: number
  isResponse: boolean
  rcode: number
  answers: WireRecord[]
  /** The last of all. */
  last: WireRecord | null
  additionals: number
}

export const types = { A: 1, CNAME: 5, SOA: 6, TSIG: 250, AXFR: 252 } as const
export const classIn = 1

/** Null: the message is broken. */
export function readMessage(message: Buffer): WireMessage | null {
  if (message.length < headerBytes) return null
  const [questions, answers, authorities, additionals] = [4, 6, 8, 10].map((at) => message.readUInt16BE(at))
  let at = headerBytes
  for (let i = 0; i < questions; i++) {
    const name = readName(message, at)
    if (name === null || name.end + 4 > message.length) return null
    at = name.end + 4
  }
  const read: WireRecord[] = []
  let last: WireRecord | null = null
  for (let i = 0; i < answers + authorities + additionals; i++) {
    last = readRecord(message, at)
    if (last === null) return null
    if (i < answers) read.push(last)
    at = last.end
  }
  if (at !== message.length) return null
  const flags = message.readUInt16BE(2)
  const head = { id: message.readUInt16BE(0), isResponse: (flags & 0x8000) !== 0, rcode: flags & 0xf }
  return { ...head, answers: read, last, additionals }
}

function readRecord(message: Buffer, at: number): WireRecord | null {
  const name = readName(message, at)
  if (name === null || name.end + 10 > message.length) return null
  const dataAt = name.end + 10
  const end = dataAt + message.readUInt16BE(name.end + 8)
  if (end > message.length) return null
  return {
    ...{ at, name: name.text, dataAt, end },
    type: message.readUInt16BE(name.end),
    class: message.readUInt16BE(name.end + 2),
    ttlSeconds: message.readUInt32BE(name.end + 4),
  }
}

/** Null: it does not end. Pointers lead back only, as they must (RFC 1035 section 4.1.4), so that there is no loop. */
export function readName(message: Buffer, from: number): WireName | null {
  const labels: string[] = []
  let end: number | null = null
  let at = from
  let before = from
  while (labels.length < labelsMax) {
    if (at >= message.length) return null
    const length = message[at]
    if (length === 0) return { text: textOf(labels), end: end ?? at + 1 }
    if (length < 64) {
      if (at + 1 + length > message.length) return null
      labels.push(message.toString('latin1', at + 1, at + 1 + length))
      at += 1 + length
      continue
    }
    if (length < 192 || at + 2 > message.length) return null
    const to = message.readUInt16BE(at) & 0x3fff
    if (to >= before) return null
    end ??= at + 2
    before = to
    at = to
  }
  return null
}

function textOf(labels: readonly string[]): string | null {
  return labels.length === 0
    ? ''
    : labels.some((label) => label.includes('.'))
      ? null
      : canonicalOwner(labels.join('.'))
}

/** The wire form of a canonical name. */
export function wireForm(name: string): Buffer {
  const labels = name.split('.').filter((label) => label !== '')
  return Buffer.concat([
    ...labels.flatMap((label) => [Buffer.from([label.length]), Buffer.from(label, 'latin1')]),
    Buffer.from([0]),
  ])
}

/** A question for records of the zone's own name. */
export function encodeZoneQuestion(id: number, zone: string, type: number): Buffer {
  const head = Buffer.alloc(headerBytes)
  head.writeUInt16BE(id, 0)
  head.writeUInt16BE(1, 4)
  const tail = Buffer.alloc(4)
  tail.writeUInt16BE(type, 0)
  tail.writeUInt16BE(classIn, 2)
  return Buffer.concat([head, wireForm(zone), tail])
}

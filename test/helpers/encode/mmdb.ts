// Small databases in the form of MaxMind (version 2.0 of its specification), made for tests.
import { parsePrefix } from '../../../src/net/prefix.ts'

export type MmdbValue = string | number | boolean | MmdbValue[] | { [name: string]: MmdbValue }

export interface MmdbOptions {
  ipVersion?: 4 | 6
  /** Bits of a record of the tree. */
  recordSize?: 24 | 28 | 32
  type?: string
  builtMs?: number
}

type Node = [Branch, Branch]
type Branch = Node | number | null

/** Networks as `192.0.2.0/24`, and what is said of each; longer ones must come after shorter ones that hold them. */
export function mmdbOf(networks: readonly [network: string, record: MmdbValue][], options: MmdbOptions = {}): Buffer {
  const { ipVersion = 6, recordSize = 28, type = 'Test', builtMs = 1_700_000_000_000 } = options
  const records: Buffer[] = []
  const root: Node = [null, null]
  let size = 0
  for (const [network, record] of networks) {
    const encoded = encode(record)
    insert(root, bitsOf(network, ipVersion), size)
    records.push(encoded)
    size += encoded.length
  }
  const tree = encodeTree(root, recordSize)
  const metadata = encode({
    node_count: tree.nodeCount,
    record_size: recordSize,
    ip_version: ipVersion,
    database_type: type,
    binary_format_major_version: 2,
    binary_format_minor_version: 0,
    build_epoch: Math.floor(builtMs / 1_000),
    languages: ['en'],
    description: { en: 'made for a test' },
  })
  const marker = Buffer.from('abcdef4d61784d696e642e636f6d', 'hex')
  return Buffer.concat([tree.bytes, Buffer.alloc(16), ...records, marker, metadata])
}

/** IPv4 lies in the lowest 32 bits of IPv6. */
function bitsOf(network: string, ipVersion: 4 | 6): number[] {
  const prefix = parsePrefix(network)
  if (prefix === null) throw new Error(`${network} is no network`)
  const bits = Array.from({ length: prefix.length }, (_, i) => (prefix.network >>> (31 - i)) & 1)
  return ipVersion === 4 ? bits : [...new Array<number>(96).fill(0), ...bits]
}

function insert(root: Node, bits: readonly number[], offset: number): void {
  let node = root
  for (const bit of bits.slice(0, -1)) {
    const next = node[bit]
    // A shorter network goes on to hold the rest.
    const made: Node = typeof next === 'number' || next === null ? [next, next] : next
    node[bit] = made
    node = made
  }
  node[bits[bits.length - 1]] = offset
}

function encodeTree(root: Node, recordSize: 24 | 28 | 32): { bytes: Buffer; nodeCount: number } {
  const nodes: Node[] = [root]
  const numbers = new Map<Node, number>([[root, 0]])
  for (const node of nodes) {
    for (const branch of node) {
      if (!Array.isArray(branch)) continue
      numbers.set(branch, nodes.length)
      nodes.push(branch)
    }
  }
  const nodeCount = nodes.length
  const recordOf = (branch: Branch): number => {
    if (branch === null) return nodeCount
    return typeof branch === 'number' ? nodeCount + 16 + branch : (numbers.get(branch) ?? nodeCount)
  }
  return {
    bytes: Buffer.concat(nodes.map(([left, right]) => encodeNode(recordOf(left), recordOf(right), recordSize))),
    nodeCount,
  }
}

function encodeNode(left: number, right: number, recordSize: 24 | 28 | 32): Buffer {
  const bytes = Buffer.alloc(recordSize / 4)
  if (recordSize === 32) {
    bytes.writeUInt32BE(left, 0)
    bytes.writeUInt32BE(right, 4)
    return bytes
  }
  bytes.writeUIntBE(left & 0xff_ffff, 0, 3)
  bytes.writeUIntBE(right & 0xff_ffff, bytes.length - 3, 3)
  // The highest four bits of both share the octet between them.
  if (recordSize === 28) bytes[3] = ((left >>> 24) << 4) | (right >>> 24)
  return bytes
}

const types = { text: 2, uint32: 6, map: 7, array: 11, boolean: 14 }

function encode(value: MmdbValue): Buffer {
  if (typeof value === 'boolean') return head(types.boolean, Number(value))
  if (typeof value === 'number') {
    const bytes = Buffer.alloc(4)
    bytes.writeUInt32BE(value)
    return Buffer.concat([head(types.uint32, 4), bytes])
  }
  if (typeof value === 'string') {
    const bytes = Buffer.from(value)
    return Buffer.concat([head(types.text, bytes.length), bytes])
  }
  if (Array.isArray(value)) return Buffer.concat([head(types.array, value.length), ...value.map(encode)])
  const members = Object.entries(value)
  return Buffer.concat([head(types.map, members.length), ...members.flat().map(encode)])
}

/** The type in three bits, or beyond seven in an octet of its own; the size in five, and more where it has 29 or more. */
function head(type: number, size: number): Buffer {
  const extended = type > 7 ? [type - 7] : []
  const first = (type > 7 ? 0 : type) << 5
  if (size < 29) return Buffer.from([first | size, ...extended])
  if (size < 285) return Buffer.from([first | 29, ...extended, size - 29])
  return Buffer.from([first | 30, ...extended, (size - 285) >> 8, (size - 285) & 255])
}

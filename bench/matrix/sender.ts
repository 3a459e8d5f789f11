// What an exporter reports of the packets that the kinds of traffic send: a record for each flow and second, of the packets that it saw. It samples packets at
// random, in the same way in every run with the same seed.
import type { Folder } from '../../src/aggregate/folder.ts'
import { type Batch, clearBatch, createBatch } from '../../src/flow/batch.ts'
import { presentBit } from '../../src/flow/columns.ts'
import { TCP } from '../../src/net/protocols.ts'
import { poisson, type Random } from '../../test/helpers/random.ts'

/** TCP flags and length of a packet of a connection. */
export type Part = readonly [flags: number, bytes: number]

export interface SenderOptions {
  /** Takes the records. */
  fold: Folder['fold']
  /** 1 of how many packets is seen. */
  samplingRate: number
  random: Random
}

const batchRows = 1 << 13
const presentBits = presentBit('tcpFlags') | presentBit('srcPort') | presentBit('dstPort')

export class Sender {
  readonly random: Random
  readonly #fold: Folder['fold']
  readonly #samplingRate: number
  readonly #batch: Batch = createBatch(batchRows)
  #nowMs = 0
  /** The address that packets are sent to. */
  victim = 0

  constructor({ fold, samplingRate, random }: SenderOptions) {
    this.random = random
    this.#fold = fold
    this.#samplingRate = samplingRate
  }

  /** Begins a second. */
  begin(nowMs: number): void {
    this.#nowMs = nowMs
  }

  /** Hands on what was sent in the second. */
  end(): void {
    if (this.#batch.rows > 0) this.#fold(this.#batch)
    clearBatch(this.#batch)
  }

  /** How many of the packets of this second are seen, when each is a flow of its own: as many calls of `one` follow. */
  seenOf(perSecond: number): number {
    return this.#samplingRate === 1 ? this.whole(perSecond) : poisson(this.random, perSecond / this.#samplingRate)
  }

  /** A whole number that is as much on average. */
  whole(value: number): number {
    const least = Math.floor(value)
    return least + Number(this.random(1 << 20) < (value - least) * (1 << 20))
  }

  /** A packet that is seen. */
  one(
    src: number,
    srcPort: number,
    dstPort: number,
    protocol: number,
    flags: number,
    bytes: number,
    fragment = 0,
  ): void {
    this.#record(src, srcPort, dstPort, protocol, flags, 1, bytes, fragment)
  }

  /** Packets of one flow, of which some may be seen. */
  stream(
    src: number,
    srcPort: number,
    dstPort: number,
    protocol: number,
    flags: number,
    packets: number,
    bytesEach: number,
  ): void {
    const seen = this.#samplingRate === 1 ? this.whole(packets) : poisson(this.random, packets / this.#samplingRate)
    if (seen > 0) this.#record(src, srcPort, dstPort, protocol, flags, seen, Math.round(seen * bytesEach), 0)
  }

  /** All packets of a connection that lasts less than a second. */
  connection(src: number, srcPort: number, dstPort: number, parts: readonly Part[]): void {
    let flags = 0
    let packets = 0
    let bytes = 0
    for (const [partFlags, partBytes] of parts) {
      if (this.#samplingRate > 1 && this.random(this.#samplingRate) > 0) continue
      flags |= partFlags
      packets++
      bytes += partBytes
    }
    if (packets > 0) this.#record(src, srcPort, dstPort, TCP, flags, packets, bytes, 0)
  }

  #record(
    src: number,
    srcPort: number,
    dstPort: number,
    protocol: number,
    flags: number,
    packets: number,
    bytes: number,
    fragment: number,
  ): void {
    if (this.#batch.rows === batchRows) this.end()
    const { columns } = this.#batch
    const row = this.#batch.rows++
    columns.ipVersion[row] = 4
    columns.srcAddr[row] = src
    columns.dstAddr[row] = this.victim
    columns.srcPort[row] = srcPort
    columns.dstPort[row] = dstPort
    columns.ipProto[row] = protocol
    columns.tcpFlags[row] = flags
    columns.present[row] = presentBits
    columns.fragment[row] = fragment
    columns.packets[row] = packets
    columns.bytes[row] = bytes
    columns.startMs[row] = this.#nowMs
    columns.endMs[row] = this.#nowMs
    columns.samplingRate[row] = this.#samplingRate
  }
}

/** The same numbers in every run (SplitMix32). Each is independent of how many were drawn before, as those of a linear generator are not. */
export function createNumbers(seed: number): Random {
  let state = Math.imul(seed, 0x85eb_ca6b) >>> 0
  return (below) => {
    state = (state + 0x9e37_79b9) >>> 0
    let mixed = Math.imul(state ^ (state >>> 16), 0x21f0_aaad)
    mixed = Math.imul(mixed ^ (mixed >>> 15), 0x735a_2d97)
    return Math.floor((((mixed ^ (mixed >>> 15)) >>> 0) / 2 ** 32) * below)
  }
}

/** The n-th of some hosts of the Internet, all over it: none in a network for special use. `set` tells groups of hosts apart. */
export function host(set: number, n: number): number {
  const hash = Math.imul(Math.imul(set + 1, 0x85eb_ca6b) ^ (n + 1), 0x9e37_79b1) >>> 0
  const mixed = (hash ^ (hash >>> 15)) >>> 0
  // First octets from 16 to 95, and from 128 to 167.
  const octet = mixed % 120
  return ((octet < 80 ? 16 + octet : 48 + octet) * 0x100_0000 + (Math.imul(mixed, 0x27d4_eb2f) >>> 8)) >>> 0
}

/** A port that systems choose for their connections. */
export const ephemeral = (random: Random) => 32_768 + random(28_000)

// A router that counts packets both as they come in (ingress) and as they leave (egress) exports each of them twice, as two records with another
// flowDirection (element 61). Egress records of packets that ingress records have counted are marked here, and not counted again.
import type { Batch, ColumnArrays } from '../../flow/batch.ts'
import { directions } from '../../flow/columns.ts'
import { mix } from './mix.ts'

/**
 * Where both directions are metered there are as many egress records of an interface as ingress ones, or a few times as many where packets leave by
 * several interfaces (a switch that floods). Ingress records must be such a share of all: of fewer the egress ones tell mostly what no other record
 * does (packets that came in with a label; a stray or forged ingress record), and are counted.
 */
const shareMin = 1 / 4
/** Shares are those of the current and the last span of this length. */
const spanMs = 60_000
/** Most interfaces of a stream that are kept; egress records of others are counted. */
const interfacesMax = 1_024
/** Flows that are remembered to see whether records without interfaces come in pairs: half a megabyte. A power of two. */
const flowsMax = 1 << 16
/** Least part of a stream's egress records without interfaces that have an ingress record of the same flow, for all of them to be left out. */
const pairedMin = 0.5

/** Records in the current span and in the one before. */
class RecentCount {
  #now = 0
  #before = 0

  get count(): number {
    return this.#now + this.#before
  }

  add(): void {
    this.#now++
  }

  /** Begins another span. */
  turn(): void {
    this.#before = this.#now
    this.#now = 0
  }

  clear(): void {
    this.#now = this.#before = 0
  }
}

interface MeteredInterface {
  ingress: RecentCount
  egress: RecentCount
}

/** Records without interfaces. */
interface UnplacedRecords {
  egress: RecentCount
  paired: RecentCount
  flows: FlowPairs
}

/** The directions of one stream, made with its first template that has directions. */
export class Directions {
  /** By ingress interface. */
  readonly #metered = new Map<number, MeteredInterface>()
  /** Flows of records without interfaces, made with the first such egress record. */
  #unplaced: UnplacedRecords | null = null
  #spanFromMs = Number.NaN

  /** Marks the egress records of packets that ingress records count, among `count` rows from `row` on. Gives their number. */
  mark({ columns }: Batch, row: number, count: number, nowMs: number): number {
    this.#keepTime(nowMs)
    const { direction, ingressInterface, egressInterface, ipVersion } = columns
    let again = 0
    for (let i = row; i < row + count; i++) {
      const [from, to] = [ingressInterface[i], egressInterface[i]]
      const isEgress = direction[i] === directions.egress
      // Probes on a wire have one interface for both, and mean by direction who began to talk.
      const isPlaced = from !== 0 && from !== to && (to !== 0 || !isEgress)
      const isAgain = isPlaced
        ? this.#isAgain(from, isEgress)
        : from === 0 && ipVersion[i] === 4 && this.#isPaired(columns, i, isEgress)
      if (!isAgain) continue
      direction[i] = directions.again
      again++
    }
    return again
  }

  /** Counts a record whose packets came in by this interface. */
  #isAgain(from: number, isEgress: boolean): boolean {
    let metered = this.#metered.get(from)
    if (metered === undefined) {
      if (this.#metered.size >= interfacesMax) return false
      metered = { ingress: new RecentCount(), egress: new RecentCount() }
      this.#metered.set(from, metered)
    }
    const { ingress, egress } = metered
    const one = isEgress ? egress : ingress
    one.add()
    return isEgress && ingress.count > 0 && ingress.count >= shareMin * (ingress.count + egress.count)
  }

  #isPaired(columns: ColumnArrays, row: number, isEgress: boolean): boolean {
    if (this.#unplaced === null) {
      if (!isEgress) return false
      this.#unplaced = { egress: new RecentCount(), paired: new RecentCount(), flows: new FlowPairs() }
    }
    const { egress, paired, flows } = this.#unplaced
    if (isEgress) egress.add()
    // Sampled on their own, the two records of a flow seldom meet: then all are counted.
    if (flows.isPaired(columns, row, isEgress)) paired.add()
    return isEgress && paired.count > 0 && paired.count >= pairedMin * egress.count
  }

  #keepTime(nowMs: number): void {
    const passedMs = nowMs - this.#spanFromMs
    if (passedMs >= 0 && passedMs < spanMs) return
    this.#spanFromMs = nowMs
    // A clock that was set, or two spans of silence, leave nothing that is recent.
    const isOld = !(passedMs >= 0 && passedMs < 2 * spanMs)
    for (const [from, metered] of this.#metered) {
      for (const recent of [metered.ingress, metered.egress]) {
        if (isOld) recent.clear()
        else recent.turn()
      }
      if (metered.ingress.count + metered.egress.count === 0) this.#metered.delete(from)
    }
    if (this.#unplaced === null) return
    const { egress, paired } = this.#unplaced
    for (const recent of [egress, paired]) {
      if (isOld) recent.clear()
      else recent.turn()
    }
    if (egress.count === 0) this.#unplaced = null
  }
}

/** The last flows of a stream with the direction in which they were reported; a flow may push another out. */
class FlowPairs {
  /** By hash: another hash of the flow; its lowest bit is the direction. */
  readonly #flows = new Uint32Array(flowsMax)

  /** Whether the same flow was reported in the other direction before. */
  isPaired({ srcAddr, dstAddr, srcPort, dstPort, ipProto }: ColumnArrays, row: number, isEgress: boolean): boolean {
    const ports = (srcPort[row] << 16) | dstPort[row]
    const hash = mix(mix(mix(0x9e3779b1, srcAddr[row]), dstAddr[row]), ports ^ ipProto[row])
    const check = mix(hash ^ 0x85ebca6b, srcAddr[row] ^ ports) | 1
    const place = hash & (flowsMax - 1)
    const mine = isEgress ? check : check & ~1
    const other = isEgress ? check & ~1 : check
    if (this.#flows[place] === other >>> 0) {
      this.#flows[place] = 0
      return true
    }
    this.#flows[place] = mine
    return false
  }
}

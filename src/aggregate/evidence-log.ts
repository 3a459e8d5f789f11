// The last records of watched targets, in a ring. A record costs one write to the end of it; top items are counted only for targets whose rate
// passes the floor, one target after the other, from all that the ring still has of them: their lead-up is in it.
import { networkOf } from '../net/prefix.ts'
import { targetAt, type WatchList } from '../targets/watch-list.ts'
import { Evidence, type EvidenceLimits } from './evidence.ts'
import { protocolBits } from './protocol-bits.ts'
import { createEvidenceColumns, type EvidenceColumns, resizedEvidence } from './sealed-slot.ts'

/** A network has a floor so many times that of a target. */
const networkFactor = 2

export interface EvidenceLogOptions {
  /** Records that the ring holds; a power of two. */
  logRecordsMax: number
  /** Items that a slot may have. */
  sealedItemsMax: number
  /** Items of each list in a slot; powers of two. */
  limits: EvidenceLimits
  /** Packets a second (scaled) received for a target, from which its evidence is sealed. */
  floorPacketsPerSecond: number
  /** How long records of a target below the floor are of use, and how long it is still sealed after its rate fell below it. */
  epochMs: number
}

/** Unsigned words of a record, side by side. */
const word = { address: 0, source: 1, ports: 2, kind: 3, previous: 4, records: 5 } as const
const words = 6

/** Doubles of a record. `second`: packets of its target in this second, up to this record. */
const amount = { packets: 0, bytes: 1, second: 2 } as const
const amounts = 3

/** Lists that hold so many items, or twice, four times... as many, are kept ready: to clear a list costs as much as it is long. */
const smallestLists = 16
const sealedItemsAtFirst = 1 << 10

export class EvidenceLog {
  readonly #options: EvidenceLogOptions
  readonly #words: Uint32Array
  readonly #amounts: Float64Array
  readonly #mask: number
  /** Records are numbered from 1 on, modulo 2^32; 0 is none. Number of the next one. */
  #next = 1
  /** The first record of this second, of those that were not looked at yet, and of the epoch. */
  #secondBegan = 1
  #unsettled = 1
  #epochBegan = 1
  /** When the seconds of this epoch began, and with which record. */
  #seconds: { ms: number; first: number }[]
  #list: WatchList | null = null
  /** By target: its last record that was not sealed; 0: none. */
  #newest = new Uint32Array(1)
  /** Until when targets are sealed that passed the floor, by address. */
  readonly #sealUntilMs = new Map<number, number>()
  readonly #evidence = new Map<number, Evidence>()
  /** What is to be sealed; longer than its rows. */
  #sealed = createEvidenceColumns(sealedItemsAtFirst)
  #nowMs: number
  /** Records that are in no list: the ring had to make room before their epoch was over, or the slot was full. */
  refused = 0

  constructor(options: EvidenceLogOptions, nowMs: number) {
    this.#options = options
    this.#nowMs = nowMs
    this.#seconds = [{ ms: nowMs, first: this.#next }]
    this.#words = new Uint32Array(options.logRecordsMax * words)
    this.#amounts = new Float64Array(options.logRecordsMax * amounts)
    this.#mask = options.logRecordsMax - 1
  }

  /** The records of targets that both lists have are kept. */
  setWatchList(list: WatchList): void {
    const newest = new Uint32Array(list.addresses.length)
    const before = this.#list
    if (before !== null) {
      for (let target = 1; target < newest.length; target++) {
        newest[target] = this.#newest[targetAt(before, list.addresses[target])]
      }
    }
    this.#newest = newest
    this.#list = list
  }

  /** `target`: of `address`, in the watch list. Packets and bytes scaled. */
  add(
    target: number,
    address: number,
    source: number,
    srcPort: number,
    dstPort: number,
    protocol: number,
    flags: number,
    packets: number,
    bytes: number,
  ): void {
    const number = this.#next
    const at = (number & this.#mask) * words
    const amountsAt = (number & this.#mask) * amounts
    let previous = this.#newest[target]
    let records = 1
    let second = packets
    if (this.#holds(previous, address)) {
      const row = previous & this.#mask
      records += this.#words[row * words + word.records]
      if (this.#isSince(previous, this.#secondBegan)) second += this.#amounts[row * amounts + amount.second]
    } else previous = 0
    this.#words[at + word.address] = address
    this.#words[at + word.source] = source
    this.#words[at + word.ports] = srcPort * 65_536 + dstPort
    this.#words[at + word.kind] = protocol * 256 + flags
    this.#words[at + word.previous] = previous
    this.#words[at + word.records] = records
    this.#amounts[amountsAt + amount.packets] = packets
    this.#amounts[amountsAt + amount.bytes] = bytes
    this.#amounts[amountsAt + amount.second] = second
    this.#newest[target] = number
    this.#next = (number + 1) >>> 0 || 1
    // Before a second's records can fill the ring, those of targets above the floor are used.
    if (((this.#next - this.#unsettled) >>> 0) * 4 > this.#mask) this.#settle(this.#unsettled, this.#floor(1))
  }

  /** The top items of targets above the floor, of their records since the last seal, or, if they were below it, of the epoch. */
  seal(nowMs: number, elapsedMs: number): EvidenceColumns {
    const { epochMs } = this.#options
    this.#nowMs = nowMs
    // A clock that was set back must not prolong an epoch.
    for (const [address, untilMs] of this.#sealUntilMs) {
      if (untilMs < nowMs) this.#sealUntilMs.delete(address)
      else this.#sealUntilMs.set(address, Math.min(untilMs, nowMs + epochMs))
    }
    const floor = this.#floor(Math.max(elapsedMs, 1000) / 1000)
    this.#chooseSpokesmen(networkFactor * floor)
    this.#settle(this.#secondBegan, floor)
    this.#endSecond()
    const sealed = resizedEvidence(this.#sealed, this.#sealed.rows)
    this.#sealed.rows = 0
    return sealed
  }

  #floor(seconds: number): number {
    return this.#options.floorPacketsPerSecond * seconds
  }

  #endSecond(): void {
    const nowMs = this.#nowMs
    const { epochMs, logRecordsMax } = this.#options
    this.#secondBegan = this.#next
    this.#seconds = this.#seconds.filter(({ ms }) => nowMs - ms < epochMs && ms <= nowMs)
    this.#seconds.push({ ms: nowMs, first: this.#next })
    const inEpoch = (this.#next - this.#epochBegan) >>> 0
    if (inEpoch > logRecordsMax) this.refused += inEpoch - logRecordsMax
    this.#epochBegan = this.#seconds[0].first
  }

  /** Whether the record is still in the ring, in its epoch, and of this address: a number comes again after 2^32 records. */
  #holds(number: number, address: number): boolean {
    return (
      number !== 0 &&
      (this.#next - number) >>> 0 <= this.#mask &&
      this.#isSince(number, this.#epochBegan) &&
      this.#words[(number & this.#mask) * words + word.address] === address
    )
  }

  #isSince(number: number, began: number): boolean {
    return (this.#next - number) >>> 0 <= (this.#next - began) >>> 0
  }

  /** Counts the top items of the targets above the floor that have records from `from` on. */
  #settle(from: number, floor: number): void {
    for (const number of this.#newestSince(from)) {
      const row = number & this.#mask
      const address = this.#words[row * words + word.address]
      if (this.#amounts[row * amounts + amount.second] >= floor) {
        this.#sealUntilMs.set(address, this.#nowMs + this.#options.epochMs)
      }
      if (this.#sealUntilMs.has(address)) this.#take(address, number)
    }
    this.#unsettled = this.#next
  }

  /** Of each target the last record, if it is one from `from` on and not sealed. */
  *#newestSince(from: number): Generator<number> {
    const list = this.#list
    if (list === null) return
    const count = Math.min((this.#next - from) >>> 0, this.#mask)
    for (let back = count; back > 0; back--) {
      const number = (this.#next - back) >>> 0
      const target = targetAt(list, this.#words[(number & this.#mask) * words + word.address])
      if (target !== 0 && this.#newest[target] === number) yield number
    }
  }

  #take(address: number, newest: number): void {
    const evidence = this.#evidenceFor(this.#words[(newest & this.#mask) * words + word.records])
    for (let number = newest; this.#holds(number, address); ) {
      const row = number & this.#mask
      this.#count(evidence, row)
      number = this.#words[row * words + word.previous]
    }
    if (this.#makeRoom(evidence.rows)) evidence.appendTo(this.#sealed, address)
    else this.refused += this.#words[(newest & this.#mask) * words + word.records]
    evidence.clear()
    if (this.#list !== null) this.#newest[targetAt(this.#list, address)] = 0
  }

  #count({ lists }: Evidence, row: number): void {
    const at = row * words
    const ports = this.#words[at + word.ports]
    const kind = this.#words[at + word.kind]
    const packets = this.#amounts[row * amounts + amount.packets]
    const bytes = this.#amounts[row * amounts + amount.bytes]
    const protocols = protocolBits[kind >>> 8]
    lists[0].add(ports & 65_535, 1, packets, bytes, protocols)
    lists[1].add(ports >>> 16, 1, packets, bytes, protocols)
    lists[2].add(this.#words[at + word.source], 1, packets, bytes, protocols)
    lists[3].add(kind >>> 8, 1, packets, bytes, protocols)
    lists[4].add(kind & 255, 1, packets, bytes, protocols)
  }

  #makeRoom(items: number): boolean {
    const needed = this.#sealed.rows + items
    if (needed > this.#options.sealedItemsMax) return false
    if (needed > this.#sealed.item.length) this.#sealed = resizedEvidence(this.#sealed, needed * 2)
    return true
  }

  /** Lists with room for so many records, as far as the limits allow. */
  #evidenceFor(records: number): Evidence {
    const size = Math.max(smallestLists, 2 ** Math.ceil(Math.log2(records)))
    const known = this.#evidence.get(size)
    if (known !== undefined) return known
    const evidence = new Evidence(this.#options.limits, { left: Number.POSITIVE_INFINITY }, size)
    this.#evidence.set(size, evidence)
    return evidence
  }

  /**
   * Of each /24 that got so many packets in this second in all, the target that got most is sealed: an attack on all its addresses may pass the
   * floor of none. One that is sealed already stays it while it gets more than half as much as the first.
   */
  #chooseSpokesmen(packetsMin: number): void {
    const networks = new Map<number, { packets: number; weight: number; address: number }>()
    for (const number of this.#newestSince(this.#secondBegan)) {
      const row = number & this.#mask
      const address = this.#words[row * words + word.address]
      const packets = this.#amounts[row * amounts + amount.second]
      const weight = packets * (this.#sealUntilMs.has(address) ? 2 : 1)
      const known = networks.get(networkOf(address, 24))
      if (known === undefined) {
        networks.set(networkOf(address, 24), { packets, weight, address })
        continue
      }
      known.packets += packets
      if (weight > known.weight) Object.assign(known, { weight, address })
    }
    for (const { packets, address } of networks.values()) {
      if (packets >= packetsMin) this.#sealUntilMs.set(address, this.#nowMs + this.#options.epochMs)
    }
  }
}

// Whether the traffic that an exporter's samples stand for can be: counted with a sampling rate that is too large it is more than its interfaces
// carried by their own counters (sFlow), or can carry at all (their speed, or what the operator says of the links).
import type { ColumnArrays } from '../../flow/batch.ts'

/** Counters come every half a minute or so, and flows when they end: both are compared over much longer. */
const windowMs = 300_000
/** Least samples of a window for a conclusion. */
const recordsMin = 500
/** Each packet may be seen when it comes in and when it leaves, as the counters of both count it; beyond that, chance and bursts. */
const excessMin = 2
/** Windows in a row that must exceed: the counters of an interface come some time after its samples. */
const windowsMin = 2
/** Most interfaces of a stream that are checked. */
const interfacesMax = 128
/** Marks of interfaces with counters, by the lowest bits of their index. */
const marks = 512

interface Interface {
  octets: number
  bitsPerSecond: number
}

export class LinkCheck {
  /** Interface of the next samples; -1: unknown. */
  source = -1
  /** Too much was counted, in the last windows. */
  isAbove = false
  readonly #interfaces = new Map<number, Interface>()
  readonly #hasCounters = new Uint8Array(marks)
  /** Capacity of all links as configured; 0: not configured. */
  readonly #bitsPerSecond: number
  #fromMs = Number.NaN
  #records = 0
  #sampledBytes = 0
  #carriedBytes = 0
  #windowsAbove = 0

  constructor(bitsPerSecond = 0) {
    this.#bitsPerSecond = bitsPerSecond
  }

  /** Counters of an interface: its speed, and the octets that came in and went out since it started. */
  noteCounters(index: number, bitsPerSecond: number, octets: number): void {
    const known = this.#interfaces.get(index)
    if (known === undefined) {
      if (this.#interfaces.size >= interfacesMax) return
      this.#interfaces.set(index, { octets, bitsPerSecond })
      this.#hasCounters[index & (marks - 1)] = 1
      return
    }
    // An interface that restarts counts from zero.
    this.#carriedBytes += octets >= known.octets ? octets - known.octets : octets
    known.octets = octets
    known.bitsPerSecond = bitsPerSecond
  }

  /** Rows as they are counted. */
  weigh({ bytes, samplingRate }: ColumnArrays, row: number, count: number, nowMs: number): void {
    let sum = 0
    for (let i = row; i < row + count; i++) sum += bytes[i] * samplingRate[i]
    this.weighPackets(sum, count, nowMs)
  }

  /** Packets of the current source, by the bytes that they stand for together. */
  weighPackets(sampledBytes: number, count: number, nowMs: number): void {
    if (this.source >= 0 && this.#hasCounters[this.source & (marks - 1)] === 0) return
    this.#sampledBytes += sampledBytes
    this.#records += count
    if (!(nowMs - this.#fromMs < windowMs && nowMs >= this.#fromMs)) this.#judge(nowMs)
  }

  #judge(nowMs: number): void {
    const seconds = (nowMs - this.#fromMs) / 1000
    if (seconds > 0 && this.#records >= recordsMin) {
      const limits = this.#limits(seconds)
      const isAbove = limits.some((limit) => limit > 0 && this.#sampledBytes > limit * excessMin)
      this.#windowsAbove = isAbove ? this.#windowsAbove + 1 : 0
      this.isAbove = this.#windowsAbove >= windowsMin
    }
    this.#fromMs = nowMs
    this.#records = this.#sampledBytes = this.#carriedBytes = 0
  }

  /** Octets: none of these can be exceeded; 0: not known. */
  #limits(seconds: number): number[] {
    let bitsPerSecond = 0
    for (const each of this.#interfaces.values()) bitsPerSecond += each.bitsPerSecond
    return [this.#carriedBytes, (bitsPerSecond / 8) * seconds, (this.#bitsPerSecond / 8) * seconds]
  }
}

const interfaceCounters = 1

// Counter sample: sequence, source, number of records: 12 octets. Expanded: the source takes two words: 16 octets. Record: format, length, body.
// Interface counters: index, type, speed (8), direction, status, octets in (8), six counters of 4 octets, octets out (8), more.
/** Reads the counters of interfaces in a counter sample of sFlow. */
export function readInterfaceCounters(view: DataView, at: number, end: number, links: LinkCheck): void {
  while (at + 8 <= end) {
    const format = view.getUint32(at)
    const length = view.getUint32(at + 4)
    at += 8
    if (format === interfaceCounters && length >= 64 && at + 64 <= end) {
      const octets = Number(view.getBigUint64(at + 24)) + Number(view.getBigUint64(at + 56))
      links.noteCounters(view.getUint32(at), Number(view.getBigUint64(at + 8)), octets)
    }
    at += length + (-length & 3)
  }
}

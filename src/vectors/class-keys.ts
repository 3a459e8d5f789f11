// The number of a class changes when the table of vectors does. What is saved names a class by the packets that it holds instead.
import { total } from './compile.ts'
import type { Match, Vector } from './vectors.ts'

const kinds = { protocol: 1, fragment: 2, sourcePort: 3, flags: 4 } as const

export class ClassKeys {
  /** Of each class, by its number. */
  readonly #keys: readonly number[]
  readonly #classes: ReadonlyMap<number, number>

  constructor(table: readonly Vector[]) {
    this.#keys = [total, ...table.map(({ match }) => keyOf(match))]
    this.#classes = new Map(this.#keys.map((key, trafficClass) => [key, trafficClass]))
  }

  /** 32 bits. */
  keyOf(trafficClass: number): number {
    return this.#keys[trafficClass]
  }

  /** Null: there is no such class any more. */
  classOf(key: number): number | null {
    return this.#classes.get(key) ?? null
  }
}

/** From the highest octet: kind, two octets of port or flags, protocol. */
function keyOf({ protocol, srcPort, flagsSet, flagsClear, fragment }: Match): number {
  if (fragment) return (kinds.fragment << 24) | protocol
  if (srcPort !== undefined) return (kinds.sourcePort << 24) | (srcPort << 8) | protocol
  if (flagsSet === undefined || flagsClear === undefined) return (kinds.protocol << 24) | protocol
  return (kinds.flags << 24) | (((flagsSet << 8) | flagsClear) << 8) | protocol
}

// Keys of traffic classes. The number of a class changes when the table of vectors does; what is saved or sent names a class by the packets that it
// holds instead.
import { total } from './compile.ts'
import { answerFlags, type Match, type Vector } from './vectors.ts'

const kinds = { protocol: 1, fragment: 2, sourcePort: 3, flags: 4, answer: 5 } as const

export class ClassKeys {
  /** The key of each class, by its number. */
  readonly list: Uint32Array
  readonly #classes: ReadonlyMap<number, number>

  constructor(table: readonly Vector[]) {
    this.list = Uint32Array.from([total, ...table.map(({ match }) => keyOf(match))])
    this.#classes = new Map(Array.from(this.list, (key, trafficClass) => [key, trafficClass]))
  }

  /** 32 bits. */
  keyOf(trafficClass: number): number {
    return this.list[trafficClass]
  }

  /** Null when the table has no class of this key. */
  classOf(key: number): number | null {
    return this.#classes.get(key) ?? null
  }
}

/** The packets that a key names, whichever table it is from; null when it is no key of a class. Whether peers belong to it is not in the key. */
export function matchOf(key: number): Match | null {
  const protocol = key & 255
  const [high, low] = [(key >>> 16) & 255, (key >>> 8) & 255]
  switch (key >>> 24) {
    case kinds.protocol:
      return { protocol }
    case kinds.fragment:
      return { protocol, fragment: true }
    case kinds.sourcePort:
      return { protocol, srcPort: (high << 8) | low }
    case kinds.answer:
      return { protocol, srcPort: (high << 8) | low, ...answerFlags }
    case kinds.flags:
      return { protocol, flagsSet: high, flagsClear: low }
    default:
      return null
  }
}

/** Key in 32 bits, from the highest octet: kind, two octets of port or flags, protocol. */
function keyOf({ protocol, srcPort, flagsSet, flagsClear, fragment }: Match): number {
  if (fragment) return (kinds.fragment << 24) | protocol
  if (srcPort !== undefined && flagsSet !== undefined) return (kinds.answer << 24) | (srcPort << 8) | protocol
  if (srcPort !== undefined) return (kinds.sourcePort << 24) | (srcPort << 8) | protocol
  if (flagsSet === undefined || flagsClear === undefined) return (kinds.protocol << 24) | protocol
  return (kinds.flags << 24) | (((flagsSet << 8) | flagsClear) << 8) | protocol
}

// Reads sealed slots of this version of the program and of others. A slot names its traffic classes; where another version numbers them otherwise, the
// numbers are translated by these names. A slot that cannot be understood is refused and counted, never misread.
import { ClassKeys, matchOf } from '../vectors/class-keys.ts'
import { type Classes, classesMax, classesOfMatch, compileVectors, total } from '../vectors/compile.ts'
import { type Vector, vectors } from '../vectors/vectors.ts'
import { type CounterColumns, createCounterColumns, type SealedSlot, slotLayout } from './sealed-slot.ts'
import { TargetOrder } from './target-order.ts'

/**
 * Slots since the reader was made. `translated`: of another version, and understood. Refused: their columns have another meaning (`layout`), their
 * list of classes is not one or has no place for a row's class (`classes`), or packets of a row's class may belong to several of ours (`unknownClass`).
 */
export interface SlotCounters {
  translated: number
  layout: number
  classes: number
  unknownClass: number
}

/** In place of our class: packets of that class of theirs may belong to several of ours, or to none. */
const unknown = -1

interface Translation {
  readonly theirKeys: Uint32Array
  /** Our class, or `unknown`, by theirs; null: the list of keys is malformed. */
  readonly classes: Int16Array | null
}

export class SlotReader {
  readonly counted: SlotCounters = { translated: 0, layout: 0, classes: 0, unknownClass: 0 }
  readonly #classes: Classes
  readonly #keys: ClassKeys
  readonly #order = new TargetOrder()
  /** For the version that was read last; a slot of ours leaves it. */
  #translation: Translation | null = null

  constructor(table: readonly Vector[] = vectors) {
    this.#classes = compileVectors(table)
    this.#keys = new ClassKeys(table)
  }

  /** The slot by our classes: itself, if it has them already; null when it is refused. */
  read(slot: SealedSlot): SealedSlot | null {
    if (slot.layout !== slotLayout) return this.#refuse('layout')
    if (isSame(slot.classKeys, this.#keys.list)) return slot
    const { classes } = this.#translationOf(slot.classKeys)
    if (classes === null) return this.#refuse('classes')
    const trafficClass = new Uint16Array(slot.counters.rows)
    for (let row = 0; row < trafficClass.length; row++) {
      const theirs = slot.counters.trafficClass[row]
      if (theirs >= classes.length) return this.#refuse('classes')
      if (classes[theirs] === unknown) return this.#refuse('unknownClass')
      trafficClass[row] = classes[theirs]
    }
    this.counted.translated++
    return { ...slot, classKeys: this.#keys.list, counters: this.#sorted({ ...slot.counters, trafficClass }) }
  }

  #refuse(reason: 'layout' | 'classes' | 'unknownClass'): null {
    this.counted[reason]++
    return null
  }

  #translationOf(theirKeys: Uint32Array): Translation {
    if (this.#translation === null || !isSame(theirKeys, this.#translation.theirKeys)) {
      const isList = theirKeys.length <= classesMax && new Set(theirKeys).size === theirKeys.length
      const classes = isList ? Int16Array.from(theirKeys, (key) => this.#classOf(key)) : null
      this.#translation = { theirKeys, classes }
    }
    return this.#translation
  }

  /** Our class of the packets that a key names: that of the same name, or else the only one that we have such packets in. */
  #classOf(key: number): number {
    // What another version has no class for may be in any class of ours.
    if (key === total) return unknown
    const same = this.#keys.classOf(key)
    if (same !== null) return same
    const match = matchOf(key)
    const classes = match === null ? [] : classesOfMatch(this.#classes, match)
    return classes.length === 1 && classes[0] !== total ? classes[0] : unknown
  }

  /** The rows in the order of slots; rows of several of their classes that are in one class of ours are added up. */
  #sorted(from: CounterColumns): CounterColumns {
    const { address, trafficClass, second, rows } = from
    const order = this.#order.sort(address, trafficClass, rows).subarray(0, rows)
    const to = createCounterColumns(rows)
    for (let start = 0; start < rows; ) {
      let end = start + 1
      const isOfSame = (row: number) =>
        address[row] === address[order[start]] && trafficClass[row] === trafficClass[order[start]]
      while (end < rows && isOfSame(order[end])) end++
      for (const row of order.subarray(start, end).sort((a, b) => second[a] - second[b])) add(to, from, row)
      start = end
    }
    return to
  }
}

/** Adds a row to the last one, or after it, if its address, class or second is another. */
function add(to: CounterColumns, from: CounterColumns, row: number): void {
  const last = to.rows - 1
  const isOfLast =
    last >= 0 &&
    to.address[last] === from.address[row] &&
    to.trafficClass[last] === from.trafficClass[row] &&
    to.second[last] === from.second[row]
  const at = isOfLast ? last : to.rows++
  to.address[at] = from.address[row]
  to.trafficClass[at] = from.trafficClass[row]
  to.second[at] = from.second[row]
  to.packets[at] += from.packets[row]
  to.bytes[at] += from.bytes[row]
  to.flows[at] += from.flows[row]
  to.observed[at] += from.observed[row]
  to.sources[at] |= from.sources[row]
  to.ports[at] |= from.ports[row]
}

function isSame(a: Uint32Array, b: Uint32Array): boolean {
  if (a === b) return true
  if (a.length !== b.length) return false
  for (let i = 0; i < a.length; i++) if (a[i] !== b[i]) return false
  return true
}

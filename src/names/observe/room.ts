// The room that all observed names and their addresses share: by user first, then by zone. Who has most gives way, and of theirs the largest zone, so that
// one user's zones cost no other a name.
import { type Crowding, type Used, UseOrder, unused } from '../../fair-table.ts'
import type { NameGroup } from './name-group.ts'

export interface Sized<T extends Sized<T>> extends Used<T> {
  /** What it takes: one for each name and address. Maintained by `BySize`. */
  size: number
}

/** What shares room, by its size to the next lower power of two: one of the largest is found without a look at all of them. */
class BySize<T extends Sized<T>> {
  readonly #classes = Array.from({ length: 32 }, () => new UseOrder<T>())

  resize(entry: T, by: number): void {
    const before = classOf(entry.size)
    entry.size += by
    const now = classOf(entry.size)
    if (now < 0) entry.order?.delete(entry)
    else if (by > 0 || now !== before) this.#classes[now].add(entry)
  }

  /** None is twice as large; of such the one that has grown last. */
  largest(): T | null {
    return this.#classes.findLast(({ size }) => size > 0)?.last ?? null
  }

  /** Whether an entry that grows would be the first to give way. */
  wouldLead(entry: T, by: number): boolean {
    const largest = this.largest()
    return largest === null || classOf(entry.size + by) >= classOf(largest.size)
  }
}

/** The power of two below the size; -1: it has none. */
function classOf(size: number): number {
  return 31 - Math.clz32(size)
}

/** The users of zones, who hold these together. */
interface Holder extends Sized<Holder> {
  readonly name: string
  readonly groups: BySize<NameGroup>
}

export class Room {
  readonly #max: number
  readonly #holders = new Map<string, Holder>()
  readonly #bySize = new BySize<Holder>()
  #size = 0

  constructor(max: number) {
    this.#max = max
  }

  resize(group: NameGroup, by: number): void {
    const holder = this.#holderOf(group)
    holder.groups.resize(group, by)
    this.#bySize.resize(holder, by)
    this.#size += by
    if (holder.size === 0) this.#holders.delete(holder.name)
  }

  /** The group belongs to these users from now on. */
  hold(group: NameGroup, holder: string): void {
    if (group.holder === holder) return
    const { size } = group
    this.resize(group, -size)
    group.holder = holder
    this.resize(group, size)
  }

  /** The group that is to give up a name; null: there is room for all. */
  crowded(): NameGroup | null {
    return this.#size > this.#max ? (this.#bySize.largest()?.groups.largest() ?? null) : null
  }

  /** Whether a group that grows would itself have to give up a name. */
  isToPay(group: NameGroup, by: number): boolean {
    if (this.#size + by <= this.#max) return false
    const holder = this.#holderOf(group)
    return this.#bySize.wouldLead(holder, by) && holder.groups.wouldLead(group, by)
  }

  /** `gaveWay`: names that were given up. */
  crowding(gaveWay: number): Crowding {
    const most = this.#bySize.largest()
    return {
      ...{ size: this.#size, max: this.#max, gaveWay, provenGaveWay: 0 },
      ...{ holder: most?.name ?? null, holds: most?.size ?? 0 },
    }
  }

  #holderOf({ holder: name }: NameGroup): Holder {
    const holder = this.#holders.get(name) ?? { ...unused, name, size: 0, groups: new BySize() }
    this.#holders.set(name, holder)
    return holder
  }
}

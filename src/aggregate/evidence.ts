// Who talks to a target, how: one bounded list of top items for each statistic of the interface.
import { type Dimension, dimensions, type EvidenceColumns } from './sealed-slot.ts'
import { type Places, TopItems } from './top-items.ts'

/** Most items of a list, a power of two. IP protocols and TCP flags have no more than 256 anyway. */
export type EvidenceLimits = Record<Dimension, number>

export class Evidence {
  readonly lists: readonly TopItems[]

  /** `itemsMax`: of each list, whatever its limit; a power of two. */
  constructor(limits: EvidenceLimits, places: Places, itemsMax = Number.POSITIVE_INFINITY) {
    this.lists = dimensions.map((dimension) => new TopItems(Math.min(limits[dimension], itemsMax), places))
  }

  get rows(): number {
    return this.lists.reduce((sum, list) => sum + list.size, 0)
  }

  addAll(other: Evidence): void {
    for (let i = 0; i < this.lists.length; i++) this.lists[i].addAll(other.lists[i])
  }

  clear(): void {
    for (const list of this.lists) list.clear()
  }

  /** Empties the lists and gives their places back. */
  release(): void {
    for (const list of this.lists) list.release()
  }

  /** Appends all items to the columns, which have room. */
  appendTo(columns: EvidenceColumns, address: number): void {
    this.lists.forEach((list, dimension) => {
      for (let from = 0; from < list.size; from++) {
        const row = columns.rows++
        columns.address[row] = address
        columns.dimension[row] = dimension
        columns.item[row] = list.item(from)
        columns.flows[row] = list.flows(from)
        columns.packets[row] = list.packets(from)
        columns.bytes[row] = list.bytes(from)
        columns.protocols[row] = list.protocols(from)
      }
    })
  }
}

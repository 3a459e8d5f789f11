// Which attacks a record belongs to: those on its address, and those on the networks that it is in.
import type { RecordColumns } from '../aggregate/sealed-slot.ts'
import { networkOf } from '../net/prefix.ts'
import type { Incident } from './incident.ts'
import type { Target } from './target.ts'

/** A slot that was sealed so long before an attack began has none of its records, however clocks differ. */
const aheadMs = 5_000

/** Whether a record that ends in that second goes into the lists of the incident; `slot`: the number of its slot. */
export type IsListed = (incident: Incident, endSecond: number, slot: number) => boolean

export class AttackedIndex {
  /** By length of the prefix, 32 of single addresses, and by its first address. */
  readonly #byLength = new Map<number, Map<number, Incident[]>>()
  readonly #isJudged: (address: number) => boolean
  readonly #isListed: IsListed

  /** `isJudged`: whether the traffic of an address is part of an attack on its network. */
  constructor(isJudged: (address: number) => boolean, isListed: IsListed) {
    this.#isJudged = isJudged
    this.#isListed = isListed
  }

  add(incident: Incident, target: Target): void {
    for (const place of placesOf(target)) this.#add(incident, place)
  }

  #add(incident: Incident, { address, length }: Target): void {
    const index = this.#byLength.get(length) ?? new Map<number, Incident[]>()
    this.#byLength.set(length, index)
    index.set(address, [...(index.get(address) ?? []), incident])
  }

  remove(incident: Incident, target: Target): void {
    for (const place of placesOf(target)) this.#remove(incident, place)
  }

  #remove(incident: Incident, { address, length }: Target): void {
    const index = this.#byLength.get(length)
    const rest = (index?.get(address) ?? []).filter((other) => other !== incident)
    if (rest.length > 0) index?.set(address, rest)
    else index?.delete(address)
    if (index?.size === 0) this.#byLength.delete(length)
  }

  /** Adds the records of a slot to the lists of the attacks that they belong to. */
  addRecords(records: RecordColumns, sealedMs: number, slot: number): void {
    for (const [length, index] of this.#byLength) {
      for (let row = 0; row < records.rows; row++) {
        const address = records.address[row]
        const incidents = index.get(networkOf(address, length))
        if (incidents === undefined || (length < 32 && !this.#isJudged(address))) continue
        this.#addRecord(incidents, records, row, sealedMs, slot)
      }
    }
  }

  #addRecord(
    incidents: readonly Incident[],
    records: RecordColumns,
    row: number,
    sealedMs: number,
    slot: number,
  ): void {
    const endSecond = records.second[row] + records.lasted[row]
    for (const incident of incidents) {
      if (sealedMs < incident.startSecond * 1000 - aheadMs || !this.#isListed(incident, endSecond, slot)) continue
      incident.evidence.add(records, row)
      incident.evidenceOfEpisode?.add(records, row)
      incident.changed = true
    }
  }
}

/** An area has what its /24s get. */
function placesOf(target: Target): readonly Target[] {
  return target.wholes.length > 0 ? target.wholes : [target]
}

// An index of the attacks that go on, by the address and the networks of their targets: it finds those that a record belongs to.
import type { RecordColumns } from '../../aggregate/sealed-slot.ts'
import { addressLength, networkOf } from '../../net/network.ts'
import type { Incident } from '../incidents/incident.ts'
import { evidence } from '../lines/evidence.ts'
import type { Target } from '../targets/target.ts'

/** The part of a record that goes into the lists of an incident, 0 to 1: it begins in `second` and is of the slot with this number. */
export type ShareListed = (incident: Incident, second: number, lasted: number, slot: number) => number

export class AttackIndex {
  /** Attacks by prefix length, `addressLength` for single addresses, and by first address. */
  readonly #byLength = new Map<number, Map<number, Incident[]>>()
  readonly #isJudged: (address: number) => boolean
  readonly #shareListed: ShareListed

  /** `isJudged`: whether the traffic of an address is part of an attack on its network. */
  constructor(isJudged: (address: number) => boolean, shareListed: ShareListed) {
    this.#isJudged = isJudged
    this.#shareListed = shareListed
  }

  add(incident: Incident, target: Target): void {
    for (const place of placesOf(target)) this.#add(incident, place)
  }

  #add(incident: Incident, { address, length }: Target): void {
    const index = this.#byLength.get(length) ?? new Map<number, Incident[]>()
    this.#byLength.set(length, index)
    const known = index.get(address) ?? []
    // An attack that becomes active again and reaches another /24 in one pass is added for both reasons.
    if (!known.includes(incident)) index.set(address, [...known, incident])
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
        if (incidents === undefined || (length < addressLength && !this.#isJudged(address))) continue
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
    const second = records.second[row]
    const lasted = records.lasted[row]
    for (const incident of incidents) {
      if (sealedMs < incident.startSecond * 1000 - evidence.aheadMs) continue
      const share = this.#shareListed(incident, second, lasted, slot)
      if (share === 0) continue
      incident.evidence.add(records, row, share)
      incident.evidenceOfEpisode?.add(records, row, share)
      incident.changed = true
    }
  }
}

/** The targets whose records belong to an attack: an area gets what its /24s get. */
function placesOf(target: Target): readonly Target[] {
  return target.wholes.length > 0 ? target.wholes : [target]
}

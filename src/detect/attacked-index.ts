// Which attacks a record belongs to: those on its address, and those on the network that it is in.
import type { RecordColumns } from '../aggregate/sealed-slot.ts'
import { networkOf } from '../net/prefix.ts'
import type { Incident } from './incident.ts'

/** A slot that was sealed so long before an attack began has none of its records, however clocks differ. */
const aheadMs = 5_000

export class AttackedIndex {
  readonly #byAddress = new Map<number, Incident[]>()
  /** By first address of the /24. */
  readonly #byNetwork = new Map<number, Incident[]>()
  readonly #isJudged: (address: number) => boolean

  /** `isJudged`: whether the traffic of an address is part of an attack on its network. */
  constructor(isJudged: (address: number) => boolean) {
    this.#isJudged = isJudged
  }

  /** `address`: that of the target, or the first of a network that is attacked as a whole. */
  add(incident: Incident, address: number, isNetwork: boolean): void {
    const index = isNetwork ? this.#byNetwork : this.#byAddress
    index.set(address, [...(index.get(address) ?? []), incident])
  }

  remove(incident: Incident, address: number, isNetwork: boolean): void {
    const index = isNetwork ? this.#byNetwork : this.#byAddress
    const rest = (index.get(address) ?? []).filter((other) => other !== incident)
    if (rest.length === 0) index.delete(address)
    else index.set(address, rest)
  }

  /** Adds the records of a slot to the lists of the attacks that they belong to. */
  addRecords(records: RecordColumns, sealedMs: number): void {
    if (this.#byAddress.size > 0) {
      for (let row = 0; row < records.rows; row++) {
        addRecord(this.#byAddress.get(records.address[row]), records, row, sealedMs)
      }
    }
    if (this.#byNetwork.size > 0) {
      for (let row = 0; row < records.rows; row++) {
        const address = records.address[row]
        const incidents = this.#byNetwork.get(networkOf(address, 24))
        if (incidents !== undefined && this.#isJudged(address)) addRecord(incidents, records, row, sealedMs)
      }
    }
  }
}

function addRecord(incidents: Incident[] | undefined, records: RecordColumns, row: number, sealedMs: number): void {
  if (incidents === undefined) return
  for (const incident of incidents) {
    if (sealedMs < incident.startSecond * 1000 - aheadMs) continue
    incident.evidence.add(records, row)
    incident.changed = true
  }
}

// One database in memory: read, tried, and asked. A damaged one gives errors or nothing, never what is no place.
import { Reader } from 'mmdb-lib'
import { formatKey } from '../net/address.ts'
import { nowhere, type Place, placeOf } from './place.ts'

/** Records that are kept decoded: databases have one for many networks. */
const recordsMax = 20_000
/** Addresses all over the space, looked up before a database is used. */
const triedAddresses = 1_024
/** Odd, and far from a power of two: it meets all parts of the space. */
const triedEvery = 0x9e37_79b1

export class Database {
  /** When it was built, Unix milliseconds. */
  readonly builtMs: number
  /** What it calls itself. */
  readonly type: string
  readonly #reader: Reader<object>

  /** Throws when it is no database, or damaged as far as can be seen. */
  constructor(bytes: Buffer) {
    this.#reader = new Reader<object>(bytes, { cache: new RecordCache() })
    const { databaseType, buildEpoch, nodeCount, searchTreeSize, ipVersion } = this.#reader.metadata
    const isSound = Number.isInteger(nodeCount) && nodeCount > 0 && searchTreeSize < bytes.length
    if (!isSound || (ipVersion !== 4 && ipVersion !== 6)) throw new Error('its tree is larger than the file')
    this.type = String(databaseType).slice(0, 100)
    this.builtMs = Number.isFinite(buildEpoch.getTime()) ? buildEpoch.getTime() : 0
    for (let i = 0; i < triedAddresses; i++) this.placeOf(Math.imul(i, triedEvery) >>> 0)
  }

  /** Throws where it is damaged. */
  placeOf(address: number): Place {
    const record = this.#reader.get(formatKey(address))
    return record === null ? nowhere : placeOf(record)
  }
}

/** What was decoded, by its place in the file. */
class RecordCache {
  readonly #records = new Map<number | string, unknown>()

  get(key: number | string): unknown {
    return this.#records.get(key)
  }

  set(key: number | string, value: unknown): void {
    if (this.#records.size >= recordsMax) this.#records.clear()
    this.#records.set(key, value)
  }
}

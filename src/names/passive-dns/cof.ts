// One line of passive DNS in the Common Output Format (draft-dulaunoy-dnsop-passive-dns-cof-13): what it says of where a name led, and how
// what we know is said in it. Pure.

import { formatKey, parseKey } from '../../net/address.ts'
import { canonicalHostname, isWithin } from '../../net/hostname.ts'
import type { SavedObservation } from '../bindings/bindings.ts'
import { lastingAfterMs } from '../observe/name-group.ts'

/** Records of a name that were seen. Times are Unix milliseconds. */
export interface PassiveRecord {
  /** Canonical; of a wildcard record with `*.` before it. */
  name: string
  /** Addresses of A records. */
  addresses: number[]
  /** Targets of CNAME records. */
  targets: string[]
  firstMs: number
  lastMs: number
  count: number
  /** The sensor that saw them; empty: not given. */
  sensor: string
}

export type ReadLine =
  | { kind: 'record'; record: PassiveRecord }
  /** A record of another type, or of a name that no host can have. */
  | { kind: 'other' }
  | { kind: 'broken'; reason: string }

/** Types as text, and as the decimal that stands for one that a sender does not know. */
const addressTypes: readonly unknown[] = ['A', '1', 1]
const aliasTypes: readonly unknown[] = ['CNAME', '5', 5]
const sensorMax = 64
const timeMaxMs = 8.64e15

export function readCof(line: string): ReadLine {
  const fields = objectIn(line)
  if (fields === null) return broken('It is no JSON object')
  const { rrname, rrtype, rdata, bailiwick, sensor_id: sensor = '', count = 1 } = fields
  if (typeof rrname !== 'string') return broken('rrname must be a text')
  if (typeof rrtype !== 'string' && typeof rrtype !== 'number') return broken('rrtype must be a text')
  const type = typeof rrtype === 'string' ? rrtype.toUpperCase() : rrtype
  const isAddress = addressTypes.includes(type)
  if (!isAddress && !aliasTypes.includes(type)) return { kind: 'other' }
  const values = Array.isArray(rdata) ? rdata : [rdata]
  if (!values.every(isText)) return broken('rdata must be a text, or a list of texts')
  const times = timesOf(fields)
  if (typeof times === 'string') return broken(times)
  if (typeof count !== 'number' || !(count >= 0)) return broken('count must be a number from 0 on')
  if (typeof sensor !== 'string') return broken('sensor_id must be a text')
  const name = canonicalOwner(rrname)
  // What is said outside of the zone that was asked is anybody's word.
  if (name === null || !isInBailiwick(name, bailiwick)) return { kind: 'other' }
  const rest = { name, ...times, count: Math.min(Math.floor(count), Number.MAX_SAFE_INTEGER), sensor: plain(sensor) }
  if (isAddress) {
    const addresses = values.map(parseKey).filter((address) => address !== null)
    if (addresses.length < values.length) return broken('rdata of an A record must be IPv4 addresses')
    return { kind: 'record', record: { ...rest, addresses, targets: [] } }
  }
  const targets = values.map(canonicalHostname).filter((target) => target !== null)
  return targets.length === 0 ? { kind: 'other' } : { kind: 'record', record: { ...rest, addresses: [], targets } }
}

function broken(reason: string): ReadLine {
  return { kind: 'broken', reason }
}

function objectIn(line: string): Record<string, unknown> | null {
  try {
    const value: unknown = JSON.parse(line)
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : null
  } catch {
    return null
  }
}

function isText(value: unknown): value is string {
  return typeof value === 'string'
}

/** The owner of a record: a name, or all names below one that have no records of their own. */
export function canonicalOwner(text: string): string | null {
  if (!text.startsWith('*.')) return canonicalHostname(text)
  const zone = canonicalHostname(text.slice(2))
  return zone === null || zone.length > 251 ? null : `*.${zone}`
}

function isInBailiwick(name: string, bailiwick: unknown): boolean {
  if (typeof bailiwick !== 'string' || bailiwick === '' || bailiwick === '.') return true
  const zone = canonicalHostname(bailiwick)
  return zone !== null && isWithin(name, zone)
}

/** A text is the reason why there are none. A record of a zone file (`zone_time_*`) lasts, however lately it was first seen. */
function timesOf(fields: Record<string, unknown>): { firstMs: number; lastMs: number } | string {
  const seen = spanOf(fields, 'time')
  if (seen !== null) return seen
  const inZone = spanOf(fields, 'zone_time')
  if (inZone === null) return 'time_first and time_last must be Unix seconds'
  if (typeof inZone === 'string') return inZone
  return { ...inZone, firstMs: Math.max(0, Math.min(inZone.firstMs, inZone.lastMs - lastingAfterMs)) }
}

/** Null: such times are not there. */
function spanOf(
  fields: Record<string, unknown>,
  kind: 'time' | 'zone_time',
): { firstMs: number; lastMs: number } | string | null {
  const [firstMs, lastMs] = ['first', 'last'].map((end) => {
    const ms = fields[`${kind}_${end}_ms`]
    if (ms !== undefined) return numberIn(ms)
    const seconds = fields[`${kind}_${end}`]
    return seconds === undefined ? null : numberIn(seconds) * 1_000
  })
  if (firstMs === null || lastMs === null) return null
  if (!(firstMs >= 0 && lastMs <= timeMaxMs)) return `${kind}_first and ${kind}_last must be Unix seconds`
  if (firstMs > lastMs) return `${kind}_first is later than ${kind}_last`
  return { firstMs: Math.floor(firstMs), lastMs: Math.floor(lastMs) }
}

/** Some senders write numbers as texts. */
function numberIn(value: unknown): number {
  return typeof value === 'number' || (typeof value === 'string' && /^\d+$/.test(value)) ? Number(value) : Number.NaN
}

/** The sensor's name with letters, digits and a few signs alone: it is shown to people. */
function plain(sensor: string): string {
  return sensor.slice(0, sensorMax).replace(/[^\w .:/@-]/g, '_')
}

/** A record as it is told; `rdata` of each is one value. Times in Unix seconds. */
export interface CofRecord {
  rrname: string
  rrtype: 'A' | 'CNAME'
  rdata: string
  time_first: number
  time_last: number
  count?: number
  sensor_id?: string
}

/** A name that led to an address, and how often that was seen; null: it is not told. */
export interface Sighting extends Pick<SavedObservation, 'name' | 'address' | 'chain' | 'firstMs' | 'confirmedMs'> {
  count: number | null
  /** Empty: it is not told. */
  sensor: string
}

/** The records that the sightings consist of, each once, in the order in which they come. */
export function cofRecords(sightings: Iterable<Sighting>): CofRecord[] {
  const records = new Map<string, CofRecord>()
  for (const { name, address, chain, firstMs, confirmedMs, count, sensor } of sightings) {
    const path = [name, ...chain]
    path.forEach((rrname, i) => {
      const rrtype = i + 1 < path.length ? 'CNAME' : 'A'
      const rdata = rrtype === 'CNAME' ? path[i + 1] : formatKey(address)
      const key = `${rrname} ${rdata}`
      const known = records.get(key)
      const counts = [known?.count ?? null, count].filter((each) => each !== null)
      records.set(key, {
        ...{ rrname, rrtype, rdata },
        time_first: Math.min(known?.time_first ?? Number.POSITIVE_INFINITY, Math.floor(firstMs / 1_000)),
        time_last: Math.max(known?.time_last ?? 0, Math.floor(confirmedMs / 1_000)),
        ...(counts.length > 0 && { count: Math.max(...counts) }),
        ...(sensor !== '' && { sensor_id: sensor }),
      })
    })
  }
  return [...records.values()]
}

// A zone file as lines of passive DNS: what it says of its names is so since the file was changed last.
import { readZoneFile } from '../zones/zone-file.ts'

export interface ZoneLinesOptions {
  /** Canonical; null: the file says it. */
  origin: string | null
  /** Since when the zone is like this, Unix seconds. */
  firstSeconds: number
  nowSeconds: number
}

export type ZoneLine =
  | { kind: 'line'; text: string }
  | { kind: 'other' }
  | { kind: 'broken'; line: number; reason: string }

export function* zoneLines(text: string, { origin, firstSeconds, nowSeconds }: ZoneLinesOptions): Generator<ZoneLine> {
  for (const entry of readZoneFile(text, origin)) {
    if (entry.kind === 'broken') {
      yield entry
      continue
    }
    const { name: rrname, type: rrtype, value: rdata } = entry
    if (rrname === null || rdata === null) {
      yield { kind: 'other' }
      continue
    }
    const times = { zone_time_first: Math.min(firstSeconds, nowSeconds), zone_time_last: nowSeconds }
    yield { kind: 'line', text: JSON.stringify({ rrname, rrtype, rdata, ...times, sensor_id: 'zone file' }) }
  }
}

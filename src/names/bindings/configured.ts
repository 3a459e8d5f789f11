// The addresses of the names among the host records that the configuration has settings for. No user need have them as sites, so it does not
// matter whose names lead there.

import type { HostRecord } from '../../access/host-record.ts'
import { ancestors } from '../../net/hostname.ts'
import type { Binding } from './bindings.ts'
import type { KnownBindings } from './watched.ts'

export interface ConfiguredAddresses {
  /** The addresses of each record, sorted; an empty list for a record that is no name. */
  addresses: number[][]
  /** The time before which no address is dropped; Infinity: none ever is. */
  validToMs: number
}

export function configuredAddresses(
  records: readonly HostRecord[],
  { asked, observed }: KnownBindings,
  nowMs: number,
): ConfiguredAddresses {
  const found = records.map(() => new Set<number>())
  const byName = placesOf(records, (record) => (record.kind === 'fqdn' ? record.host : null))
  const byZone = placesOf(records, (record) => (record.kind === 'wildcard' ? record.zone : null))
  const placesFor = ({ name, chain }: Binding) =>
    [name, ...chain].flatMap((each) =>
      [byName.get(each), ...[each, ...ancestors(each)].map((zone) => byZone.get(zone))].filter(
        (place) => place !== undefined,
      ),
    )
  let validToMs = Number.POSITIVE_INFINITY
  if (byName.size + byZone.size > 0) {
    for (const bindings of [asked, observed]) {
      for (const binding of bindings.all()) {
        if (binding.validToMs <= nowMs) continue
        for (const place of placesFor(binding)) {
          found[place].add(binding.address)
          validToMs = Math.min(validToMs, binding.validToMs)
        }
      }
    }
  }
  return { addresses: found.map((addresses) => [...addresses].sort((a, b) => a - b)), validToMs }
}

/** No two records have the same key. */
function placesOf(records: readonly HostRecord[], keyOf: (record: HostRecord) => string | null): Map<string, number> {
  const places = new Map<string, number>()
  records.forEach((record, place) => {
    const key = keyOf(record)
    if (key !== null) places.set(key, place)
  })
  return places
}

// The host records that the configuration has settings for: the addresses that those of them stand for which are names. No user need have them as
// sites, so it does not matter whose names lead there.
import { ancestors } from '../net/hostname.ts'
import type { HostRecord } from '../targets/site.ts'
import type { Bindings } from './bindings.ts'

export interface ConfiguredAddresses {
  /** Of each record, sorted; of those that are no names, none. */
  addresses: number[][]
  /** No address is dropped before then; Infinity: never. */
  validToMs: number
}

export function configuredAddresses(
  records: readonly HostRecord[],
  bindings: Bindings,
  nowMs: number,
): ConfiguredAddresses {
  const found = records.map(() => new Set<number>())
  const byName = placesOf(records, (record) => (record.kind === 'fqdn' ? record.host : null))
  const byZone = placesOf(records, (record) => (record.kind === 'wildcard' ? record.zone : null))
  let validToMs = Number.POSITIVE_INFINITY
  if (byName.size + byZone.size > 0) {
    for (const binding of bindings.all()) {
      if (binding.validToMs <= nowMs) continue
      for (const name of [binding.name, ...binding.chain]) {
        const places = [byName.get(name), ...[name, ...ancestors(name)].map((zone) => byZone.get(zone))]
        for (const place of places) {
          if (place === undefined) continue
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

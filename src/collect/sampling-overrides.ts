// The operator's own word on sampling rates: for an exporter or a network of them, and for one observation domain where that is said. Of several
// rows that fit, one for the domain goes first, then the longest prefix.
import { BlockList } from 'node:net'
import { type Static, Type } from 'typebox'
import { parseEntry } from './allow-list.ts'

export const samplingSettings = Type.Array(
  Type.Object(
    {
      exporter: Type.Refine(
        Type.String({ maxLength: 60, description: 'Whose records: an address or a prefix, IPv4 or IPv6.' }),
        (text) => parseEntry(text) !== null,
        () => 'must be an address or a prefix (192.0.2.7, 192.0.2.0/24, 2001:db8::/32)',
      ),
      domain: Type.Optional(
        Type.Integer({
          description:
            'Of one observation domain (NetFlow v9: source id, NetFlow v5: engine, sFlow: sub-agent) only; all when left out.',
          minimum: 0,
          maximum: 4_294_967_295,
        }),
      ),
      rate: Type.Integer({ description: '1 of so many packets is sampled.', minimum: 1, maximum: 16_777_216 }),
    },
    { additionalProperties: false },
  ),
  {
    default: [],
    maxItems: 10_000,
    description:
      'Sampling rates in place of what exporters tell, as rows of `exporter` (address or prefix), `rate` and, for one observation domain only, `domain`. Of several rows that fit, one for the domain counts, then the longest prefix.',
  },
)

export type SamplingOverride = Static<typeof samplingSettings>[number]

/** The rate for an exporter's domain; 0: what it tells itself. The rows have been checked. Asked once for each stream. */
export function compileOverrides(rows: readonly SamplingOverride[]): (address: string, domain: number) => number {
  const compiled = rows
    .map(({ exporter, domain, rate }) => {
      const entry = parseEntry(exporter)
      if (entry === null) throw new TypeError(`neither an address nor a prefix: ${exporter}`)
      const { address, family, length = null } = entry
      const bits = family === 'ipv4' ? 32 : 128
      const list = new BlockList()
      list.addSubnet(address, length ?? bits, family)
      return { list, domain, rate, free: bits - (length ?? bits) }
    })
    .sort((a, b) => Number(a.domain === undefined) - Number(b.domain === undefined) || a.free - b.free)
  return (address, domain) => {
    const bare = address.replace(/%.*$/, '')
    const family = bare.includes(':') ? 'ipv6' : 'ipv4'
    const found = compiled.find(
      ({ list, domain: only }) => (only === undefined || only === domain) && list.check(bare, family),
    )
    return found?.rate ?? 0
  }
}

// The operator's own sampling rates, for an exporter or a network of exporters, and for one observation domain if the row has one. When several rows fit,
// one with the domain wins, then the longest prefix.
import { BlockList } from 'node:net'
import { type Static, Type } from 'typebox'
import { parseAddressRange } from '../net/address-range.ts'

export const samplingSettings = Type.Array(
  Type.Object(
    {
      exporter: Type.Refine(
        Type.String({ maxLength: 60, description: 'Whose records: an address or a prefix, IPv4 or IPv6.' }),
        (text) => parseAddressRange(text) !== null,
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
      rate: Type.Optional(
        Type.Integer({ description: 'One of this many packets is sampled.', minimum: 1, maximum: 16_777_216 }),
      ),
      linkBitsPerSecond: Type.Optional(
        Type.Number({
          description: 'What all its links carry together; when much more is counted the sampling rate is flagged.',
          minimum: 1,
          maximum: 1e15,
        }),
      ),
    },
    { additionalProperties: false },
  ),
  {
    default: [],
    maxItems: 10_000,
    description:
      'Sampling rates in place of what exporters tell, as rows of `exporter` (address or prefix), `rate` and, for one observation domain only, `domain`; `linkBitsPerSecond`, what its links carry together, has a rate flagged with which more is counted. Of several rows that fit, one for the domain goes first, then the longest prefix.',
  },
)

export type SamplingOverride = Static<typeof samplingSettings>[number]

export interface Overrides {
  /** Sampling rate of a stream; 0: the exporter's own. */
  rateOf: (address: string, domain: number) => number
  /** Speed of a stream's links; 0: unknown. */
  linkBitsPerSecondOf: (address: string, domain: number) => number
}

/** Compiles rows that have been checked. Looked up once for each stream. */
export function compileOverrides(rows: readonly SamplingOverride[]): Overrides {
  return {
    rateOf: compile(rows, ({ rate }) => rate),
    linkBitsPerSecondOf: compile(rows, ({ linkBitsPerSecond }) => linkBitsPerSecond),
  }
}

/** The value of the first row that fits and has one; 0 when no row does. */
function compile(rows: readonly SamplingOverride[], pick: (row: SamplingOverride) => number | undefined) {
  const compiled = rows
    .filter((row) => pick(row) !== undefined)
    .map((row) => {
      const entry = parseAddressRange(row.exporter)
      if (entry === null) throw new TypeError(`neither an address nor a prefix: ${row.exporter}`)
      const bits = entry.family === 'ipv4' ? 32 : 128
      const length = entry.length ?? bits
      const list = new BlockList()
      list.addSubnet(entry.address, length, entry.family)
      return { list, domain: row.domain, value: pick(row) ?? 0, free: bits - length }
    })
    .sort((a, b) => Number(a.domain === undefined) - Number(b.domain === undefined) || a.free - b.free)
  return (address: string, domain: number) => {
    // Link-local addresses carry their interface.
    const bare = address.replace(/%.*$/, '')
    const family = bare.includes(':') ? 'ipv6' : 'ipv4'
    const fits = compiled.find((row) => (row.domain ?? domain) === domain && row.list.check(bare, family))
    return fits?.value ?? 0
  }
}

// The settings that an operator may give one network or one site, in place of those for all, and the forms of their values.
import { type Static, Type } from 'typebox'
import { canonicalHost, parseHostRecord } from '../../access/host-record.ts'
import { parsePort, parseSource } from '../../aggregate/exclusions.ts'
import { formatNetwork, parseNetwork } from '../../net/network.ts'

/** The factors that the words for a sensitivity stand for. */
const sensitivities = { low: 0.5, normal: 1, high: 2 } as const

export type Sensitivity = keyof typeof sensitivities | number

/** Factor of a sensitivity. */
export function sensitivityOf(given: Sensitivity): number {
  return typeof given === 'number' ? given : sensitivities[given]
}

/** The schema of a sensitivity; `default` is for the one that holds for all. */
export const sensitivity = (options: { description: string; default?: Sensitivity }) =>
  Type.Refine(
    Type.Unsafe<Sensitivity>(options),
    (given: unknown) =>
      typeof given === 'number'
        ? given >= 0.1 && given <= 10
        : Object.keys(sensitivities).some((word) => word === given),
    () => 'must be low, normal, high or a number from 0.1 to 10',
  )

const port = Type.Refine(
  Type.String({ maxLength: 20 }),
  (text) => parsePort(text) !== null,
  () => 'must be a protocol and a port: tcp/443, udp/53, or udp/src/53 for a source port',
)

const source = Type.Refine(
  Type.String({ maxLength: 18 }),
  (text) => parseSource(text) !== null,
  () => 'must be an IPv4 address or network (192.0.2.7, 192.0.2.0/24)',
)

export const excludePorts = (options: { description: string; default?: string[] }) =>
  Type.Array(port, { maxItems: 1_000, ...options })

export const excludeSources = (options: { description: string; default?: string[] }) =>
  Type.Array(source, { maxItems: 10_000, ...options })

const limit = (of: string) =>
  Type.Optional(Type.Number({ description: `${of}. 0: no such limit.`, minimum: 0, maximum: 1e15 }))

const own = {
  enabled: Type.Optional(
    Type.Boolean({ description: 'Whether the traffic is judged; its minutes are kept in any case.' }),
  ),
  packetsPerSecond: limit('Packets per second'),
  bytesPerSecond: limit('Bytes per second'),
  flowsPerSecond: limit('Flow records per second'),
  sensitivity: Type.Optional(sensitivity({ description: 'A factor, or a word for one.' })),
  excludePorts: Type.Optional(excludePorts({ description: 'Ports whose traffic is left out.' })),
  excludeSources: Type.Optional(excludeSources({ description: 'Senders whose traffic is left out.' })),
}

const prefix = Type.Refine(
  Type.String({ description: 'An IPv4 network, as a.b.c.d/length.', maxLength: 18 }),
  (text) => parseNetwork(text) !== null,
  () => 'must be an IPv4 network (192.0.2.0/24)',
)

const site = Type.Refine(
  Type.String({ description: 'A host record, as sites are registered.', maxLength: 1_000 }),
  (text) => canonicalHost(text) !== null,
  (text) => {
    const parsed = parseHostRecord(text)
    return parsed.ok ? '' : `is no site: ${parsed.reason}`
  },
)

const prefixSettings = Type.Object({ prefix, ...own }, { additionalProperties: false })
const siteSettings = Type.Object({ site, ...own }, { additionalProperties: false })

/** Options of an array of rows, which is bounded. */
const rowOptions = (description: string) => ({ description, default: [], maxItems: 10_000 })

export const prefixRows = (description: string) =>
  Type.Refine(
    Type.Array(prefixSettings, rowOptions(description)),
    (rows) => doubled(rows.map(networkText)) === undefined,
    (rows) => `has ${doubled(rows.map(networkText))} twice`,
  )

export const siteRows = (description: string) =>
  Type.Refine(
    Type.Array(siteSettings, rowOptions(description)),
    (rows) => doubled(rows.map(hostText)) === undefined,
    (rows) => `has ${doubled(rows.map(hostText))} twice`,
  )

function networkText(row: { prefix: string }): string {
  const parsed = parseNetwork(row.prefix)
  return parsed === null ? row.prefix : formatNetwork(parsed)
}

function hostText(row: { site: string }): string {
  return canonicalHost(row.site) ?? row.site
}

function doubled(texts: string[]): string | undefined {
  const seen = new Set<string>()
  return texts.find((text) => seen.size === seen.add(text).size)
}

export type PrefixSettings = Static<typeof prefixSettings>

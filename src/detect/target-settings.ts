// The settings that hold for each address: those of its sites, else of the networks that it is in, the longest first, else those for all; key by key.
// They are compiled into stretches of addresses, since the detector asks for each target in each second.
import { compileExclusions, type Exclusions } from '../aggregate/exclusions.ts'
import { formatPrefix, lastAddress, type Prefix, parsePrefix } from '../net/prefix.ts'
import { placeOf } from '../net/sorted.ts'
import { type HostRecord, parseAnyHostRecord, prefixOf } from '../targets/site.ts'
import { type PrefixSettings, sensitivityOf } from './own-settings.ts'
import { type DetectSettings, detectSettings } from './settings.ts'

export type OwnSettings = Required<Omit<PrefixSettings, 'prefix'>>

/** `default`, `all`, `prefix a.b.c.d/n`, or `site` and a host record. */
export type SettingSource = 'default' | 'all' | `prefix ${string}` | `site ${string}`

export interface TargetSettings {
  values: OwnSettings
  sources: Record<keyof OwnSettings, SettingSource>
  limits: Limits
}

/** The same as the judge needs them. */
export interface Limits {
  /** Per second; infinite when there is no such limit. */
  packets: number
  bytes: number
  flows: number
  /** Divides the lines of vectors. */
  sensitivity: number
  /** Where each limit comes from: `absolute`, `prefix a.b.c.d/n` or `site`. */
  sources: { packets: string; bytes: string; flows: string }
}

/** The host records of `detect.sites`, in their order. */
export function configuredSites({ sites }: DetectSettings): HostRecord[] {
  return sites.map(({ site }) => {
    const record = parseAnyHostRecord(site)
    if (!record.ok) throw new TypeError(`no site: ${site}`)
    return record
  })
}

/** Of each row of `detect.sites` that is a name, in their order, the addresses that it stands for; of the others nothing. */
export type SiteAddresses = readonly (readonly number[])[]

/** Each stretch of addresses, from its first on, and its settings; the first begins at 0. */
interface Stretches {
  firsts: Uint32Array
  settings: readonly TargetSettings[]
}

export class SettingsTable {
  readonly #ofAddresses: Stretches
  readonly #all: TargetSettings
  readonly #layers: readonly Layer[]
  /** By length of the prefix; made when it is first asked for. */
  readonly #ofNetworks = new Map<number, Stretches>()

  /** The settings have been checked. */
  constructor(settings: DetectSettings, siteAddresses: SiteAddresses = []) {
    this.#all = forAll(settings)
    this.#layers = [...settings.prefixes.map(prefixLayer), ...siteLayers(settings, siteAddresses)]
    this.#ofAddresses = stretchesOf(this.#layers, this.#all)
  }

  of(address: number): TargetSettings {
    return at(this.#ofAddresses, address)
  }

  /** What holds for the whole of a network. */
  ofNetwork({ network, length }: Prefix): TargetSettings {
    let stretches = this.#ofNetworks.get(length)
    if (stretches === undefined) {
      const whole = this.#layers.filter(({ prefix }) => prefix.length <= length)
      stretches = stretchesOf(whole, this.#all)
      this.#ofNetworks.set(length, stretches)
    }
    return at(stretches, network)
  }

  /** What the folder leaves out. */
  exclusions(): Exclusions | null {
    const { firsts, settings } = this.#ofAddresses
    const rows = settings.map(({ values: { excludePorts, excludeSources } }, i) => {
      return { first: firsts[i], ports: excludePorts, sources: excludeSources }
    })
    return compileExclusions(rows)
  }
}

function at({ firsts, settings }: Stretches, address: number): TargetSettings {
  return settings[placeOf(firsts, address)]
}

/** What is said of one network. Of two networks, one is within the other, or they are apart. */
interface Layer {
  prefix: Prefix
  /** Of those that hold an address, the highest goes first. */
  precedence: number
  source: SettingSource
  values: Partial<OwnSettings>
}

function prefixLayer({ prefix: text, ...values }: PrefixSettings): Layer {
  const prefix = parsePrefix(text)
  if (prefix === null) throw new TypeError(`no network: ${text}`)
  return { prefix, precedence: prefix.length, source: `prefix ${formatPrefix(prefix)}`, values }
}

function siteLayers(settings: DetectSettings, addresses: SiteAddresses): Layer[] {
  const layers = configuredSites(settings).flatMap((record, i) => {
    const { site: _, ...values } = settings.sites[i]
    const source: SettingSource = `site ${record.host}`
    const precedence = precedenceOf(record)
    return networksOf(record, addresses[i] ?? []).map((prefix) => ({ prefix, precedence, source, values }))
  })
  // Of two names of one address that are alike, the one that stands first goes first.
  return layers.reverse()
}

/** Above all networks; among sites in the order in which an attack is said to be on one of them: see names/attribution.ts. */
function precedenceOf(record: HostRecord): number {
  if (record.kind === 'wildcard') return 100 + record.zone.length
  if (record.kind === 'fqdn') return 1_000
  return 2_000 + prefixOf(record).length
}

function networksOf(record: HostRecord, addresses: readonly number[]): Prefix[] {
  if (record.kind === 'fqdn' || record.kind === 'wildcard') {
    return addresses.map((network) => ({ network, length: 32 }))
  }
  return [prefixOf(record)]
}

/** A walk over the networks, the outer before the inner, that settles what holds wherever one begins or ends. */
function stretchesOf(layers: readonly Layer[], all: TargetSettings): Stretches {
  const firsts = [0]
  const settings = [all]
  const open: Layer[] = []
  const beginAt = (first: number) => {
    // Several may begin or end at one address: what holds after all of them counts.
    if (firsts[firsts.length - 1] === first) {
      firsts.pop()
      settings.pop()
    }
    firsts.push(first)
    settings.push(withLayers(all, open))
  }
  const closeBefore = (address: number) => {
    for (let last = open.at(-1); last !== undefined && lastAddress(last.prefix) < address; last = open.at(-1)) {
      open.pop()
      beginAt(lastAddress(last.prefix) + 1)
    }
  }
  const outerFirst = layers.toSorted((a, b) => a.prefix.network - b.prefix.network || a.prefix.length - b.prefix.length)
  for (const layer of outerFirst) {
    closeBefore(layer.prefix.network)
    open.push(layer)
    beginAt(layer.prefix.network)
  }
  closeBefore(2 ** 32)
  // What ends with the last address is followed by nothing.
  if (firsts.at(-1) === 2 ** 32) {
    firsts.pop()
    settings.pop()
  }
  return { firsts: Uint32Array.from(firsts), settings }
}

function withLayers(all: TargetSettings, layers: readonly Layer[]): TargetSettings {
  if (layers.length === 0) return all
  let { values, sources } = all
  for (const layer of layers.toSorted((a, b) => a.precedence - b.precedence)) {
    values = { ...values, ...layer.values }
    sources = { ...sources, ...sourcesOf(layer.values, layer.source) }
  }
  return settled(values, sources)
}

function forAll(settings: DetectSettings): TargetSettings {
  const { packetsPerSecond, bytesPerSecond, flowsPerSecond, sensitivity, excludePorts, excludeSources } = settings
  const given = { packetsPerSecond, bytesPerSecond, flowsPerSecond, sensitivity, excludePorts, excludeSources }
  const { properties } = detectSettings
  const sourceOf = (name: keyof typeof given) => {
    const byDefault: unknown = Reflect.get(properties[name], 'default')
    return JSON.stringify(given[name]) === JSON.stringify(byDefault) ? 'default' : 'all'
  }
  return settled(
    { enabled: true, ...given },
    {
      enabled: 'default',
      packetsPerSecond: sourceOf('packetsPerSecond'),
      bytesPerSecond: sourceOf('bytesPerSecond'),
      flowsPerSecond: sourceOf('flowsPerSecond'),
      sensitivity: sourceOf('sensitivity'),
      excludePorts: sourceOf('excludePorts'),
      excludeSources: sourceOf('excludeSources'),
    },
  )
}

function sourcesOf(values: Partial<OwnSettings>, source: SettingSource): Partial<TargetSettings['sources']> {
  return Object.fromEntries(Object.keys(values).map((name) => [name, source]))
}

function settled(values: TargetSettings['values'], sources: TargetSettings['sources']): TargetSettings {
  const limits: Limits = {
    packets: values.packetsPerSecond || Number.POSITIVE_INFINITY,
    bytes: values.bytesPerSecond || Number.POSITIVE_INFINITY,
    flows: values.flowsPerSecond || Number.POSITIVE_INFINITY,
    sensitivity: sensitivityOf(values.sensitivity),
    sources: {
      packets: limitSource(sources.packetsPerSecond),
      bytes: limitSource(sources.bytesPerSecond),
      flows: limitSource(sources.flowsPerSecond),
    },
  }
  return { values, sources, limits }
}

/** As an event says it: whose site it is that an address shares is no concern of its other owners. */
function limitSource(source: SettingSource): string {
  if (source === 'default' || source === 'all') return 'absolute'
  return source.startsWith('site ') ? 'site' : source
}

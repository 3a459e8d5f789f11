// The settings that hold for each address, key by key: those of its sites, else of the networks that hold it, the longest first, else those for all. They are
// compiled to stretches of addresses, since the detector asks for each target in each second.

import { type HostRecord, requireHostRecord } from '../../access/host-record.ts'
import { compileExclusions, type Exclusions } from '../../aggregate/exclusions.ts'
import { keyEnd } from '../../net/address.ts'
import {
  addressLength,
  formatNetworkKey,
  lastKey,
  type NetworkKey,
  networkKey,
  parseNetwork,
  prefixLength,
} from '../../net/network.ts'
import { placeOf } from '../../net/ranges.ts'
import { type DetectSettings, detectSettings } from '../settings.ts'
import { type PrefixSettings, sensitivityOf } from './setting-overrides.ts'

export type OwnSettings = Required<Omit<PrefixSettings, 'prefix'>>

/** `default`, `all`, `prefix a.b.c.d/n`, or `site` and a host record. */
export type SettingSource = 'default' | 'all' | `prefix ${string}` | `site ${string}`

export interface TargetSettings {
  values: OwnSettings
  sources: Record<keyof OwnSettings, SettingSource>
  limits: Limits
}

/** The settings as the judge needs them. */
export interface Limits {
  /** Per second; infinite when there is no such limit. */
  packets: number
  bytes: number
  flows: number
  /** Divides the lines of vectors. */
  sensitivity: number
  /** Source of each limit: `absolute`, `prefix a.b.c.d/n` or `site`. */
  sources: { packets: string; bytes: string; flows: string }
}

/** The host records of `detect.sites`, in their order. */
export function configuredSites({ sites }: DetectSettings): HostRecord[] {
  return sites.map(({ site }) => requireHostRecord(site))
}

/** The addresses of each row of `detect.sites`, in their order: those that a name stands for; other rows have none here. */
export type SiteAddresses = readonly (readonly number[])[]

/** Stretches of addresses with their settings, each from its first address on; the first begins at 0. */
interface Stretches {
  firsts: Uint32Array
  settings: readonly TargetSettings[]
}

export class SettingsTable {
  readonly #ofAddresses: Stretches
  readonly #all: TargetSettings
  readonly #layers: readonly Layer[]
  /** Stretches by prefix length, made when they are first needed. */
  readonly #ofNetworks = new Map<number, Stretches>()

  /** The settings have been checked. */
  constructor(settings: DetectSettings, siteAddresses: SiteAddresses = []) {
    this.#all = forAll(settings)
    this.#layers = [...settings.prefixes.map(prefixLayer), ...siteLayers(settings, siteAddresses)]
    this.#ofAddresses = stretchesOf(this.#layers, this.#all)
  }

  /** The lowest limits that any address has, and the highest sensitivity. */
  get strictest(): Pick<Limits, 'packets' | 'bytes' | 'flows' | 'sensitivity'> {
    const all = this.#ofAddresses.settings.map(({ limits }) => limits)
    return {
      packets: Math.min(...all.map(({ packets }) => packets)),
      bytes: Math.min(...all.map(({ bytes }) => bytes)),
      flows: Math.min(...all.map(({ flows }) => flows)),
      sensitivity: Math.max(...all.map(({ sensitivity }) => sensitivity)),
    }
  }

  of(address: number): TargetSettings {
    return at(this.#ofAddresses, address)
  }

  /** What holds for the whole of a network. */
  ofNetwork({ network, length }: NetworkKey): TargetSettings {
    let stretches = this.#ofNetworks.get(length)
    if (stretches === undefined) {
      const whole = this.#layers.filter(({ prefix }) => prefix.length <= length)
      stretches = stretchesOf(whole, this.#all)
      this.#ofNetworks.set(length, stretches)
    }
    return at(stretches, network)
  }

  /** Traffic that the folder leaves out. */
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

/** The settings of one network. Two networks are one within the other, or apart. */
interface Layer {
  prefix: NetworkKey
  /** The highest precedence wins among the layers that hold an address. */
  precedence: number
  source: SettingSource
  values: Partial<OwnSettings>
}

function prefixLayer({ prefix: text, ...values }: PrefixSettings): Layer {
  const network = parseNetwork(text)
  if (network === null) throw new TypeError(`no network: ${text}`)
  const prefix = networkKey(network)
  return { prefix, precedence: prefix.length, source: `prefix ${formatNetworkKey(prefix)}`, values }
}

function siteLayers(settings: DetectSettings, addresses: SiteAddresses): Layer[] {
  const layers = configuredSites(settings).flatMap((record, i) => {
    const { site: _, ...values } = settings.sites[i]
    const source: SettingSource = `site ${record.host}`
    const precedence = precedenceOf(record)
    return networksOf(record, addresses[i] ?? []).map((prefix) => ({ prefix, precedence, source, values }))
  })
  // The first of two equal names of one address wins.
  return layers.reverse()
}

/** Precedence of a site: above all networks, and among sites in the order of attribution (names/bindings/attribution.ts). */
function precedenceOf(record: HostRecord): number {
  if (record.kind === 'wildcard') return 100 + record.zone.length
  if (record.kind === 'fqdn') return 1_000
  return 2_000 + prefixLength(record.network)
}

function networksOf(record: HostRecord, addresses: readonly number[]): NetworkKey[] {
  if (record.kind === 'fqdn' || record.kind === 'wildcard') {
    return addresses.map((network) => ({ network, length: addressLength }))
  }
  return [networkKey(record.network)]
}

/** Walks over the networks, the outer before the inner, and settles what holds wherever one begins or ends. */
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
    for (let last = open.at(-1); last !== undefined && lastKey(last.prefix) < address; last = open.at(-1)) {
      open.pop()
      beginAt(lastKey(last.prefix) + 1)
    }
  }
  const outerFirst = layers.toSorted((a, b) => a.prefix.network - b.prefix.network || a.prefix.length - b.prefix.length)
  for (const layer of outerFirst) {
    closeBefore(layer.prefix.network)
    open.push(layer)
    beginAt(layer.prefix.network)
  }
  closeBefore(keyEnd)
  // What ends with the last address is followed by nothing.
  if (firsts.at(-1) === keyEnd) {
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

/** The source of a limit as events have it: a shared address must not reveal the site of another owner. */
function limitSource(source: SettingSource): string {
  if (source === 'default' || source === 'all') return 'absolute'
  return source.startsWith('site ') ? 'site' : source
}

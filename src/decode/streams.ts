// Streams: one for each observation domain of an exporter's socket, with its templates, samplers, sequence and counters (RFC 7011 section 8:
// templates belong to a transport session and a domain). All of it bounded: what was used longest ago makes room.
import { type ExportProtocol, exportProtocols } from '../flow/columns.ts'
import { EvictedCounters } from './counter-sums.ts'
import { createStreamCounters, type DecoderCounters, type StreamCounters } from './counters.ts'
import { SamplingTable } from './sampling/sampling.ts'
import type { SavedStream, StreamKey } from './saved-streams.ts'
import { fieldsOf } from './templates/definition.ts'
import type { Directions } from './templates/directions.ts'
import { LinkCheck } from './templates/link-check.ts'
import { Template } from './templates/stream-template.ts'
import type { TemplateFields } from './templates/template.ts'
import { hasRestarted, type Uptime } from './times/uptime.ts'
import { type WaitingLimits, WaitingRoom, WaitingSets } from './waiting-sets.ts'

export interface StreamLimits extends WaitingLimits {
  streamsMax: number
  /** Most templates of one stream. */
  templatesPerStreamMax: number
  /** Most templates of all streams together. */
  templatesMax: number
  /** Most samplers of one stream. */
  samplersMax: number
}

export interface StreamTableOptions extends StreamLimits {
  /** The rate to count an exporter's records with, in place of whatever it tells; 0: none. */
  samplingOverrideOf: (address: string, domain: number) => number
  /** What an exporter's links carry together, in bits a second; 0: it is not known. */
  linkBitsPerSecondOf: (address: string, domain: number) => number
  /** Take sampling rates as exported, however odd. */
  exportedRates: boolean
  /** Called before a place in the table may pass on to another stream. */
  onEvict: () => void
}

export interface Stream {
  /** Place in the table: what the batch's `exporter` column holds. */
  readonly index: number
  readonly address: string
  readonly port: number
  /** Observation domain (IPFIX), source id (NetFlow v9), engine (NetFlow v5), sub-agent (sFlow). */
  readonly domain: number
  /** Index into `exportProtocols`. */
  readonly exportProtocol: number
  /** The exporter's address, or `other`: see `EvictedCounters`. */
  readonly name: string
  readonly counters: StreamCounters
  readonly sampling: SamplingTable
  /** By id, the one defined longest ago first. */
  readonly templates: Map<number, Template>
  readonly waiting: WaitingRoom
  /** Whether what is counted can be; null: nothing is known of the exporter's links. */
  links: LinkCheck | null
  /** Null: it has sent no template that tells a direction. */
  directions: Directions | null
  lastMs: number
  /** When the exporter started, by its options data; 0: unknown. */
  bootMs: number
  /** Its time and its uptime by the last header; 0: unknown. */
  exportMs: number
  uptimeMs: number
  /** How far the exporter's clock was ahead of ours at the last datagram, milliseconds; 0 for protocols without a clock. */
  clockAheadMs: number
  /** Sequence number of the last datagram: see `expectSequence`. */
  sequence: number
  sequenceLength: number
  sequenceOptions: number
  /** Whether rates are sent by interface: flow templates are compiled to look theirs up. */
  readsInterfaces: boolean
  /** Whether templates are from before a restart of the service: they hold if the exporter has not restarted as well. */
  hasSavedTemplates: boolean
}

/** What is to be saved: of templates, those that data came for. */
export interface StreamListener {
  onTemplate(stream: Stream, id: number): void
  onTemplateGone(stream: Stream, id: number): void
  onEvicted(stream: Stream): void
}

export class StreamTable {
  /** By place; undefined: free. */
  readonly list: (Stream | undefined)[] = []
  readonly evicted = new EvictedCounters()
  readonly waiting: WaitingSets
  listener: StreamListener | null = null
  readonly #options: StreamTableOptions
  readonly #counters: DecoderCounters
  /** By address, then by protocol, port and domain. */
  readonly #byAddress = new Map<string, Map<number, Stream>>()
  readonly #free: number[] = []
  /** State from before a restart of streams without a datagram since, by `textOf`. */
  readonly #saved = new Map<string, SavedStream>()
  #templates = 0
  #last: Stream | null = null

  constructor(options: StreamTableOptions, counters: DecoderCounters) {
    this.#options = options
    this.#counters = counters
    this.waiting = new WaitingSets(options)
  }

  get size(): number {
    return this.list.length - this.#free.length
  }

  /** Templates of all streams. */
  get templates(): number {
    return this.#templates
  }

  /** The stream, made when it is new. `protocol`: an index into `exportProtocols`. */
  of(protocol: number, address: string, port: number, domain: number): Stream {
    const last = this.#last
    if (last !== null && last.domain === domain && last.port === port && last.exportProtocol === protocol) {
      if (last.address === address) return last
    }
    const key = keyOf(protocol, port, domain)
    const stream = this.#byAddress.get(address)?.get(key) ?? this.#open(protocol, address, port, domain)
    this.#last = stream
    return stream
  }

  /** Restores the state of an earlier process (see `checkSaved`); each stream takes its own with its first datagram. */
  restore(streams: readonly SavedStream[]): void {
    for (const stream of streams.slice(0, this.#options.streamsMax)) this.#saved.set(textOf(stream), stream)
  }

  /** True when the stream has this very template; it then counts as defined just now. */
  renew(stream: Stream, id: number, definition: Uint8Array, options: boolean): boolean {
    const known = stream.templates.get(id)
    if (known === undefined || known.options !== options || !sameBytes(known.definition, definition)) return false
    stream.templates.delete(id)
    stream.templates.set(id, known)
    return true
  }

  /** Keeps a template in place of an earlier one of the same id. */
  define(stream: Stream, id: number, definition: Uint8Array, fields: TemplateFields): void {
    if (stream.templates.get(id)?.isUsed) this.listener?.onTemplateGone(stream, id)
    this.#keep(stream, id, definition, fields)
    stream.counters.templates++
  }

  /** The first data for a template: now it is worth saving. Made-up templates have none. */
  noteUse(stream: Stream, id: number, template: Template): void {
    template.isUsed = true
    this.listener?.onTemplate(stream, id)
  }

  withdraw(stream: Stream, id: number): boolean {
    const known = stream.templates.get(id)
    if (known === undefined) return false
    stream.templates.delete(id)
    this.#templates--
    if (known.isUsed) this.listener?.onTemplateGone(stream, id)
    return true
  }

  /** After options data: rates by interface need flow templates that look theirs up. */
  readInterfaces(stream: Stream): void {
    stream.readsInterfaces = true
    for (const [id, template] of stream.templates) {
      if (template.options) continue
      const { definition: octets, options } = template
      const fields = fieldsOf({ protocol: protocolOf(stream), id, options, octets })
      if (fields !== null) template.replan({ ...fields, interfaces: true })
    }
  }

  /** Notes the uptime of a header: templates from before a restart of the service are dropped when the exporter has restarted as well. */
  noteUptime(stream: Stream, uptime: Uptime): void {
    if (stream.hasSavedTemplates && hasRestarted(stream, uptime)) {
      for (const id of [...stream.templates.keys()]) {
        this.withdraw(stream, id)
        this.#counters.templatesOutdated++
      }
    }
    stream.hasSavedTemplates = false
    stream.exportMs = uptime.exportMs
    stream.uptimeMs = uptime.uptimeMs
  }

  #keep(stream: Stream, id: number, definition: Uint8Array, fields: TemplateFields): Template {
    if (stream.templates.delete(id)) this.#templates--
    if (stream.templates.size >= this.#options.templatesPerStreamMax) this.#forgetOldestTemplate(stream)
    while (this.#templates >= this.#options.templatesMax && this.#evict(stream) > 0);
    if (this.#templates >= this.#options.templatesMax) this.#forgetOldestTemplate(stream)
    const read = stream.readsInterfaces ? { ...fields, interfaces: true } : fields
    const template = new Template(definition.slice(), read, stream.counters)
    stream.templates.set(id, template)
    this.#templates++
    return template
  }

  #open(protocol: number, address: string, port: number, domain: number): Stream {
    if (this.size >= this.#options.streamsMax) this.#evict(null)
    const counters = createStreamCounters()
    const linkBitsPerSecond = this.#options.linkBitsPerSecondOf(address, domain)
    const stream: Stream = {
      index: this.#free.pop() ?? this.list.length,
      address,
      port,
      domain,
      exportProtocol: protocol,
      name: this.evicted.nameOf(address),
      counters,
      sampling: this.#samplingOf(address, domain, counters),
      templates: new Map(),
      waiting: new WaitingRoom(counters),
      links: linkBitsPerSecond > 0 ? new LinkCheck(linkBitsPerSecond) : null,
      directions: null,
      lastMs: Number.NEGATIVE_INFINITY,
      bootMs: 0,
      exportMs: 0,
      uptimeMs: 0,
      clockAheadMs: 0,
      sequence: 0,
      sequenceLength: -1,
      sequenceOptions: 0,
      readsInterfaces: false,
      hasSavedTemplates: false,
    }
    this.list[stream.index] = stream
    const streams = this.#byAddress.get(address) ?? new Map<number, Stream>()
    streams.set(keyOf(protocol, port, domain), stream)
    this.#byAddress.set(address, streams)
    this.#joinDomains(stream, streams)
    if (this.#saved.size > 0) this.#takeUp(stream)
    return stream
  }

  /** Sampling of an exporter's domain 0, which counts for domains without rates. */
  #joinDomains(stream: Stream, siblings: ReadonlyMap<number, Stream>): void {
    const { exportProtocol, port, domain, sampling } = stream
    if (domain !== 0) {
      const whole = siblings.get(keyOf(exportProtocol, port, 0))
      sampling.parent = whole?.sampling ?? this.#savedSampling({ ...keyOfStream(stream), domain: 0 })
    } else {
      for (const sibling of siblings.values()) {
        const isOfSocket = sibling.exportProtocol === exportProtocol && sibling.port === port
        if (sibling !== stream && isOfSocket) sibling.sampling.parent = sampling
      }
    }
  }

  #samplingOf(address: string, domain: number, counters: StreamCounters): SamplingTable {
    const { samplersMax, samplingOverrideOf, exportedRates } = this.#options
    const options = {
      entriesMax: samplersMax,
      override: samplingOverrideOf(address, domain),
      asExported: exportedRates,
    }
    return new SamplingTable(options, { all: this.#counters, stream: counters })
  }

  /** Saved state of a stream without a datagram since a restart. */
  #savedSampling(key: StreamKey): SamplingTable | null {
    const saved = this.#saved.size > 0 ? this.#saved.get(textOf(key)) : undefined
    if (saved === undefined) return null
    const sampling = this.#samplingOf(key.address, key.domain, createStreamCounters())
    sampling.restore(saved.sampling)
    return sampling
  }

  /** Gives a stream what was known of it before a restart. */
  #takeUp(stream: Stream): void {
    const key = textOf(keyOfStream(stream))
    const saved = this.#saved.get(key)
    if (saved === undefined) return
    this.#saved.delete(key)
    stream.bootMs = saved.bootMs
    stream.exportMs = saved.exportMs
    stream.uptimeMs = saved.uptimeMs
    stream.sampling.restore(saved.sampling)
    stream.readsInterfaces = stream.sampling.byInterface
    for (const template of saved.templates.slice(0, this.#options.templatesPerStreamMax)) {
      const fields = fieldsOf({ protocol: saved.protocol, ...template })
      if (fields !== null) this.#keep(stream, template.id, template.octets, fields).isUsed = true
    }
    stream.hasSavedTemplates = stream.templates.size > 0
  }

  #forgetOldestTemplate(stream: Stream): void {
    const oldest = stream.templates.keys().next()
    if (oldest.done) return
    this.withdraw(stream, oldest.value)
    this.#counters.templatesEvicted++
  }

  /** Forgets a sixteenth of the streams, those with the oldest last datagram, so that a flood of new ones costs little each. Gives their number. */
  #evict(keep: Stream | null): number {
    this.#options.onEvict()
    const streams = this.list.filter((stream) => stream !== undefined && stream !== keep) as Stream[]
    streams.sort((a, b) => a.lastMs - b.lastMs)
    const evicted = streams.slice(0, Math.ceil(streams.length / 16))
    for (const stream of evicted) this.#forget(stream)
    return evicted.length
  }

  #forget(stream: Stream): void {
    this.waiting.forget(stream.waiting)
    this.evicted.add(stream)
    this.listener?.onEvicted(stream)
    this.#counters.streamsEvicted++
    this.#counters.templatesEvicted += stream.templates.size
    this.#templates -= stream.templates.size
    const streams = this.#byAddress.get(stream.address)
    streams?.delete(keyOf(stream.exportProtocol, stream.port, stream.domain))
    if (streams?.size === 0) this.#byAddress.delete(stream.address)
    this.list[stream.index] = undefined
    this.#free.push(stream.index)
    if (this.#last === stream) this.#last = null
  }
}

export function protocolOf({ exportProtocol }: Stream): ExportProtocol {
  return exportProtocols[exportProtocol]
}

export function keyOfStream(stream: Stream): StreamKey {
  const { address, port, domain } = stream
  return { protocol: protocolOf(stream), address, port, domain }
}

/** Protocol in 2 bits, port in 16 and domain in 32: exact as a number. */
function keyOf(protocol: number, port: number, domain: number): number {
  return (protocol * 2 ** 16 + port) * 2 ** 32 + domain
}

function textOf({ protocol, address, port, domain }: StreamKey): string {
  return `${protocol} ${address} ${port} ${domain}`
}

function sameBytes(a: Uint8Array, b: Uint8Array): boolean {
  if (a.length !== b.length) return false
  for (let i = 0; i < a.length; i++) if (a[i] !== b[i]) return false
  return true
}

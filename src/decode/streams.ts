// Streams: one for each observation domain of an exporter's socket, with its templates, samplers, sequence and counters (RFC 7011 section 8:
// templates belong to a transport session and a domain). All of it bounded: the address with most of it makes room, and what has sent records for
// long enough gives way to no newcomer.
import { type Crowding, FairTable, type Place } from '../fair-table.ts'
import { EvictedCounters } from './counter-sums.ts'
import { createStreamCounters, type DecoderCounters, type StreamCounters } from './counters.ts'
import { RememberedStreams } from './remembered-streams.ts'
import { noteUptime } from './restarts.ts'
import { SamplerPlaces, type StreamSamplers } from './sampling/sampler-places.ts'
import { SamplingTable } from './sampling/sampling.ts'
import type { SavedStream, StreamKey } from './saved-streams.ts'
import {
  createStream,
  keyOfStream,
  protocolOf,
  provesNow,
  type Stream,
  savedStateOf,
  savedTemplatesOf,
  takeForProved,
} from './stream.ts'
import { fieldsOf } from './templates/definition.ts'
import { LinkCheck } from './templates/link-check.ts'
import { Template } from './templates/stream-template.ts'
import type { TemplateFields } from './templates/template.ts'
import { hasRestarted, type Uptime } from './times/uptime.ts'
import { type WaitingLimits, WaitingSets } from './waiting-sets.ts'

export interface StreamLimits extends WaitingLimits {
  streamsMax: number
  /** Most templates of one stream. */
  templatesPerStreamMax: number
  /** Most templates of all streams together. */
  templatesMax: number
  /** Most samplers of one stream. */
  samplersPerStreamMax: number
  /** Most samplers of all streams together. */
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

/** A template as one of all that are kept. */
interface KeptTemplate {
  stream: Stream
  id: number
}

/** Who crowds the tables of the streams. */
export type StreamCrowding = {
  streams: Crowding
  templates: Crowding
  samplers: Crowding
  waiting: Crowding
}

/** What has proved itself and was silent for as long may be replaced, milliseconds. */
const idleMs = 3_600_000
/** How exact the last use of a stream or template is known, milliseconds: of a newcomer, and of one that has proved itself. */
const touchMs = { newcomer: 10, proven: 1_000 } as const

export class StreamTable {
  /** By place; undefined: free. */
  readonly list: (Stream | undefined)[] = []
  readonly evicted = new EvictedCounters()
  readonly waiting: WaitingSets
  readonly #options: StreamTableOptions
  readonly #counters: DecoderCounters
  /** By address, then by protocol, port and domain. */
  readonly #byAddress = new Map<string, Map<number, Stream>>()
  readonly #free: number[] = []
  readonly #remembered: RememberedStreams
  readonly #places: FairTable<Stream>
  readonly #templatePlaces: FairTable<KeptTemplate>
  readonly #samplerPlaces: SamplerPlaces
  /** Sampling of streams that are remembered: one table for all that count by it. */
  readonly #rememberedSampling = new WeakMap<SavedStream, SamplingTable>()
  #last: Stream | null = null

  constructor(options: StreamTableOptions, counters: DecoderCounters) {
    this.#options = options
    this.#counters = counters
    this.waiting = new WaitingSets(options)
    const { streamsMax, templatesMax, samplersMax } = options
    this.#remembered = new RememberedStreams(streamsMax + templatesMax + samplersMax)
    this.#places = new FairTable({
      ...boundsOf(streamsMax),
      idleMs,
      onGiveWay: (stream) => this.#forget(stream),
    })
    this.#templatePlaces = new FairTable({
      ...boundsOf(templatesMax),
      onGiveWay: ({ stream, id }) => this.#evictTemplate(stream, id),
    })
    this.#samplerPlaces = new SamplerPlaces(boundsOf(samplersMax))
  }

  get size(): number {
    return this.list.length - this.#free.length
  }

  /** Templates of all streams. */
  get templates(): number {
    return this.#templatePlaces.size
  }

  /** Whether newcomers have little room left. */
  get isCrowded(): boolean {
    return this.size >= newcomersFrom(this.#options.streamsMax)
  }

  crowding(): StreamCrowding {
    return {
      streams: this.#places.crowding(),
      templates: this.#templatePlaces.crowding(),
      samplers: this.#samplerPlaces.crowding(),
      waiting: this.waiting.crowding(),
    }
  }

  /** The stream, made when it is new. `protocol`: an index into `exportProtocols`. */
  of(protocol: number, address: string, port: number, domain: number, nowMs: number): Stream {
    const stream = this.#find(protocol, address, port, domain) ?? this.#open(protocol, address, port, domain, nowMs)
    stream.lastMs = nowMs
    this.#touch(stream, nowMs)
    this.#last = stream
    return stream
  }

  #find(protocol: number, address: string, port: number, domain: number): Stream | undefined {
    const last = this.#last
    if (last !== null && last.domain === domain && last.port === port && last.exportProtocol === protocol) {
      if (last.address === address) return last
    }
    return this.#byAddress.get(address)?.get(keyOf(protocol, port, domain))
  }

  /** After a datagram with records. A stream that has sent some for long enough has proved itself, and so have its templates. */
  noteRecords(stream: Stream, nowMs: number): void {
    if (stream.place !== null && provesNow(stream, nowMs)) this.#prove(stream, nowMs)
  }

  /** Restores the state of an earlier process (see `checkSaved`); each stream takes its own with its first datagram. */
  restore(streams: readonly SavedStream[]): void {
    for (const stream of streams) this.#remembered.keep(stream)
  }

  /** True when the stream has this very template; it then counts as defined just now. */
  renew(stream: Stream, id: number, definition: Uint8Array, options: boolean): boolean {
    const known = stream.templates.get(id)
    if (known === undefined || known.options !== options || !sameBytes(known.definition, definition)) return false
    stream.templates.delete(id)
    stream.templates.set(id, known)
    if (known.place !== null) this.#templatePlaces.touch(known.place, stream.lastMs)
    return true
  }

  /** Keeps a template in place of an earlier one of the same id. */
  define(stream: Stream, id: number, definition: Uint8Array, fields: TemplateFields): void {
    if (stream.templates.get(id)?.isUsed) stream.templatesVersion++
    this.#keep(stream, id, definition, fields)
    stream.counters.templates++
  }

  /** Data for a template. With the first it is worth saving: made-up templates have none. */
  noteUse(stream: Stream, template: Template): void {
    const { place } = template
    if (place !== null && isTouchDue(place, stream.lastMs)) this.#templatePlaces.touch(place, stream.lastMs)
    if (template.isUsed) return
    template.isUsed = true
    if (stream.place?.isProven && place !== null) this.#templatePlaces.prove(place, stream.lastMs)
    stream.templatesVersion++
  }

  withdraw(stream: Stream, id: number): boolean {
    const known = stream.templates.get(id)
    if (known === undefined) return false
    this.#drop(stream, id, known)
    if (known.isUsed) stream.templatesVersion++
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
    noteUptime(stream, uptime)
  }

  #keep(stream: Stream, id: number, definition: Uint8Array, fields: TemplateFields): Template {
    const known = stream.templates.get(id)
    if (known !== undefined) this.#drop(stream, id, known)
    if (stream.templates.size >= this.#options.templatesPerStreamMax) this.#forgetOldestTemplate(stream)
    const read = stream.readsInterfaces ? { ...fields, interfaces: true } : fields
    const template = new Template(definition.slice(), read, stream.counters)
    template.place = this.#templatePlaces.take({ stream, id }, { holder: stream.address, nowMs: stream.lastMs })
    stream.templates.set(id, template)
    return template
  }

  #drop(stream: Stream, id: number, { place }: Template): void {
    stream.templates.delete(id)
    if (place !== null) this.#templatePlaces.leave(place)
  }

  #touch({ place }: Stream, nowMs: number): void {
    if (place !== null && isTouchDue(place, nowMs)) this.#places.touch(place, nowMs)
  }

  #prove({ place, templates, sampling }: Stream, nowMs: number): void {
    if (place === null || !this.#places.prove(place, nowMs)) return
    for (const template of templates.values()) {
      if (template.isUsed && template.place !== null) this.#templatePlaces.prove(template.place, nowMs)
    }
    sampling.prove(nowMs)
  }

  #open(protocol: number, address: string, port: number, domain: number, nowMs: number): Stream {
    this.#places.makeRoom(address)
    const counters = createStreamCounters()
    const linkBitsPerSecond = this.#options.linkBitsPerSecondOf(address, domain)
    const samplers = this.#samplerPlaces.of(address, () => stream.place?.isProven === true)
    const stream: Stream = createStream({
      index: this.#free.pop() ?? this.list.length,
      ...{ address, port, domain, exportProtocol: protocol, name: this.evicted.nameOf(address), counters, nowMs },
      sampling: this.#samplingOf({ address, domain }, counters, samplers),
      links: linkBitsPerSecond > 0 ? new LinkCheck(linkBitsPerSecond) : null,
    })
    stream.place = this.#places.take(stream, { holder: address, nowMs })
    this.list[stream.index] = stream
    const streams = this.#byAddress.get(address) ?? new Map<number, Stream>()
    streams.set(keyOf(protocol, port, domain), stream)
    this.#byAddress.set(address, streams)
    this.#joinDomains(stream, streams)
    if (!this.#remembered.isEmpty) this.#takeUp(stream)
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

  #samplingOf(
    { address, domain }: Pick<StreamKey, 'address' | 'domain'>,
    counters: StreamCounters,
    places: StreamSamplers | null,
  ): SamplingTable {
    const { samplersPerStreamMax, samplingOverrideOf, exportedRates } = this.#options
    const options = {
      entriesMax: samplersPerStreamMax,
      override: samplingOverrideOf(address, domain),
      asExported: exportedRates,
      places,
    }
    return new SamplingTable(options, { all: this.#counters, stream: counters })
  }

  /** The sampling of a stream that is not in the table. */
  #savedSampling(key: StreamKey): SamplingTable | null {
    const saved = this.#remembered.get(key)
    if (saved === null) return null
    const known = this.#rememberedSampling.get(saved)
    if (known !== undefined) return known
    const sampling = this.#samplingOf(key, createStreamCounters(), null)
    sampling.restore(saved.sampling, saved.seenMs)
    this.#rememberedSampling.set(saved, sampling)
    return sampling
  }

  /** Gives a stream what was known of it before a restart, or before it made room. */
  #takeUp(stream: Stream): void {
    const saved = this.#remembered.take(keyOfStream(stream))
    if (saved === null) return
    stream.bootMs = saved.bootMs
    stream.exportMs = saved.exportMs
    stream.uptimeMs = saved.uptimeMs
    stream.sampling.restore(saved.sampling, stream.lastMs)
    stream.readsInterfaces = stream.sampling.byInterface
    for (const template of saved.templates.slice(0, this.#options.templatesPerStreamMax)) {
      const fields = fieldsOf({ protocol: saved.protocol, ...template })
      if (fields === null) continue
      this.#keep(stream, template.id, template.octets, fields).isUsed = true
      stream.templatesVersion++
    }
    stream.hasSavedTemplates = stream.templates.size > 0
    if (!saved.isProven) return
    takeForProved(stream)
    this.#prove(stream, stream.lastMs)
  }

  /** Keeps what is known of a stream that makes room, as far as records came by it. */
  #remember(stream: Stream): void {
    const templates = savedTemplatesOf(stream)
    if (templates.length > 0) this.#remembered.keep({ ...savedStateOf(stream), templates })
  }

  #forgetOldestTemplate(stream: Stream): void {
    const oldest = stream.templates.keys().next()
    if (oldest.done) return
    this.#evictTemplate(stream, oldest.value)
  }

  /** It is still worth its row in the store: a restart brings it back. */
  #evictTemplate(stream: Stream, id: number): void {
    const known = stream.templates.get(id)
    if (known === undefined) return
    this.#drop(stream, id, known)
    this.#counters.templatesEvicted++
  }

  /** Its place has passed on to another. */
  #forget(stream: Stream): void {
    this.#options.onEvict()
    this.#remember(stream)
    this.waiting.forget(stream.waiting)
    this.evicted.add(stream)
    this.#counters.streamsEvicted++
    this.#counters.templatesEvicted += stream.templates.size
    for (const { place } of stream.templates.values()) if (place !== null) this.#templatePlaces.leave(place)
    stream.sampling.leave()
    const streams = this.#byAddress.get(stream.address)
    streams?.delete(keyOf(stream.exportProtocol, stream.port, stream.domain))
    if (streams?.size === 0) this.#byAddress.delete(stream.address)
    this.list[stream.index] = undefined
    this.#free.push(stream.index)
    if (this.#last === stream) this.#last = null
  }
}

/** Protocol in 2 bits, port in 16 and domain in 32: exact as a number. */
function keyOf(protocol: number, port: number, domain: number): number {
  return (protocol * 2 ** 16 + port) * 2 ** 32 + domain
}

function isTouchDue({ isProven, usedMs }: Place<unknown>, nowMs: number): boolean {
  return Math.abs(nowMs - usedMs) >= (isProven ? touchMs.proven : touchMs.newcomer)
}

/** Where the room begins that is kept for newcomers. */
function newcomersFrom(max: number): number {
  return Math.floor((max * 3) / 4)
}

function boundsOf(max: number) {
  return { max, provenMax: newcomersFrom(max) }
}

function sameBytes(a: Uint8Array, b: Uint8Array): boolean {
  if (a.length !== b.length) return false
  for (let i = 0; i < a.length; i++) if (a[i] !== b[i]) return false
  return true
}

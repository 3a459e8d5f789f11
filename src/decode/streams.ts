// Streams: one for each observation domain of an exporter's socket, with its templates, samplers, sequence and counters (RFC 7011 section 8:
// templates belong to a transport session and a domain). All of it bounded: what was used longest ago makes room.
import { createStreamCounters, type DecoderCounters, type StreamCounters } from './counters.ts'
import { SamplingTable } from './sampling.ts'
import { compileTemplate, type Plan, type TemplateFields } from './template.ts'

export interface StreamLimits {
  streamsMax: number
  /** Of one stream. */
  templatesPerStreamMax: number
  /** Of all streams together. */
  templatesMax: number
  /** Of one stream. */
  samplersMax: number
}

export interface Stream {
  /** Place in the table: what the batch's `exporter` column holds. */
  readonly index: number
  readonly address: string
  readonly port: number
  /** Observation domain (IPFIX), source id (NetFlow v9), engine (NetFlow v5), sub-agent (sFlow). */
  readonly domain: number
  readonly counters: StreamCounters
  readonly sampling: SamplingTable
  /** By id, the one defined longest ago first. */
  readonly templates: Map<number, Template>
  /** Index into `exportProtocols` of the last datagram. */
  exportProtocol: number
  lastMs: number
  /** When the exporter started, by its options data; 0: unknown. */
  bootMs: number
  /** How far the exporter's clock was ahead of ours at the last datagram, milliseconds; 0 for protocols without a clock. */
  clockAheadMs: number
  /** Of the last datagram: see `expectSequence`. */
  sequence: number
  sequenceLength: number
  sequenceOptions: number
}

export interface Template {
  /** The template record as it came. */
  definition: Uint8Array
  options: boolean
  plan: Plan
}

export class StreamTable {
  /** By place; undefined: free. */
  readonly list: (Stream | undefined)[] = []
  readonly #limits: StreamLimits
  readonly #counters: DecoderCounters
  readonly #onEvict: () => void
  /** By address, then by port and domain. */
  readonly #byAddress = new Map<string, Map<number, Stream>>()
  readonly #free: number[] = []
  #templates = 0
  #last: Stream | null = null

  /** `onEvict` is called before a place in the table may pass on to another stream. */
  constructor(limits: StreamLimits, counters: DecoderCounters, onEvict: () => void) {
    this.#limits = limits
    this.#counters = counters
    this.#onEvict = onEvict
  }

  get size(): number {
    return this.list.length - this.#free.length
  }

  /** Templates of all streams. */
  get templates(): number {
    return this.#templates
  }

  /** The stream, made when it is new. */
  of(address: string, port: number, domain: number): Stream {
    const last = this.#last
    if (last !== null && last.domain === domain && last.port === port && last.address === address) return last
    const stream = this.#byAddress.get(address)?.get(keyOf(port, domain)) ?? this.#open(address, port, domain)
    this.#last = stream
    return stream
  }

  /** True when the stream has this very template; it then counts as defined just now. */
  renew(stream: Stream, id: number, definition: Uint8Array, options: boolean): boolean {
    const known = stream.templates.get(id)
    if (known === undefined || known.options !== options || !sameBytes(known.definition, definition)) return false
    stream.templates.delete(id)
    stream.templates.set(id, known)
    return true
  }

  /** Compiles and keeps a template in place of an earlier one of the same id. */
  define(stream: Stream, id: number, definition: Uint8Array, fields: TemplateFields): void {
    this.withdraw(stream, id)
    if (stream.templates.size >= this.#limits.templatesPerStreamMax) this.#forgetOldestTemplate(stream)
    while (this.#templates >= this.#limits.templatesMax && this.#evict(stream) > 0);
    if (this.#templates >= this.#limits.templatesMax) this.#forgetOldestTemplate(stream)
    const plan = compileTemplate(fields)
    stream.templates.set(id, { definition: definition.slice(), options: fields.options, plan })
    this.#templates++
    stream.counters.templates++
    stream.counters.unknownFields += plan.unknownFields
  }

  withdraw(stream: Stream, id: number): boolean {
    const known = stream.templates.delete(id)
    if (known) this.#templates--
    return known
  }

  #open(address: string, port: number, domain: number): Stream {
    if (this.size >= this.#limits.streamsMax) this.#evict(null)
    const index = this.#free.pop() ?? this.list.length
    const stream: Stream = {
      index,
      address,
      port,
      domain,
      counters: createStreamCounters(),
      sampling: new SamplingTable(this.#limits.samplersMax, this.#counters),
      templates: new Map(),
      exportProtocol: 0,
      lastMs: Number.NEGATIVE_INFINITY,
      bootMs: 0,
      clockAheadMs: 0,
      sequence: 0,
      sequenceLength: -1,
      sequenceOptions: 0,
    }
    this.list[index] = stream
    const streams = this.#byAddress.get(address) ?? new Map<number, Stream>()
    streams.set(keyOf(port, domain), stream)
    this.#byAddress.set(address, streams)
    return stream
  }

  #forgetOldestTemplate(stream: Stream): void {
    const oldest = stream.templates.keys().next()
    if (oldest.done) return
    this.withdraw(stream, oldest.value)
    this.#counters.templatesEvicted++
  }

  /** Forgets a sixteenth of the streams, those heard of longest ago, so that a flood of new ones costs little each. Gives how many. */
  #evict(keep: Stream | null): number {
    this.#onEvict()
    const streams = this.list.filter((stream) => stream !== undefined && stream !== keep) as Stream[]
    streams.sort((a, b) => a.lastMs - b.lastMs)
    const evicted = streams.slice(0, Math.ceil(streams.length / 16))
    for (const stream of evicted) this.#forget(stream)
    return evicted.length
  }

  #forget(stream: Stream): void {
    this.#counters.streamsEvicted++
    this.#counters.templatesEvicted += stream.templates.size
    this.#templates -= stream.templates.size
    const streams = this.#byAddress.get(stream.address)
    streams?.delete(keyOf(stream.port, stream.domain))
    if (streams?.size === 0) this.#byAddress.delete(stream.address)
    this.list[stream.index] = undefined
    this.#free.push(stream.index)
    if (this.#last === stream) this.#last = null
  }
}

/** Port in 16 bits above a domain of 32: exact as a number. */
function keyOf(port: number, domain: number): number {
  return port * 2 ** 32 + domain
}

function sameBytes(a: Uint8Array, b: Uint8Array): boolean {
  if (a.length !== b.length) return false
  for (let i = 0; i < a.length; i++) if (a[i] !== b[i]) return false
  return true
}

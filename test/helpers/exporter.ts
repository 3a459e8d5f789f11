// Our own exporter, the other half of src/decode: NetFlow v5 and v9, IPFIX and sFlow v5 from plain flows, for tests, benches and the demo. It
// keeps what a real one keeps: sequence numbers, templates that it repeats, its start, its sampling.

import {
  encodeMessage,
  type Field,
  type MessageHeader,
  type Record,
  type TemplateSpec,
} from '../../src/encode/messages.ts'
import { addressBytes, isIpv6 } from '../../src/encode/writer.ts'
import type { ExportProtocol } from '../../src/flow/columns.ts'
import { chunks, type Flow, fullFlow } from './encode/flow.ts'
import { encodeNetflow5 } from './encode/netflow5.ts'
import { encodeSflow5 } from './encode/sflow5.ts'

export { encodeMessage } from '../../src/encode/messages.ts'
export type { Flow } from './encode/flow.ts'
export { encodeNetflow5 } from './encode/netflow5.ts'
export { encodeSflow5 } from './encode/sflow5.ts'

export interface ExporterOptions {
  protocol: ExportProtocol
  /** 1 of how many packets; 0: it does not say. */
  samplingRate?: number
  /** How a rate is told in NetFlow v9 and IPFIX: for the whole exporter, by a sampler's number, or in each record. */
  sampling?: 'option' | 'sampler' | 'record'
  /** Source id, observation domain, engine id or sub-agent. */
  domain?: number
  /** The exporter's start; an hour before the first export when left out. */
  bootMs?: number
  /** Templates (and options) come with the first of every `templateEvery` datagrams. */
  templateEvery?: number
  recordsMax?: number
  /** NetFlow v9 and IPFIX: records tell of interfaces, autonomous systems and directions. */
  tellsOrigin?: boolean
}

const samplerNumber = 1

export class Exporter {
  readonly #options: ExporterOptions
  #bootMs: number | undefined
  /** Records (NetFlow v5, IPFIX) or datagrams (NetFlow v9, sFlow) so far. */
  #sequence = 0
  #datagrams = 0

  constructor(options: ExporterOptions) {
    this.#options = options
    this.#bootMs = options.bootMs
  }

  /** The datagrams that carry these flows, exported at `nowMs`. */
  datagrams(flows: readonly Flow[], nowMs: number): Uint8Array[] {
    const { protocol, samplingRate = 0, domain = 0, recordsMax } = this.#options
    this.#bootMs ??= nowMs - 3_600_000
    const common = { nowMs, bootMs: this.#bootMs, sequence: this.#sequence, samplingRate }
    if (protocol === 'netflow5') {
      this.#sequence += flows.length
      return encodeNetflow5(flows, { ...common, engineId: domain, ...(recordsMax && { recordsMax }) })
    }
    if (protocol === 'sflow5') {
      const samples = encodeSflow5(flows, {
        ...common,
        subAgent: domain,
        ...(recordsMax && { samplesMax: recordsMax }),
      })
      this.#sequence += samples.length
      return samples
    }
    return chunks(flows, recordsMax ?? 24).map((part) => this.#message(part, protocol === 'ipfix' ? 10 : 9, nowMs))
  }

  #message(flows: readonly Flow[], version: 9 | 10, nowMs: number): Uint8Array {
    const { domain = 0, samplingRate = 0, sampling = 'option', templateEvery = 20, tellsOrigin } = this.#options
    const bootMs = this.#bootMs ?? nowMs
    const header: MessageHeader = { version, nowMs, bootMs, domain, sequence: this.#sequence }
    const extra = samplingRate === 0 ? [] : extraFields(sampling)
    const fields = tellsOrigin ? [...extra, ...originFields] : extra
    const templates = { 4: flowTemplate(version, 4, fields), 6: flowTemplate(version, 6, fields) }
    const records = flows.map((flow): Record => {
      const full = fullFlow(flow, nowMs)
      const { srcPort, dstPort, ipProto, tcpFlags, bytes, packets, startMs, endMs } = full
      const times = version === 9 ? [startMs - bootMs, endMs - bootMs] : [startMs, endMs]
      const extras = extra.map(({ id }) => (id === 34 ? samplingRate : samplerNumber))
      const addresses = [addressBytes(full.src), addressBytes(full.dst)]
      const origin = [full.ingressInterface, full.egressInterface, full.sourceAs, full.direction]
      const more = [...times, ...extras, ...(tellsOrigin ? origin : [])]
      const values = [...addresses, srcPort, dstPort, ipProto, tcpFlags, bytes, packets, ...more]
      return { template: isIpv6(full.src) ? templates[6] : templates[4], values }
    })
    const withTemplates = this.#datagrams++ % templateEvery === 0
    const options = withTemplates && samplingRate > 0 ? samplingOptions(version, sampling, samplingRate) : []
    this.#sequence += version === 9 ? 1 : records.length + options.length
    return encodeMessage(header, {
      templates: withTemplates ? [templates[4], templates[6], ...options.map(({ template }) => template)] : [],
      records: [...options, ...records],
    })
  }
}

const originFields: readonly Field[] = [
  { id: 10, length: 4 },
  { id: 14, length: 4 },
  { id: 16, length: 4 },
  { id: 61, length: 1 },
]

/** What a record has for its sampling. */
function extraFields(sampling: 'option' | 'sampler' | 'record'): Field[] {
  if (sampling === 'sampler') return [{ id: 48, length: 1 }]
  return sampling === 'record' ? [{ id: 34, length: 4 }] : []
}

function flowTemplate(version: 9 | 10, ip: 4 | 6, extra: readonly Field[]): TemplateSpec {
  const [src, dst, length] = ip === 4 ? [8, 12, 4] : [27, 28, 16]
  const [start, end, timeLength] = version === 9 ? [22, 21, 4] : [152, 153, 8]
  const fields: Field[] = [
    { id: src, length },
    { id: dst, length },
    { id: 7, length: 2 },
    { id: 11, length: 2 },
    { id: 4, length: 1 },
    { id: 6, length: 1 },
    { id: 1, length: 8 },
    { id: 2, length: 8 },
    { id: start, length: timeLength },
    { id: end, length: timeLength },
    ...extra,
  ]
  return { id: ip === 4 ? 256 : 257, fields }
}

/** The options template that tells the rate, with its record. The scope is the exporter: "System" in NetFlow v9, its id in IPFIX. */
function samplingOptions(version: 9 | 10, sampling: 'option' | 'sampler' | 'record', rate: number): Record[] {
  if (sampling === 'record') return []
  const scope = version === 9 ? { id: 1, length: 4 } : { id: 144, length: 4 }
  if (sampling === 'option') {
    return [{ template: { id: 258, scopes: 1, fields: [scope, { id: 34, length: 4 }] }, values: [0, rate] }]
  }
  const fields = [scope, { id: 48, length: 1 }, { id: 49, length: 1 }, { id: 50, length: 4 }]
  return [{ template: { id: 258, scopes: 1, fields }, values: [0, samplerNumber, 2, rate] }]
}

// From datagrams to batches of flow records: finds out the protocol, keeps the exporters' streams, and survives whatever arrives. Does no input or
// output of its own; all that it keeps is bounded.
import type { Batch } from '../flow/batch.ts'
import { type ExportProtocol, exportProtocols } from '../flow/columns.ts'
import { createDecoderCounters, type DecoderCounters } from './counters.ts'
import type { DatagramContext } from './finish.ts'
import { decodeIpfix, ipfixDomain, ipfixHeaderLength } from './ipfix.ts'
import { decodeNetflow5, netflow5Domain, netflow5HeaderLength } from './netflow5.ts'
import { decodeNetflow9, netflow9Domain, netflow9HeaderLength } from './netflow9.ts'
import type { TunnelSide } from './packet-header.ts'
import { RowWriter } from './row-writer.ts'
import { SetReader } from './set-reader.ts'
import { decodeSflow5, sflow5Domain, sflow5HeaderLengthMin } from './sflow5.ts'
import { StreamTable, type StreamTableOptions } from './streams.ts'

export interface DecoderOptions extends Omit<StreamTableOptions, 'exportedRates' | 'onEvict'> {
  /** Is given the batch when it is full, or flushed; the batch is valid until it returns. */
  sink: (batch: Batch) => void
  /** Rows of the batch. */
  batchRows: number
  /** Leave times and sampling rates as they were exported, however odd, instead of making them safe to count by. */
  exportedTimes: boolean
  /** Records of two directions give a row for each; else only for the way there. */
  wayBack: boolean
  /** Which IPv4 destinations are of use to the sink: records for others may be left out, and are counted all the same; null: all are. */
  wanted: ((address: number) => boolean) | null
  /** Whether a sampled packet that carries another through a tunnel is told as the one on the wire, or as the one inside. */
  tunnels: TunnelSide
}

const defaults = {
  batchRows: 1_024,
  samplingOverrideOf: () => 0,
  linkBitsPerSecondOf: () => 0,
  exportedTimes: false,
  wayBack: true,
  wanted: null,
  tunnels: 'outer' as const,
  streamsMax: 4_096,
  templatesPerStreamMax: 1_024,
  templatesMax: 16_384,
  samplersMax: 1_024,
  waitingBytesMax: 32 << 20,
  waitingBytesPerStreamMax: 16 << 20,
  waitingMs: 300_000,
}

/** Where a datagram comes from, and when it came. */
export interface Datagram {
  address: string
  port: number
  /** Unix milliseconds. */
  receivedMs: number
}

export class Decoder {
  readonly counters: DecoderCounters = createDecoderCounters()
  readonly streams: StreamTable
  readonly #rows: RowWriter

  constructor(options: Partial<DecoderOptions> & Pick<DecoderOptions, 'sink'>) {
    const { sink, batchRows, exportedTimes, wayBack, wanted, tunnels, ...limits } = {
      ...defaults,
      ...options,
    }
    this.#rows = new RowWriter({ sink, capacity: batchRows, exportedTimes, wayBack, wanted, tunnels })
    const onEvict = () => this.flush()
    this.streams = new StreamTable({ ...limits, exportedRates: exportedTimes, onEvict }, this.counters)
  }

  /** Decodes one datagram; never throws. Keeps nothing of the view. */
  decode(view: DataView, datagram: Datagram): void {
    this.counters.datagrams++
    this.counters.bytes += view.byteLength
    const protocol = protocolOf(view)
    if (protocol === null) {
      this.counters[refusedVersionOf(view)]++
      return
    }
    if (view.byteLength < headerLengths[protocol]) {
      this.counters.tooShort++
      return
    }
    try {
      this.#decode(view, datagram, protocol)
    } catch {
      // A bug of ours: the datagram is dropped whole, and the count shows it.
      this.counters.failures++
      this.#rows.discard()
    }
  }

  /** Hands the part-filled batch to the sink and clears it. */
  flush(): void {
    this.#rows.flush()
  }

  #decode(view: DataView, { address, port, receivedMs }: Datagram, protocol: ExportProtocol): void {
    const exportProtocol = exportProtocols.indexOf(protocol)
    const stream = this.streams.of(exportProtocol, address, port, domains[protocol](view))
    stream.counters.datagrams++
    stream.counters.bytes += view.byteLength
    stream.lastMs = receivedMs
    if (this.streams.waiting.size > 0) this.streams.waiting.expire(receivedMs)
    const context: DatagramContext = {
      exportProtocol,
      receivedMs,
      exportMs: receivedMs,
      uptimeMs: Number.NaN,
      bootMs: 0,
      sampling: stream.sampling,
      template: 0,
    }
    const message = { view, stream, context }
    if (protocol === 'netflow5') decodeNetflow5(message, this.#rows)
    else if (protocol === 'netflow9') decodeNetflow9(message, new SetReader(this.streams, this.#rows, message))
    else if (protocol === 'ipfix') decodeIpfix(message, new SetReader(this.streams, this.#rows, message))
    else decodeSflow5(message, this.#rows)
    stream.clockAheadMs = context.exportMs - receivedMs
  }
}

const headerLengths: Record<ExportProtocol, number> = {
  netflow5: netflow5HeaderLength,
  netflow9: netflow9HeaderLength,
  ipfix: ipfixHeaderLength,
  sflow5: sflow5HeaderLengthMin,
}

const domains: Record<ExportProtocol, (view: DataView) => number> = {
  netflow5: netflow5Domain,
  netflow9: netflow9Domain,
  ipfix: ipfixDomain,
  sflow5: sflow5Domain,
}

/** By the version word, whatever the port: 16 bits, or 32 in sFlow. */
function protocolOf(view: DataView): ExportProtocol | null {
  if (view.byteLength < 4) return null
  switch (view.getUint16(0)) {
    case 5:
      return 'netflow5'
    case 9:
      return 'netflow9'
    case 10:
      return 'ipfix'
    case 0:
      return view.getUint16(2) === 5 ? 'sflow5' : null
    default:
      return null
  }
}

const refusedNetflow = { 1: 'netflow1', 6: 'netflow6', 7: 'netflow7', 8: 'netflow8' } as const
const refusedSflow = { 2: 'sflow2', 4: 'sflow4' } as const

/** Which counter a datagram belongs to that is of no protocol of ours. */
function refusedVersionOf(view: DataView): keyof DecoderCounters {
  if (view.byteLength < 4) return 'unknownVersion'
  const version = view.getUint16(0)
  const refused: Record<number, keyof DecoderCounters> = version === 0 ? refusedSflow : refusedNetflow
  return refused[version === 0 ? view.getUint16(2) : version] ?? 'unknownVersion'
}

// Decodes datagrams to batches of flow records: recognises the protocol, keeps the exporters' streams, and survives whatever arrives. It does no input or output,
// and all that it keeps is bounded.
import type { Away } from '../flow/away.ts'
import type { Batch } from '../flow/batch.ts'
import { type ExportProtocol, exportProtocols } from '../flow/columns.ts'
import { createDecoderCounters, type DecoderCounters, recordsOf } from './counters.ts'
import { decodeIpfix, ipfixDomain, ipfixHeaderLength, ipfixTime } from './formats/ipfix.ts'
import { decodeNetflow5, netflow5Domain, netflow5HeaderLength, netflow5Time } from './formats/netflow5.ts'
import { decodeNetflow9, netflow9Domain, netflow9HeaderLength, netflow9Time } from './formats/netflow9.ts'
import type { TunnelSide } from './formats/packet-header.ts'
import { type Message, SetReader } from './formats/set-reader.ts'
import { decodeSflow5, sflow5Domain, sflow5HeaderLengthMin, sflow5Time } from './formats/sflow5.ts'
import { isSecondCounted } from './stream.ts'
import { StreamTable, type StreamTableOptions } from './streams.ts'
import type { DatagramContext } from './templates/finish.ts'
import { type ChooseDestinations, RowWriter } from './templates/row-writer.ts'
import { settleWholeRead } from './whole-reads.ts'

export interface DecoderOptions extends Omit<StreamTableOptions, 'exportedRates' | 'onEvict'> {
  /** Called with the batch when it is full, or flushed; the batch is valid until it returns. */
  sink: (batch: Batch) => void
  /** Rows of the batch. */
  batchRows: number
  /** Leave times and sampling rates as they were exported, however odd, instead of making them safe to count by. */
  exportedTimes: boolean
  /** Records of two directions give a row for each; else only for the way there. */
  wayBack: boolean
  /** IPv4 destinations that the sink needs: records for others are counted and may be left out. Null: all. */
  choose: ChooseDestinations | null
  /** Whether a sampled packet with a tunnel counts as the packet on the wire, or as the one inside. */
  tunnels: TunnelSide
}

const defaults = {
  batchRows: 1_024,
  samplingOverrideOf: () => 0,
  linkBitsPerSecondOf: () => 0,
  exportedTimes: false,
  wayBack: true,
  choose: null,
  tunnels: 'outer' as const,
  streamsMax: 4_096,
  templatesPerStreamMax: 1_024,
  templatesMax: 16_384,
  samplersPerStreamMax: 1_024,
  samplersMax: 16_384,
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
  /** When nobody read, last, so that it may have waited; null: it has come just now. */
  away?: Away | null
}

export class Decoder {
  readonly counters: DecoderCounters = createDecoderCounters()
  readonly streams: StreamTable
  readonly #rows: RowWriter
  readonly #exportedTimes: boolean

  constructor(options: Partial<DecoderOptions> & Pick<DecoderOptions, 'sink'>) {
    const { sink, batchRows, exportedTimes, wayBack, choose, tunnels, ...limits } = {
      ...defaults,
      ...options,
    }
    this.#exportedTimes = exportedTimes
    this.#rows = new RowWriter({ sink, capacity: batchRows, exportedTimes, wayBack, choose, tunnels })
    const onEvict = () => this.flush()
    this.streams = new StreamTable({ ...limits, exportedRates: exportedTimes, onEvict }, this.counters)
  }

  /** Decodes one datagram; never throws. Keeps nothing of the view. */
  decode(view: DataView, datagram: Datagram): void {
    this.counters.datagrams++
    this.counters.bytes += view.byteLength
    const exportProtocol = protocolOf(view)
    if (exportProtocol < 0) {
      this.counters[refusedVersionOf(view)]++
      return
    }
    if (view.byteLength < formats[exportProtocol].headerLength) {
      this.counters.tooShort++
      return
    }
    try {
      this.#decode(view, datagram, exportProtocol)
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

  /** Forgets how far clocks of exporters are ahead of ours: it was set. */
  forgetClocks(): void {
    for (const stream of this.streams.list) stream?.sentTime.forget()
  }

  #decode(view: DataView, datagram: Datagram, exportProtocol: number): void {
    const { address, port, receivedMs, away = null } = datagram
    const format = formats[exportProtocol]
    const stream = this.streams.of(exportProtocol, address, port, format.domainOf(view), receivedMs)
    stream.counters.datagrams++
    stream.counters.bytes += view.byteLength
    settleWholeRead(stream, receivedMs)
    const isCounted = isSecondCounted(stream, receivedMs)
    const before = isCounted ? 0 : recordsOf(stream.counters)
    if (this.streams.waiting.size > 0) this.streams.waiting.expire(receivedMs)
    // Who wants times as they were exported wants all records: none is dated, or left out.
    const sentMs = this.#exportedTimes ? receivedMs : stream.sentTime.of({ receivedMs, away }, format.timeOf(view))
    if (sentMs !== receivedMs) this.#noteLate(sentMs)
    const context: DatagramContext = {
      exportProtocol,
      receivedMs: sentMs ?? receivedMs,
      exportMs: receivedMs,
      uptimeMs: Number.NaN,
      bootMs: 0,
      sampling: stream.sampling,
      template: 0,
    }
    format.decode({ view, stream, context }, this.#rows, this.streams)
    if (sentMs === null) this.#rows.leaveOut(false)
    // A domain may have options alone, by which others count.
    if (!isCounted && recordsOf(stream.counters) > before) this.streams.noteRecords(stream, receivedMs)
    stream.clockAheadMs = context.exportMs - context.receivedMs
  }

  /** Null: its records are read for what they say of the exporter, and counted nowhere. */
  #noteLate(sentMs: number | null): void {
    if (sentMs !== null) this.counters.datagramsDated++
    else {
      this.counters.datagramsLeftOut++
      this.#rows.leaveOut(true)
    }
  }
}

interface Format {
  /** Octets that every datagram has. */
  headerLength: number
  /** Number of the stream within the exporter's socket: see `Stream`. */
  domainOf: (view: DataView) => number
  /** What the exporter's clock shows in the header, milliseconds: Unix time, or since its start. */
  timeOf: (view: DataView) => number
  decode: (message: Message, rows: RowWriter, streams: StreamTable) => void
}

const formatOf: Record<ExportProtocol, Format> = {
  netflow5: {
    headerLength: netflow5HeaderLength,
    domainOf: netflow5Domain,
    timeOf: netflow5Time,
    decode: decodeNetflow5,
  },
  netflow9: {
    headerLength: netflow9HeaderLength,
    domainOf: netflow9Domain,
    timeOf: netflow9Time,
    decode: (message, rows, streams) => decodeNetflow9(message, new SetReader(streams, rows, message)),
  },
  ipfix: {
    headerLength: ipfixHeaderLength,
    domainOf: ipfixDomain,
    timeOf: ipfixTime,
    decode: (message, rows, streams) => decodeIpfix(message, new SetReader(streams, rows, message)),
  },
  sflow5: { headerLength: sflow5HeaderLengthMin, domainOf: sflow5Domain, timeOf: sflow5Time, decode: decodeSflow5 },
}

/** Protocols by the index into `exportProtocols`. */
const formats = exportProtocols.map((protocol) => formatOf[protocol])
const indexOf = (protocol: ExportProtocol) => exportProtocols.indexOf(protocol)
const index = {
  netflow5: indexOf('netflow5'),
  netflow9: indexOf('netflow9'),
  ipfix: indexOf('ipfix'),
  sflow5: indexOf('sflow5'),
}

/** An index into `exportProtocols`, by the version word, whatever the port: 16 bits, or 32 in sFlow; -1: none of them. */
function protocolOf(view: DataView): number {
  if (view.byteLength < 4) return -1
  switch (view.getUint16(0)) {
    case 5:
      return index.netflow5
    case 9:
      return index.netflow9
    case 10:
      return index.ipfix
    case 0:
      return view.getUint16(2) === 5 ? index.sflow5 : -1
    default:
      return -1
  }
}

const refusedNetflow = { 1: 'netflow1', 6: 'netflow6', 7: 'netflow7', 8: 'netflow8' } as const
const refusedSflow = { 2: 'sflow2', 4: 'sflow4' } as const

/** Counter of a datagram of another protocol. */
function refusedVersionOf(view: DataView): keyof DecoderCounters {
  if (view.byteLength < 4) return 'unknownVersion'
  const version = view.getUint16(0)
  const refused: Record<number, keyof DecoderCounters> = version === 0 ? refusedSflow : refusedNetflow
  return refused[version === 0 ? view.getUint16(2) : version] ?? 'unknownVersion'
}

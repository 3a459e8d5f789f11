// A stream: one observation domain of an exporter's socket, with its templates, samplers, sequence and counters.
import type { Place } from '../fair-table.ts'
import { type ExportProtocol, exportProtocols } from '../flow/columns.ts'
import type { StreamCounters } from './counters.ts'
import type { SamplingTable } from './sampling/sampling.ts'
import type { SavedStream, SavedTemplate, StreamKey } from './saved-streams.ts'
import type { Directions } from './templates/directions.ts'
import type { LinkCheck } from './templates/link-check.ts'
import type { Template } from './templates/stream-template.ts'
import { SentTime } from './times/sent-time.ts'
import { WaitingRoom } from './waiting-sets.ts'

/**
 * A stream has proved itself when it has sent records in as many minutes, or in as many different seconds, whichever comes first: a flood that makes others
 * of its own has to last as long. Seconds are for busy exporters, which a flood would cost most until then; minutes for those that send seldom.
 */
const proven = { minutes: 3, seconds: 30 } as const

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
  /** Rises when what is to be saved of them changes: those that data came for. */
  templatesVersion: number
  readonly waiting: WaitingRoom
  /** Its place in the table: see `StreamTable.noteRecords`. */
  place: Place<Stream> | null
  /** In how many minutes and seconds it sent records, and the last of these, in seconds of Unix time. */
  minutesWithRecords: number
  secondsWithRecords: number
  lastSecond: number
  /** Whether what is counted can be; null: nothing is known of the exporter's links. */
  links: LinkCheck | null
  /** Null: it has sent no template that tells a direction. */
  directions: Directions | null
  lastMs: number
  /** Whether all records of the datagram at hand are read, and when one was last: see `settleWholeRead`. */
  isReadWhole: boolean
  readWholeMs: number
  /** When the exporter started, by its options data; 0: unknown. */
  bootMs: number
  /** Its time and its uptime by the last header; 0: unknown. */
  exportMs: number
  uptimeMs: number
  /** When it last seemed to have restarted; 0: never. */
  restartedMs: number
  /** How far the exporter's clock was ahead of ours at the last datagram, milliseconds; 0 for protocols without a clock. */
  clockAheadMs: number
  readonly sentTime: SentTime
  /** Sequence number of the last datagram: see `expectSequence`. */
  sequence: number
  sequenceLength: number
  sequenceOptions: number
  /** Whether rates are sent by interface: flow templates are compiled to look theirs up. */
  readsInterfaces: boolean
  /** Whether templates are from before a restart of the service: they hold if the exporter has not restarted as well. */
  hasSavedTemplates: boolean
}

type NewStream = Pick<
  Stream,
  'index' | 'address' | 'port' | 'domain' | 'exportProtocol' | 'name' | 'counters' | 'sampling' | 'links'
> & { nowMs: number }

export function createStream({ nowMs, ...known }: NewStream): Stream {
  return {
    ...known,
    templates: new Map(),
    templatesVersion: 0,
    waiting: new WaitingRoom(known.address, known.counters),
    place: null,
    minutesWithRecords: 0,
    secondsWithRecords: 0,
    lastSecond: 0,
    directions: null,
    lastMs: nowMs,
    isReadWhole: false,
    readWholeMs: 0,
    bootMs: 0,
    exportMs: 0,
    uptimeMs: 0,
    restartedMs: 0,
    clockAheadMs: 0,
    sentTime: new SentTime(),
    sequence: 0,
    sequenceLength: -1,
    sequenceOptions: 0,
    readsInterfaces: false,
    hasSavedTemplates: false,
  }
}

export function protocolOf({ exportProtocol }: Stream): ExportProtocol {
  return exportProtocols[exportProtocol]
}

export function keyOfStream(stream: Stream): StreamKey {
  const { address, port, domain } = stream
  return { protocol: protocolOf(stream), address, port, domain }
}

/** Whether it has sent records for long enough that it gives way to no newcomer. */
export function hasProved({ minutesWithRecords, secondsWithRecords }: Stream): boolean {
  return minutesWithRecords >= proven.minutes || secondsWithRecords >= proven.seconds
}

/** Takes the stream for one that has. */
export function takeForProved(stream: Stream): void {
  stream.minutesWithRecords = proven.minutes
}

/** Whether the second is counted already among those with records. */
export function isSecondCounted({ lastSecond }: Stream, nowMs: number): boolean {
  return Math.floor(nowMs / 1_000) === lastSecond
}

/** Notes that it sent records. True when it has proved itself by that, and once a minute afterwards. */
export function provesNow(stream: Stream, nowMs: number): boolean {
  if (isSecondCounted(stream, nowMs)) return false
  const second = Math.floor(nowMs / 1_000)
  const isNewMinute = Math.floor(second / 60) !== Math.floor(stream.lastSecond / 60)
  if (isNewMinute) stream.minutesWithRecords++
  stream.lastSecond = second
  return ++stream.secondsWithRecords === proven.seconds || (isNewMinute && hasProved(stream))
}

/** What outlives a stream, but its templates. */
export function savedStateOf(stream: Stream): Omit<SavedStream, 'templates'> {
  const { lastMs: seenMs, bootMs, exportMs, uptimeMs, sampling } = stream
  const isProven = hasProved(stream)
  return { ...keyOfStream(stream), seenMs, bootMs, exportMs, uptimeMs, sampling: sampling.entries(), isProven }
}

/** Its templates that data came for. */
export function savedTemplatesOf({ templates }: Stream): SavedTemplate[] {
  return [...templates].flatMap(([id, { isUsed, options, definition: octets }]) =>
    isUsed ? [{ id, options, octets }] : [],
  )
}

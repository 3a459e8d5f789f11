// Turns datagrams into sealed slots: a decoder whose records a folder counts. Everything that receives flows is made here: the collectors of the
// service, the traffic of simulated attacks, backtests and tests.
import type { Exclusions } from '../aggregate/exclusions.ts'
import { Folder, type FolderOptions } from '../aggregate/folder.ts'
import type { FolderCounters } from '../aggregate/metrics.ts'
import type { SealedSlot } from '../aggregate/sealed-slot.ts'
import type { WatchList } from '../aggregate/watch-list.ts'
import type { Clock } from '../clock.ts'
import { Presence, presenceMetrics } from '../collect/presence.ts'
import type { DecoderCounters } from '../decode/counters.ts'
import { type Datagram, Decoder, type DecoderOptions } from '../decode/decoder.ts'
import type { StreamTable } from '../decode/streams.ts'
import type { Away } from '../flow/away.ts'
import type { Batch } from '../flow/batch.ts'
import { type Sample, samplesOf } from '../metrics.ts'

/** A shorter standstill leaves nothing unseen: sockets hold what is sent meanwhile. Unless some of that can't be dated. */
const unseenMsMin = 5_000

export interface IngestOptions {
  clock: Clock
  decoder?: Partial<Omit<DecoderOptions, 'sink' | 'choose'>>
  folder?: Partial<Omit<FolderOptions, 'clock'>>
  /** Is shown each decoded batch after it was folded; keeps nothing of it. */
  onBatch?: (batch: Batch) => void
}

export class Ingest {
  readonly #decoder: Decoder
  readonly #folder: Folder
  readonly #presence = new Presence()
  /** The standstill that the next slot names. */
  #away: Away | null = null
  /** Datagrams that were left out before the standstill that is on, or until now. */
  #leftOut = 0

  constructor({ clock, decoder, folder, onBatch }: IngestOptions) {
    this.#folder = new Folder({ clock, exporterAt: (stream) => this.streams.list[stream]?.address ?? '', ...folder })
    this.#decoder = new Decoder({
      ...decoder,
      sink: (batch) => {
        this.#folder.fold(batch)
        onBatch?.(batch)
      },
      choose: (from, offset, starts, count) => this.#folder.choose(from, offset, starts, count),
    })
  }

  get streams(): StreamTable {
    return this.#decoder.streams
  }

  get counters(): DecoderCounters {
    return this.#decoder.counters
  }

  /** Records since the last seal. */
  get heldRecords(): number {
    return this.#folder.heldRecords
  }

  /** Since it was made. */
  get counted(): FolderCounters {
    return this.#folder.counted
  }

  /** The same, as metrics. */
  samples(): Sample[] {
    return [...this.#folder.samples(), ...samplesOf(presenceMetrics, this.#presence.counted)]
  }

  setWatchList(list: WatchList): void {
    this.#folder.setWatchList(list)
  }

  /** The traffic to watched addresses that is left out; null: none. */
  setExclusions(exclusions: Exclusions | null): void {
    this.#folder.setExclusions(exclusions)
  }

  /** The sockets are about to be read. Returns true when what they hold is of another time than the open slot, which is to be sealed first. */
  turn(clock: Clock): boolean {
    const turn = this.#presence.turn(clock)
    if (turn === 'leapt') this.#decoder.forgetClocks()
    const { away } = this.#presence
    if (turn === 'in time' || away === null) return false
    // What waits from before a leap has no time.
    if (turn === 'leapt' || isLong(away)) this.#noteAway(away)
    return true
  }

  /** They have been read. Returns when nobody did before, if that is so. */
  read(nowMs: number, { isEmpty }: { isEmpty: boolean }): Away | null {
    const away = this.#presence.read(nowMs, isEmpty)
    const { datagramsLeftOut } = this.counters
    if (away !== null && (isLong(away) || datagramsLeftOut > this.#leftOut)) this.#noteAway(away)
    if (this.#presence.away === null) this.#leftOut = datagramsLeftOut
    return away
  }

  #noteAway({ fromMs, toMs }: Away): void {
    this.#away = { fromMs: this.#away?.fromMs ?? fromMs, toMs }
  }

  /** Never throws, and keeps nothing of the view. */
  receive(datagram: DataView, { address, port, receivedMs }: Datagram): void {
    this.#decoder.decode(datagram, { address, port, receivedMs, away: this.#presence.away })
  }

  /** Counts records that were decoded elsewhere. */
  fold(batch: Batch): void {
    this.#folder.fold(batch)
  }

  /** Counts the records that the decoder still holds. */
  flush(): void {
    this.#decoder.flush()
  }

  /** What was received since the last seal. The slot is the caller's. */
  seal(nowMs: number): SealedSlot {
    this.#decoder.flush()
    const slot = this.#folder.seal(nowMs)
    const away = this.#away
    this.#away = null
    return away === null ? slot : { ...slot, away }
  }
}

function isLong({ fromMs, toMs }: Away): boolean {
  return toMs - fromMs >= unseenMsMin
}

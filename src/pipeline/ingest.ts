// Turns datagrams into sealed slots: a decoder whose records a folder counts. Everything that receives flows is made here: the collectors of the
// service, the traffic of simulated attacks, backtests and tests.
import type { Exclusions } from '../aggregate/exclusions.ts'
import { Folder, type FolderOptions } from '../aggregate/folder.ts'
import type { FolderCounters } from '../aggregate/metrics.ts'
import type { SealedSlot } from '../aggregate/sealed-slot.ts'
import type { WatchList } from '../aggregate/watch-list.ts'
import type { Clock } from '../clock.ts'
import type { DecoderCounters } from '../decode/counters.ts'
import { type Datagram, Decoder, type DecoderOptions } from '../decode/decoder.ts'
import type { StreamTable } from '../decode/streams.ts'
import type { Batch } from '../flow/batch.ts'
import type { Sample } from '../metrics.ts'

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
    return this.#folder.samples()
  }

  setWatchList(list: WatchList): void {
    this.#folder.setWatchList(list)
  }

  /** The traffic to watched addresses that is left out; null: none. */
  setExclusions(exclusions: Exclusions | null): void {
    this.#folder.setExclusions(exclusions)
  }

  /** Never throws, and keeps nothing of the view. */
  receive(datagram: DataView, from: Datagram): void {
    this.#decoder.decode(datagram, from)
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
    return this.#folder.seal(nowMs)
  }
}

// What is known of streams that are not in the table: from before a restart, or from before they had to make room. Each stream takes up what is its own
// with its next datagram. Bounded: the address with most of it gives way.
import { FairTable, type Place } from '../fair-table.ts'
import type { SavedStream, StreamKey } from './saved-streams.ts'

export class RememberedStreams {
  readonly #places = new Map<string, Place<SavedStream>>()
  readonly #table: FairTable<SavedStream>

  /** `max`: streams, templates and samplers together. */
  constructor(max: number) {
    this.#table = new FairTable({
      max,
      provenMax: Math.floor((max * 3) / 4),
      onGiveWay: (stream) => this.#places.delete(textOf(stream)),
    })
  }

  get isEmpty(): boolean {
    return this.#places.size === 0
  }

  keep(stream: SavedStream): void {
    const { address: holder, seenMs: nowMs, templates, sampling } = stream
    this.#leave(textOf(stream))
    const place = this.#table.take(stream, { holder, nowMs, weight: 1 + templates.length + sampling.length })
    if (place === null) return
    this.#places.set(textOf(stream), place)
    if (stream.isProven) this.#table.prove(place, nowMs)
  }

  get(key: StreamKey): SavedStream | null {
    return this.#places.get(textOf(key))?.entry ?? null
  }

  take(key: StreamKey): SavedStream | null {
    return this.#leave(textOf(key))
  }

  #leave(text: string): SavedStream | null {
    const place = this.#places.get(text)
    if (place === undefined) return null
    this.#places.delete(text)
    this.#table.leave(place)
    return place.entry
  }
}

function textOf({ protocol, address, port, domain }: StreamKey): string {
  return `${protocol} ${address} ${port} ${domain}`
}

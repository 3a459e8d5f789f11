// The places of the samplers of all streams: the address with most of them makes room, and those of a stream that has worked for minutes give way to no
// newcomer.
import { type Crowding, FairTable, type Place } from '../../fair-table.ts'

/** What holds a place: a rate of a stream. */
export interface Sampler {
  /** Its place has passed on to another. */
  onGiveWay(): void
}

/** The places of one stream's samplers. */
export interface StreamSamplers {
  /** Null: there is no room. */
  take(sampler: Sampler, nowMs: number): Place<unknown> | null
  touch(place: Place<unknown>, nowMs: number): void
  prove(place: Place<unknown>, nowMs: number): void
  leave(place: Place<unknown>): void
}

export class SamplerPlaces {
  readonly #table: FairTable<Sampler>

  constructor(bounds: { max: number; provenMax: number }) {
    this.#table = new FairTable({ ...bounds, onGiveWay: (sampler) => sampler.onGiveWay() })
  }

  crowding(): Crowding {
    return this.#table.crowding()
  }

  /** `isProven`: whether the stream has worked for minutes. */
  of(holder: string, isProven: () => boolean): StreamSamplers {
    const table = this.#table
    return {
      take: (sampler, nowMs) => {
        const place = table.take(sampler, { holder, nowMs })
        if (place !== null && isProven()) table.prove(place, nowMs)
        return place
      },
      touch: (place, nowMs) => table.touch(place, nowMs),
      prove: (place, nowMs) => table.prove(place, nowMs),
      leave: (place) => table.leave(place),
    }
  }
}

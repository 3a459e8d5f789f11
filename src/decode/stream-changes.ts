// What is to be saved of the streams: their templates, sampling and starts as they change, a bounded part at a time, and now and then that they are
// still sending.
import type { StreamChange } from './saved-streams.ts'
import { hasProved, protocolOf, type Stream, savedStateOf, savedTemplatesOf } from './stream.ts'
import type { StreamTable } from './streams.ts'

/** How often the last datagram of a stream is saved, milliseconds. */
const seenEveryMs = 600_000

/** What was saved of a stream. */
interface Saved {
  seenMs: number
  bootMs: number
  isProven: boolean
  samplingVersion: number
  templatesVersion: number
}

const nothing: Saved = { seenMs: 0, bootMs: 0, isProven: false, samplingVersion: 0, templatesVersion: 0 }

export class StreamChanges {
  readonly #streams: StreamTable
  readonly #saved = new WeakMap<Stream, Saved>()
  /** Where in the table to go on, so that a stream that changes all the time does not hold up those after it. */
  #next = 0

  constructor(streams: StreamTable) {
    this.#streams = streams
  }

  /** The changes since the last call, of about `max` templates and streams: the last stream may have more. The others come with the next calls. */
  take(max: number): StreamChange[] {
    const changes: StreamChange[] = []
    const { list } = this.#streams
    let left = max
    for (let looked = 0; looked < list.length && left > 0; looked++) {
      const stream = list[this.#next++ % list.length]
      const change = stream === undefined ? null : this.#changeOf(stream)
      if (change === null) continue
      changes.push(change)
      left -= 1 + (change.templates?.length ?? 0)
    }
    this.#next %= Math.max(1, list.length)
    return changes
  }

  #changeOf(stream: Stream): StreamChange | null {
    if (protocolOf(stream) !== 'netflow9' && protocolOf(stream) !== 'ipfix') return null
    const saved = this.#saved.get(stream) ?? nothing
    const { lastMs: seenMs, bootMs, sampling, templatesVersion } = stream
    const isProven = hasProved(stream)
    const isOutOfDate =
      saved.templatesVersion !== templatesVersion ||
      saved.samplingVersion !== sampling.version ||
      saved.bootMs !== bootMs ||
      saved.isProven !== isProven ||
      Math.abs(seenMs - saved.seenMs) >= seenEveryMs
    // A stream without templates or rates is not worth a row.
    if (!isOutOfDate || (saved === nothing && !isOfUse(stream))) return null
    // A flood of newcomers is not worth as many.
    if (this.#streams.isCrowded && !isProven) return null
    this.#saved.set(stream, { seenMs, bootMs, isProven, samplingVersion: sampling.version, templatesVersion })
    const templates = saved.templatesVersion === templatesVersion ? null : savedTemplatesOf(stream)
    return { ...savedStateOf(stream), templates }
  }
}

function isOfUse({ templates }: Stream): boolean {
  for (const { isUsed } of templates.values()) if (isUsed) return true
  return false
}

// What is to be saved of the streams: their templates, sampling and starts as they change, a bounded part at a time, and now and then that they are
// still sending.
import type { SavedTemplate, StreamChange } from './saved-streams.ts'
import { hasProved, protocolOf, type Stream, savedStateOf } from './stream.ts'
import type { StreamListener, StreamTable } from './streams.ts'

/** How often the last datagram of a stream is saved, milliseconds. */
const seenEveryMs = 600_000

/** What was saved of a stream, and what of its templates was not. */
interface SavedStream {
  seenMs: number
  bootMs: number
  isProven: boolean
  samplingVersion: number
  readonly changed: Set<number>
  readonly gone: Set<number>
}

export class StreamChanges implements StreamListener {
  readonly #streams: StreamTable
  readonly #saved = new Map<Stream, SavedStream>()
  /** Where in the table to go on, so that a stream that changes all the time does not hold up those after it. */
  #next = 0

  constructor(streams: StreamTable) {
    this.#streams = streams
    streams.listener = this
  }

  onTemplate(stream: Stream, id: number): void {
    const { changed, gone } = this.#savedOf(stream)
    changed.add(id)
    gone.delete(id)
  }

  onTemplateGone(stream: Stream, id: number): void {
    const { changed, gone } = this.#savedOf(stream)
    changed.delete(id)
    gone.add(id)
  }

  onEvicted(stream: Stream): void {
    this.#saved.delete(stream)
  }

  /** The changes since the last call, of no more than `max` templates and streams; the others come with the next calls. */
  take(max: number): StreamChange[] {
    const changes: StreamChange[] = []
    const { list } = this.#streams
    let left = max
    for (let looked = 0; looked < list.length && left > 0; looked++) {
      const stream = list[this.#next++ % list.length]
      const change = stream === undefined ? null : this.#changeOf(stream, left)
      if (change === null) continue
      changes.push(change)
      left -= 1 + change.templates.length + change.withdrawn.length
    }
    this.#next %= Math.max(1, list.length)
    return changes
  }

  #changeOf(stream: Stream, max: number): StreamChange | null {
    if (protocolOf(stream) !== 'netflow9' && protocolOf(stream) !== 'ipfix') return null
    const saved = this.#savedOf(stream)
    const { lastMs: seenMs, bootMs, sampling } = stream
    const isProven = hasProved(stream)
    const isOutOfDate =
      saved.changed.size + saved.gone.size > 0 ||
      saved.samplingVersion !== sampling.version ||
      saved.bootMs !== bootMs ||
      saved.isProven !== isProven ||
      Math.abs(seenMs - saved.seenMs) >= seenEveryMs
    // A stream without templates or rates is not worth a row.
    if (!isOutOfDate || (saved.seenMs === 0 && !isOfUse(stream))) return null
    // A flood of newcomers is not worth as many.
    if (this.#streams.isCrowded && !isProven) return null
    Object.assign(saved, { seenMs, bootMs, isProven, samplingVersion: sampling.version })
    const templates = taken(saved.changed, max).flatMap((id) => templateOf(stream, id))
    const withdrawn = taken(saved.gone, max)
    return { ...savedStateOf(stream), templates, withdrawn }
  }

  #savedOf(stream: Stream): SavedStream {
    let saved = this.#saved.get(stream)
    if (saved === undefined) {
      saved = { seenMs: 0, bootMs: 0, isProven: false, samplingVersion: 0, changed: new Set(), gone: new Set() }
      this.#saved.set(stream, saved)
    }
    return saved
  }
}

function isOfUse({ templates }: Stream): boolean {
  for (const { isUsed } of templates.values()) if (isUsed) return true
  return false
}

function templateOf(stream: Stream, id: number): SavedTemplate[] {
  const template = stream.templates.get(id)
  return template === undefined ? [] : [{ id, options: template.options, octets: template.definition }]
}

function taken(ids: Set<number>, max: number): number[] {
  const some = [...ids].slice(0, max)
  for (const id of some) ids.delete(id)
  return some
}

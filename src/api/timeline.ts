// What happened to an event, one thing after the other.
import type { EventNote } from '../store/event-notes.ts'
import type { EventDetail } from '../store/store.ts'

export type Moment = 'began' | 'listed' | 'peaked' | 'acknowledged' | 'classified' | 'ended'

/** In the order of time; `by`: who did it, by e-mail. */
export function timelineOf(
  { startMs, createdMs, peak, endMs }: EventDetail,
  { acknowledged, classified }: EventNote,
): { what: Moment; atMs: number; by: string | null }[] {
  const all: [what: Moment, atMs: number | undefined | null, by?: string | undefined][] = [
    ['began', startMs],
    ['peaked', peak.atMs],
    ['listed', createdMs],
    ['acknowledged', acknowledged?.atMs, acknowledged?.by],
    ['classified', classified?.atMs, classified?.by],
    ['ended', endMs],
  ]
  return all
    .flatMap(([what, atMs, by = null]) => (atMs === null || atMs === undefined ? [] : [{ what, atMs, by }]))
    .sort((a, b) => a.atMs - b.atMs)
}

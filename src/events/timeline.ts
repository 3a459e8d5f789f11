// What happened to an event, one thing after the other.
import type { EventNote } from './notes.ts'
import type { EventDetail, EventEpisode } from './records.ts'

export type Moment = 'began' | 'listed' | 'peaked' | 'ended' | 'returned' | 'acknowledged' | 'classified'

type DatedMoment = [what: Moment, atMs: number | undefined | null, by?: string | undefined]

/** In the order of time; `by`: who did it, by e-mail. `episodes`: those of an event that came back. */
export function timelineOf(
  { startMs, createdMs, peak, endMs }: EventDetail,
  { acknowledged, classified }: EventNote,
  episodes: readonly Pick<EventEpisode, 'startMs' | 'endMs'>[],
): { what: Moment; atMs: number; by: string | null }[] {
  const all: DatedMoment[] = [
    ['began', startMs],
    ['peaked', peak.atMs],
    ['listed', createdMs],
    ['acknowledged', acknowledged?.atMs, acknowledged?.by],
    ['classified', classified?.atMs, classified?.by],
    ['ended', endMs],
    ...episodes.slice(0, -1).map(({ endMs }): DatedMoment => ['ended', endMs]),
    ...episodes.slice(1).map(({ startMs }): DatedMoment => ['returned', startMs]),
  ]
  return all
    .flatMap(([what, atMs, by = null]) => (atMs === null || atMs === undefined ? [] : [{ what, atMs, by }]))
    .sort((a, b) => a.atMs - b.atMs)
}

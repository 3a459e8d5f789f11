// An attack that goes on while the clock is set back: it is continued as after a restart, with its times by the clock as it is now, so that it has begun
// as long ago as it has.
import type { Episode, IncidentDetails, IncidentState, Peak, ResumedIncident, Statistics } from './incident-report.ts'

/** The attack by a clock that was moved. */
export function movedBy(byMs: number, { endedMs, details, ...state }: ResumedIncident): ResumedIncident {
  const { startMs, endMs, peak, episode } = state
  return {
    ...state,
    startMs: startMs + byMs,
    endMs: endMs + byMs,
    peak: movedPeak(byMs, peak),
    episode: movedEpisode(byMs, episode),
    endedMs: endedMs === null ? null : endedMs + byMs,
    details: movedDetails(byMs, details),
  }
}

function movedPeak(byMs: number, peak: Peak): IncidentState['peak'] {
  return { ...peak, atMs: peak.atMs + byMs }
}

function movedEpisode(byMs: number, episode: Episode): Episode {
  const { startMs, endMs, peak } = episode
  return { ...episode, startMs: startMs + byMs, endMs: endMs + byMs, peak: movedPeak(byMs, peak) }
}

function movedDetails(byMs: number, { statistics, ofEpisode, course }: IncidentDetails): IncidentDetails {
  return {
    statistics: movedStatistics(byMs, statistics),
    ofEpisode: ofEpisode === null ? null : movedStatistics(byMs, ofEpisode),
    course: { ...course, fromMs: course.fromMs + byMs },
  }
}

function movedStatistics(byMs: number, statistics: Statistics): Statistics {
  const samples = statistics.samples.map((sample) => ({
    ...sample,
    startMs: sample.startMs + byMs,
    endMs: sample.endMs + byMs,
  }))
  return { ...statistics, samples }
}

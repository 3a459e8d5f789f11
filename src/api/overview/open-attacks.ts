// The attacks that go on, worst first: what an operator looks at before anything else, with their rates now.
import type { OpenEvent } from '../../contract/overview.ts'
import { formatTime } from '../../contract/time.ts'
import { type EventNote, noNote } from '../../events/notes.ts'
import { severityOf, severityRank, weightOf } from '../../events/severity.ts'
import type { Course, EventSummary, Store } from '../../store/store.ts'
import { presentOverview, presentRates } from '../events/present.ts'

export interface OpenAttacks {
  /** The newest first, simulated ones too. */
  events: EventSummary[]
  shown: OpenEvent[]
  acknowledged: number
  dismissed: number
}

interface Rates {
  bytesPerSecond: number
  packetsPerSecond: number
  flowsPerSecond: number
}

/** Rates of all traffic to the victim, over some seconds before `atMs`. */
interface CurrentRates {
  rates: Rates
  seconds: number
  atMs: number
}

/** Events that are sorted. Of more, the newest. */
const openMax = 1_000
/** Rows that are answered. */
const shownMax = 50
/** Time over which the current rate is averaged, at least, where the course has that much. */
const currentSeconds = 5

export async function findOpenAttacks(
  store: Pick<Store, 'eventsBetween' | 'notesOf' | 'coursesOf'>,
  userId: string,
): Promise<OpenAttacks> {
  const window = { fromMs: null, toMs: null, filter: { isOpen: true }, isDescending: true, after: null, limit: openMax }
  const events = await store.eventsBetween(userId, window)
  const real = events.filter(({ isTest }) => !isTest)
  const notes = await store.notesOf(
    userId,
    real.map(({ id }) => id),
  )
  const noteOf = ({ id }: EventSummary) => notes.get(id) ?? noNote
  const dismissed = real.filter((event) => isDismissed(noteOf(event))).length
  const acknowledged = real.filter((event) => !isDismissed(noteOf(event)) && noteOf(event).acknowledged !== null).length
  // Which rows are shown is decided by the averages, so that no more courses are read than there are rows.
  const byAverage = (event: EventSummary) => rankOf(event, noteOf(event), event)
  const worst = real.sort((a, b) => compare(byAverage(a), byAverage(b))).slice(0, shownMax)
  const courses = await store.coursesOf(
    userId,
    worst.map(({ id }) => id),
  )
  const rows = worst.map((event) => {
    const course = courses.get(event.id)
    const current = course === undefined ? null : currentOf(course, event)
    return { event, current, rank: rankOf(event, noteOf(event), current?.rates ?? event) }
  })
  const shown = rows
    .sort((a, b) => compare(a.rank, b.rank))
    .map(({ event, current }) => ({ ...presentOverview(event, noteOf(event)), current: presentCurrent(current) }))
  return { events, shown, acknowledged, dismissed }
}

/** Whether somebody said that it is no attack: nobody has to look at it now. */
export function isDismissed({ classification }: Pick<EventNote, 'classification'>): boolean {
  return classification !== null && classification !== 'attack'
}

/** Null: the course has no step yet, or nothing is known of the last one. */
export function currentOf(
  { fromMs, stepSeconds, total }: Course,
  { startMs, lastMs }: Pick<EventSummary, 'startMs' | 'lastMs'>,
): CurrentRates | null {
  const steps = total.packetsPerSecond.length
  if (steps === 0) return null
  const startOf = (step: number) => fromMs + step * stepSeconds * 1000
  const first = Math.min(steps - 1, Math.max(0, Math.ceil((startMs - fromMs) / 1000 / stepSeconds)))
  const lengthOfLast = Math.max(1, Math.min(stepSeconds, (lastMs - startOf(steps - 1)) / 1000))
  // Records of the last second are still to come.
  const last = lengthOfLast <= 1 && first < steps - 1 ? steps - 2 : steps - 1
  const sum: Rates = { bytesPerSecond: 0, packetsPerSecond: 0, flowsPerSecond: 0 }
  let seconds = 0
  for (let step = last; step >= first && seconds < currentSeconds; step--) {
    const [bytes, packets, flows] = [
      total.bytesPerSecond[step],
      total.packetsPerSecond[step],
      total.flowsPerSecond[step],
    ]
    if (bytes === null || packets === null || flows === null) break
    const length = step === steps - 1 ? lengthOfLast : stepSeconds
    seconds += length
    sum.bytesPerSecond += bytes * length
    sum.packetsPerSecond += packets * length
    sum.flowsPerSecond += flows * length
  }
  if (seconds === 0) return null
  const rates = {
    bytesPerSecond: sum.bytesPerSecond / seconds,
    packetsPerSecond: sum.packetsPerSecond / seconds,
    flowsPerSecond: sum.flowsPerSecond / seconds,
  }
  const end = last === steps - 1 ? startOf(last) + lengthOfLast * 1000 : startOf(last + 1)
  return { rates, seconds, atMs: end }
}

/** What is compared, the more important first; more is worse. */
function rankOf(event: EventSummary, note: EventNote, rates: Rates): number[] {
  return [isDismissed(note) ? 0 : 1, severityRank(severityOf(event)), weightOf(rates), event.createdMs]
}

function compare(a: readonly number[], b: readonly number[]): number {
  const at = a.findIndex((value, i) => value !== b[i])
  return at === -1 ? 0 : b[at] - a[at]
}

function presentCurrent(current: CurrentRates | null): OpenEvent['current'] {
  if (current === null) return null
  return { ...presentRates(current.rates), seconds: Math.round(current.seconds), at: formatTime(current.atMs) }
}

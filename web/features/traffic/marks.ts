// The times of attacks on the chart of traffic: those that are given one by one, and steps in which others went on, of which there are too many.
import type { Traffic } from './queries.ts'

export interface Mark {
  /** The event's id; null: the mark stands for attacks that are not given one by one. */
  id: string | null
  startMs: number
  endMs: number
}

export function marksOf(
  traffic: Pick<Traffic, 'from' | 'to' | 'attacks' | 'attackCount' | 'attacksByStep' | 'stepSeconds'>,
): Mark[] {
  const toMs = Date.parse(traffic.to)
  const given = traffic.attacks.map(({ id, start, end }): Mark => {
    return { id, startMs: Date.parse(start), endMs: end === null ? toMs : Date.parse(end) }
  })
  return traffic.attackCount > given.length ? [...othersOf(traffic, given), ...given] : given
}

/** Steps that lie side by side are one mark. */
function othersOf(
  { from, attacksByStep, stepSeconds }: Pick<Traffic, 'from' | 'attacksByStep' | 'stepSeconds'>,
  given: readonly Mark[],
): Mark[] {
  const [fromMs, stepMs] = [Date.parse(from), stepSeconds * 1_000]
  const left = [...attacksByStep]
  for (const { startMs, endMs } of given) {
    const first = Math.max(0, Math.floor((startMs - fromMs) / stepMs))
    const last = Math.min(left.length - 1, Math.floor((Math.max(endMs - 1, startMs) - fromMs) / stepMs))
    for (let step = first; step <= last; step++) left[step]--
  }
  const marks: Mark[] = []
  let startMs: number | null = null
  for (let step = 0; step <= left.length; step++) {
    const atMs = fromMs + step * stepMs
    const isHit = step < left.length && left[step] > 0
    if (isHit) startMs ??= atMs
    else if (startMs !== null) {
      marks.push({ id: null, startMs, endMs: atMs })
      startMs = null
    }
  }
  return marks
}

// Gathers what is known of an address at a moment: traces from the store and of the last minutes from the detector, its minute, how well it was seen, and
// the caller's events.
import type { Explanation } from '../../contract/explanations.ts'
import type { DetectSettings } from '../../detect/settings.ts'
import type { TargetState } from '../../detect/targets/target-state.ts'
import { type Trace, traceSeconds } from '../../detect/trace/trace.ts'
import { decodeTrace, type SavedTrace } from '../../detect/trace/trace-code.ts'
import { addressLength, lastKey, networkOf } from '../../net/network.ts'
import type { Sight, StepSum, Store } from '../../store/store.ts'
import { ClassKeys } from '../../vectors/class-keys.ts'
import { vectors } from '../../vectors/vectors.ts'
import { presentExplanation } from './present-explanation.ts'
import { eventsHitting } from './told-events.ts'

/** Who knows the last minutes of an address. */
export interface LatestTraces {
  /** Those of the address and its networks. Rejects with AppError DETECTION_BUSY. */
  latestTraces(address: number): Promise<SavedTrace[]>
  /** The settings of detection. */
  detect: DetectSettings
}

export type Kept = Pick<
  Store,
  'tracesOf' | 'sightsBetween' | 'firstSight' | 'sumSeries' | 'attacksWithin' | 'eventById'
>

export interface Asked {
  userId: string
  address: number
  atMs: number
  /** When the caller's knowledge of the address begins: see `requireOwned`. */
  knownFromMs: number
  isAdmin: boolean
}

/** All that an explanation is made of. */
export interface Facts extends Omit<Asked, 'userId'> {
  nowMs: number
  keptFromMs: number
  /** Where the half minute begins, Unix time. */
  second: number
  traces: Trace[]
  networks: Trace[]
  /** The minute of the address, and that of all watched addresses of its /24; null: no traffic. */
  minute: StepSum | null
  minuteOfNetwork: StepSum | null
  /** Those of the minute and of the minutes after it, as long as traces are waited for. */
  sights: Sight[]
  firstSight: number | null
  events: Explanation['events']
  settings: TargetState['settings']
  learnSeconds: number
}

const wholeLength = 24
/** Windows reach as far to either side, seconds. */
const aroundSeconds = 90
/** Traces are in the store after as long, seconds. */
export const tracedAfterSeconds = 400
const sightsMax = 2_000
const tracesMax = 200

const keys = new ClassKeys(vectors)

export function decodedTraces(saved: readonly SavedTrace[]): Trace[] {
  return saved.flatMap((each) => decodeTrace(each, keys) ?? [])
}

export async function explain(
  { store, targets, nowMs, keptFromMs }: ExplainParts,
  { userId, address, atMs, knownFromMs, isAdmin }: Asked,
): Promise<Explanation> {
  const second = Math.floor(atMs / 1000 / traceSeconds) * traceSeconds
  const fromMinute = Math.floor(atMs / 60_000) * 60
  const network = networkOf(address, wholeLength)
  const lengths = isAdmin ? Array.from({ length: 9 }, (_, i) => wholeLength + i) : [addressLength]
  const places = lengths.map((length) => ({ address: networkOf(address, length), length }))
  const around = { fromSecond: second - aroundSeconds, toSecond: second + traceSeconds + aroundSeconds }
  const isLate = nowMs / 1000 - second < tracedAfterSeconds
  const latest = isLate ? decodedTraces(await targets.latestTraces(address)) : []
  const { traces: saved } = await store.tracesOf(userId, places, { ...around, limit: tracesMax })
  const known = Math.ceil(knownFromMs / 1000)
  const traces = merged(decodedTraces(saved), latest).filter(
    (trace) => trace.second >= Math.max(around.fromSecond, known) && trace.second < around.toSecond,
  )
  const minuteOf = async (of: readonly number[]) => {
    const wanted = of.map((each) => ({ address: each, fromMinute: Math.ceil(known / 60) * 60 }))
    const window = { fromMinute, toMinute: fromMinute + 60, stepSeconds: 60 }
    return (await store.sumSeries(userId, wanted, window)).at(0) ?? null
  }
  const isOwn = ({ length }: Trace) => length === addressLength
  const { settings } = await targets.stateOf(address, knownFromMs)
  const neighbours = Array.from(
    { length: lastKey({ network, length: wholeLength }) - network + 1 },
    (_, i) => network + i,
  )
  return presentExplanation({
    ...{ address, atMs, knownFromMs, isAdmin, nowMs, keptFromMs, second, settings },
    traces: traces.filter(isOwn),
    networks: traces.filter((trace) => !isOwn(trace) && isAdmin),
    minute: await minuteOf([address]),
    minuteOfNetwork: isAdmin ? await minuteOf(neighbours) : null,
    sights: await store.sightsBetween(userId, {
      fromSecond: fromMinute,
      toSecond: fromMinute + tracedAfterSeconds + 120,
      limit: sightsMax,
    }),
    firstSight: await store.firstSight(userId),
    events: await eventsHitting(store, userId, {
      address,
      fromMs: second * 1000,
      toMs: (second + traceSeconds) * 1000,
    }),
    learnSeconds: targets.detect.learnSeconds,
  })
}

export interface ExplainParts {
  store: Kept
  targets: LatestTraces & { stateOf(address: number, knownFromMs: number): Promise<TargetState> }
  nowMs: number
  keptFromMs: number
}

/** Those of the detector are in place of those of the store, which were made before late records came. */
function merged(saved: readonly Trace[], latest: readonly Trace[]): Trace[] {
  const key = ({ address, length, second }: Trace) => `${address}/${length} ${second}`
  const all = new Map([...saved, ...latest].map((trace) => [key(trace), trace]))
  return [...all.values()].sort((a, b) => a.second - b.second)
}

// Judges what is kept of an address again, by the settings as they are and by changed ones: a slice of the traces at a time, so that nobody waits for it.
import { setImmediate as nextTurn } from 'node:timers/promises'
import type { JudgedAttack, WhatIf } from '../../contract/explanations.ts'
import { formatTime } from '../../contract/time.ts'
import { traces as lines } from '../../detect/lines/traces.ts'
import type { DetectSettings } from '../../detect/settings.ts'
import type { TargetSettings } from '../../detect/targets/target-settings.ts'
import { Calm, traceOfMinute } from '../../detect/trace/minute-trace.ts'
import { difference, Replay, type ReplayedAttack, type ReplaySettings } from '../../detect/trace/replay.ts'
import { type Trace, traceSeconds } from '../../detect/trace/trace.ts'
import { formatKey } from '../../net/address.ts'
import { addressLength } from '../../net/network.ts'
import type { StepSum } from '../../store/store.ts'
import { rounded, roundedRate } from '../rounding.ts'
import { type Asked, decodedTraces, type ExplainParts, tracedAfterSeconds } from './explain.ts'
import { amountOf } from './explanation-text.ts'
import { isLearnt, metricOf } from './present-explanation.ts'
import { eventsHitting } from './told-events.ts'

/** The settings that can be tried; null: as it is. */
export interface Changes {
  packetsPerSecond: number | null
  bytesPerSecond: number | null
  flowsPerSecond: number | null
  sensitivity: number | null
  enabled: boolean | null
  quietSeconds: number | null
  reopenSeconds: number | null
}

export interface WhatIfAsked extends Omit<Asked, 'atMs'> {
  fromMs: number
  toMs: number
  changes: Changes
}

/** Traces of an answer, of the store and made of minutes: some four seconds of work, in slices. */
const tracesMax = 10_000
const tracesAtOnce = 1_000
/** Traces that are judged by both in some five milliseconds. */
const slice = 20
const attacksMax = 500

type Judged = WhatIf['settings']

export async function whatIf(
  parts: ExplainParts,
  { userId, address, fromMs, toMs, knownFromMs, isAdmin, changes }: WhatIfAsked,
  isWanted: () => boolean,
): Promise<WhatIf> {
  const { store, targets, nowMs, keptFromMs } = parts
  const { detect } = targets
  const { settings } = await targets.stateOf(address, knownFromMs)
  const asIs = judgedOf(settings, detect)
  const changed = { ...asIs, ...given(changes) }
  // The half minute in which the address became the caller's has traffic from before.
  const fromSecond = Math.max(startOf(Math.max(fromMs, keptFromMs)), firstFrom(knownFromMs))
  const toSecond = Math.max(fromSecond, startOf(toMs))
  const isLate = nowMs / 1000 - toSecond < tracedAfterSeconds
  const latest = isLate ? decodedTraces(await targets.latestTraces(address)) : []
  const minutes = await minutesOf(parts, { userId, address, fromSecond, toSecond }, isWanted)
  const replays = [asIs, changed].map((judged) => new Judging(judged, detect))
  const learnt = { knownFromMs, isAdmin, learnSeconds: detect.learnSeconds }
  let [count, tracedSeconds, minuteSeconds, at] = [0, 0, 0, fromSecond]
  const take = async (trace: Trace, isOfMinute: boolean) => {
    const hasNormal = isOfMinute || isLearnt(trace, learnt)
    for (const replay of replays) replay.add(trace, hasNormal)
    if (isOfMinute) minuteSeconds += traceSeconds
    else tracedSeconds += traceSeconds
    at = trace.second + traceSeconds
    if (++count % slice === 0) await nextTurn()
  }
  const calm = new Calm(minutes)
  const limits = limitsOf(changed)
  let isCut = false
  for await (const trace of tracesOf(parts, { userId, address, fromSecond, toSecond }, latest)) {
    for (const other of calm.until(trace, limits)) if (count < tracesMax) await take(traceOfMinute(other, limits), true)
    isCut = count >= tracesMax || !isWanted()
    if (isCut) break
    await take(trace, false)
  }
  if (!isCut) {
    for (const other of calm.rest(limits)) if (count < tracesMax) await take(traceOfMinute(other, limits), true)
    isCut = count >= tracesMax
  }
  const judgedTo = isCut ? at : toSecond
  const [before, after] = replays.map((replay) => replay.end())
  const { lost, won } = difference(before, after)
  const span = { fromSecond, toSecond: judgedTo }
  const isAny = [before, after].some((attacks) => attacks.length > attacksMax)
  return {
    address: formatKey(address),
    from: formatTime(fromSecond * 1000),
    to: formatTime(judgedTo * 1000),
    isCut: isCut || isAny,
    settings: asIs,
    changed,
    answer: answerTo(before, after, { lost, won, isCut }),
    before: before.slice(0, attacksMax).map(presentAttack),
    after: after.slice(0, attacksMax).map(presentAttack),
    lost: lost.slice(0, attacksMax).map(presentAttack),
    won: won.slice(0, attacksMax).map(presentAttack),
    events: await eventsHitting(store, userId, { address, fromMs: fromSecond * 1000, toMs: judgedTo * 1000 + 1 }),
    judged: {
      tracedSeconds,
      minuteSeconds,
      untraced: await untracedIn(parts, userId, span, isAdmin),
      nearPart: lines.nearPart,
    },
  }
}

/** One of the two ways to judge. The replay begins with the first trace. */
class Judging {
  readonly #settings: ReplaySettings
  #replay: Replay | null = null

  constructor(judged: Judged, detect: DetectSettings) {
    const { quietSeconds, reopenSeconds, enabled } = judged
    this.#settings = { limits: limitsOf(judged), enabled, detect: { ...detect, quietSeconds, reopenSeconds } }
  }

  add(trace: Trace, learnt: boolean): void {
    this.#replay ??= new Replay(trace, this.#settings)
    this.#replay.add(trace, learnt)
  }

  end(): ReplayedAttack[] {
    return this.#replay?.end() ?? []
  }
}

interface Stretch {
  userId: string
  address: number
  fromSecond: number
  toSecond: number
}

/** Traces by time: those of the store, then those that it does not have yet. */
async function* tracesOf(
  { store }: Pick<ExplainParts, 'store'>,
  { userId, address, fromSecond, toSecond }: Stretch,
  latest: readonly Trace[],
): AsyncIterable<Trace> {
  const place = { address, length: addressLength }
  const last = latest.filter((each) => each.length === addressLength && each.second < toSecond)
  const endSecond = Math.min(toSecond, last.at(0)?.second ?? toSecond)
  for (let from = fromSecond; from < endSecond; ) {
    const { traces } = await store.tracesOf(userId, [place], {
      fromSecond: from,
      toSecond: endSecond,
      limit: tracesAtOnce,
    })
    yield* decodedTraces(traces)
    const end = traces.at(-1)
    if (end === undefined || traces.length < tracesAtOnce) break
    from = end.second + 1
  }
  yield* last.filter(({ second }) => second >= fromSecond)
}

/** The minutes of the address, by time. */
async function minutesOf(
  { store }: Pick<ExplainParts, 'store'>,
  { userId, address, fromSecond, toSecond }: Stretch,
  isWanted: () => boolean,
): Promise<StepSum[]> {
  const fromMinute = Math.ceil(fromSecond / 60) * 60
  const toMinute = Math.max(fromMinute, Math.floor(toSecond / 60) * 60)
  const window = { fromMinute, toMinute, stepSeconds: 60 }
  const sums = await store.sumSeries(userId, [{ address, fromMinute }], window, isWanted)
  return sums.sort((a, b) => a.minute - b.minute)
}

async function untracedIn(
  { store }: Pick<ExplainParts, 'store'>,
  userId: string,
  { fromSecond, toSecond }: { fromSecond: number; toSecond: number },
  isAdmin: boolean,
): Promise<number> {
  // The service notes one a minute.
  const limit = Math.ceil((toSecond - fromSecond) / 60) + 1
  const untraced = await store.sightsBetween(userId, { fromSecond, toSecond, limit, kinds: ['untraced'] })
  // How much of others is near a line is not for everybody.
  return isAdmin ? untraced.reduce((sum, { amount }) => sum + Math.round(amount), 0) : Math.min(1, untraced.length)
}

function judgedOf({ values, limits }: TargetSettings, { quietSeconds, reopenSeconds }: DetectSettings): Judged {
  const { packetsPerSecond, bytesPerSecond, flowsPerSecond, enabled } = values
  const { sensitivity } = limits
  return { packetsPerSecond, bytesPerSecond, flowsPerSecond, sensitivity, enabled, quietSeconds, reopenSeconds }
}

function given(changes: Changes): Partial<Judged> {
  return Object.fromEntries(Object.entries(changes).filter(([, value]) => value !== null))
}

function limitsOf({ packetsPerSecond, bytesPerSecond, flowsPerSecond, sensitivity }: Judged): ReplaySettings['limits'] {
  const limit = (rate: number) => rate || Number.POSITIVE_INFINITY
  return {
    packets: limit(packetsPerSecond),
    bytes: limit(bytesPerSecond),
    flows: limit(flowsPerSecond),
    sensitivity,
  }
}

/** The half minute that a moment is in, Unix time. */
function startOf(ms: number): number {
  return Math.floor(ms / 1000 / traceSeconds) * traceSeconds
}

/** The first half minute that has nothing from before a moment, Unix time. */
function firstFrom(ms: number): number {
  return Math.ceil(ms / 1000 / traceSeconds) * traceSeconds
}

function presentAttack({
  label,
  startMs,
  endMs,
  packetsPerSecond,
  bytesPerSecond,
  metric,
  value,
  line,
}: ReplayedAttack): JudgedAttack {
  return {
    attackType: label,
    start: formatTime(startMs),
    end: formatTime(endMs),
    packetsPerSecond: roundedRate(packetsPerSecond),
    bytesPerSecond: roundedRate(bytesPerSecond),
    metric: metricOf(metric),
    rate: rounded(value),
    line: rounded(line),
  }
}

function answerTo(
  before: readonly ReplayedAttack[],
  after: readonly ReplayedAttack[],
  { lost, won, isCut }: { lost: readonly ReplayedAttack[]; won: readonly ReplayedAttack[]; isCut: boolean },
): string {
  const end = isCut ? ' No more than this part of the time was judged.' : ''
  if (lost.length + won.length === 0) {
    const both = after.length === 0 ? 'none' : amountOf(after.length)
    return `The changed settings would have found the same attacks: ${both}.${end}`
  }
  const [more, fewer] = [won.length, lost.length].map((count) => (count === 0 ? 'none' : amountOf(count)))
  const noun = won.length === 1 ? 'attack' : 'attacks'
  return `With the changed settings there would have been ${more} ${noun} more and ${fewer} fewer: ${amountOf(after.length)} instead of ${amountOf(before.length)}.${end}`
}

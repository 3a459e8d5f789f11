// An explanation as the interface gives it. Pure.
import type { BlindSpot, ExplainedClass, ExplainedNetwork, Explanation } from '../../contract/explanations.ts'
import { formatTime } from '../../contract/time.ts'
import { type ClassLook, type Look, lookAt } from '../../detect/trace/look.ts'
import { type Trace, type TracedAttack, type TraceLimits, traceSeconds } from '../../detect/trace/trace.ts'
import { formatKey } from '../../net/address.ts'
import { formatNetworkKey, networkOf } from '../../net/network.ts'
import type { Sight, StepSum } from '../../store/store.ts'
import { rounded, roundedRate } from '../rounding.ts'
import type { Facts } from './explain.ts'
import { answerTo, blindText, type Seen } from './explanation-text.ts'

const classesMax = 25
const wholeLength = 24
/** The service notes each minute within another one: see serve/traces/sight-log.ts. */
const notedSeconds = 120

export function presentExplanation(facts: Facts): Explanation {
  const { address, atMs, second, traces, minute, knownFromMs, isAdmin, keptFromMs, nowMs, settings, events } = facts
  const trace = traces.find((each) => each.second === second) ?? null
  const look = trace === null ? null : lookAt(traces, second, isLearnt(trace, facts))
  const fromMinute = Math.floor(atMs / 60_000) * 60
  const seen = look !== null || minute !== null
  const [from, seconds] = look === null ? [fromMinute, 60] : [second, traceSeconds]
  const classes = look === null ? ofMinute(minute) : look.classes.slice(0, classesMax).map(presentClass)
  const attacks = (trace?.attacks ?? []).filter(({ startSecond }) => startSecond * 1000 >= knownFromMs)
  const blind = blindSpots(facts, isAdmin)
  const verdict = verdictOf(facts, { trace, look, attacks: attacks.length })
  const { limits } = trace ?? (seen ? settings : { limits: null })
  return {
    address: formatKey(address),
    at: formatTime(atMs),
    verdict,
    answer: answerTo({ verdict, classes, events, attacks, blind, seconds, keptFromMs, ...asSeen(facts) }),
    from: formatTime(from * 1000),
    to: formatTime((from + seconds) * 1000),
    stepSeconds: look === null ? (seen ? 60 : null) : 10,
    isLearnt: trace === null ? null : isLearnt(trace, facts),
    limits: limits === null ? null : presentLimits(limits),
    busiestSecond: minute === null ? null : presentRates(minute.busiest, 1),
    classes,
    networks: isAdmin ? presentNetworks(facts) : null,
    blind,
    events,
    attacks: attacks.map(presentSpan),
    keptFrom: formatTime(Math.min(Math.max(keptFromMs, knownFromMs), nowMs)),
  }
}

function asSeen({ minute, sights, second, nowMs }: Facts): Pick<Seen, 'packetsPerSecond' | 'isUntraced' | 'isCutOff'> {
  return {
    packetsPerSecond: minute === null ? 0 : minute.packets / 60,
    isUntraced: sights.some(({ kind, minute }) => kind === 'untraced' && minute <= second + notedSeconds),
    isCutOff: !ranAfter(sights, second, nowMs),
  }
}

function verdictOf(
  facts: Facts,
  { trace, look, attacks }: { trace: Trace | null; look: Look | null; attacks: number },
): Explanation['verdict'] {
  const { events, atMs, knownFromMs, keptFromMs, minute, sights, firstSight, nowMs, second, settings } = facts
  if (events.length > 0) return 'event'
  if (atMs < knownFromMs) return 'not-yours'
  if (attacks > 0) return 'attack'
  if (trace !== null && look !== null) {
    if (!trace.judged) return 'not-judged'
    const isAbove = look.classes.some(({ nearest }) => nearest !== null && nearest.rate > nearest.line)
    return look.found.length > 0 || isAbove ? 'crossed' : 'below'
  }
  const isKnown = firstSight !== null && firstSight <= second
  if (minute !== null) {
    if (!settings.values.enabled) return 'not-judged'
    const { isUntraced, isCutOff } = asSeen(facts)
    return !isKnown || isUntraced || isCutOff ? 'by-the-minute' : 'far-below'
  }
  if (atMs < keptFromMs || !isKnown) return 'not-kept'
  const ran = sights.some(({ kind, minute }) => kind === 'watched' && minute <= second + notedSeconds)
  return ran || nowMs / 1000 - second < notedSeconds ? 'no-traffic' : 'not-running'
}

/** Whether the service ran when the half minute was due to be traced. */
function ranAfter(sights: readonly Sight[], second: number, nowMs: number): boolean {
  const due = second + 320
  return (
    nowMs / 1000 < due + notedSeconds || sights.some(({ kind, minute }) => kind === 'watched' && minute >= due - 60)
  )
}

/** Whether the owner may know what was normal: not what was learnt before the address was theirs. */
export function isLearnt(
  { learnt, second }: Trace,
  { knownFromMs, isAdmin, learnSeconds }: Pick<Facts, 'knownFromMs' | 'isAdmin' | 'learnSeconds'>,
) {
  return learnt && (isAdmin || second >= knownFromMs / 1000 + learnSeconds)
}

function presentClass({
  label,
  matches,
  packets,
  bytes,
  flows,
  sources,
  normal,
  floors,
  nearest,
}: ClassLook): ExplainedClass {
  return {
    attackType: label,
    matches,
    packetsPerSecond: roundedRate(packets),
    bytesPerSecond: roundedRate(bytes),
    flowsPerSecond: roundedRate(flows),
    sources: Number.isFinite(sources) ? Math.round(sources) : null,
    normal:
      normal === null ? null : { packetsPerSecond: roundedRate(normal.level), spread: roundedRate(normal.spread) },
    floor: floors === null ? null : roundedRate(floors.whole),
    partialFloor: floors === null ? null : roundedRate(floors.partial),
    nearest:
      nearest === null
        ? null
        : {
            metric: metricOf(nearest.metric),
            seconds: nearest.seconds,
            rate: roundedRate(nearest.rate),
            line: roundedRate(nearest.line),
            part: rounded(nearest.rate / nearest.line, 4),
            from: nearest.isNormal ? 'normal' : 'floor',
            isWhole: nearest.whole,
          },
  }
}

export function metricOf(metric: string): 'packets' | 'bytes' | 'flows' {
  return metric === 'bytes' || metric === 'flows' ? metric : 'packets'
}

/** What a minute alone tells: all traffic. */
function ofMinute(minute: StepSum | null): ExplainedClass[] {
  if (minute === null) return []
  const unknown = { sources: null, normal: null, floor: null, partialFloor: null, nearest: null }
  return [{ attackType: null, matches: null, ...presentRates(minute, 60), ...unknown }]
}

function presentRates({ packets, bytes, flows }: { packets: number; bytes: number; flows: number }, seconds: number) {
  return {
    packetsPerSecond: roundedRate(packets / seconds),
    bytesPerSecond: roundedRate(bytes / seconds),
    flowsPerSecond: roundedRate(flows / seconds),
  }
}

function presentLimits({ packets, bytes, flows, sensitivity }: TraceLimits): NonNullable<Explanation['limits']> {
  const finite = (limit: number) => (Number.isFinite(limit) ? roundedRate(limit) : null)
  return {
    packetsPerSecond: finite(packets),
    bytesPerSecond: finite(bytes),
    flowsPerSecond: finite(flows),
    sensitivity: rounded(sensitivity),
  }
}

function presentNetworks(facts: Facts): ExplainedNetwork[] {
  const { networks, second, address, minuteOfNetwork } = facts
  const byNetwork = Map.groupBy(networks, (trace) => formatNetworkKey({ network: trace.address, length: trace.length }))
  const traced = [...byNetwork].flatMap(([network, traces]): ExplainedNetwork[] => {
    const trace = traces.find((each) => each.second === second)
    const look = trace === undefined ? null : lookAt(traces, second, trace.learnt)
    if (trace === undefined || look === null) return []
    const [all, ...others] = look.classes.map(presentClass)
    const { packetsPerSecond, bytesPerSecond, flowsPerSecond } = all
    const attacks = trace.attacks.map(presentSpan)
    return [
      { network, packetsPerSecond, bytesPerSecond, flowsPerSecond, classes: others.slice(0, classesMax), attacks },
    ]
  })
  const whole = formatNetworkKey({ network: networkOf(address, wholeLength), length: wholeLength })
  if (minuteOfNetwork === null || traced.some(({ network }) => network === whole)) return traced
  return [{ network: whole, ...presentRates(minuteOfNetwork, 60), classes: [], attacks: [] }, ...traced]
}

function presentSpan({ label, startSecond, lastSecond }: TracedAttack): Explanation['attacks'][number] {
  return { attackType: label, start: formatTime(startSecond * 1000), end: formatTime((lastSecond + 1) * 1000) }
}

function blindSpots({ sights, second }: Facts, isAdmin: boolean): BlindSpot[] {
  return sights.flatMap(({ kind, exporter, amount, minute }) => {
    if (kind === 'watched' || minute > second + notedSeconds - 60) return []
    // How much of others is near a line is not for everybody.
    const shown = {
      kind,
      exporter: isAdmin && exporter !== '' ? exporter : null,
      amount: kind === 'untraced' && !isAdmin ? 1 : amount,
    }
    return [{ ...shown, text: blindText(shown) }]
  })
}

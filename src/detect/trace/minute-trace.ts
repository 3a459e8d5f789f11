// Half minutes that came near no line are kept by the minute only. Where they are above a limit that is tried, they are judged by the average of the
// minute, against a normal that is made of the minutes before.
import { total } from '../../vectors/compile.ts'
import { stepsPerTrace, type Trace, type TraceLimits, type TraceStep, traceSeconds } from './trace.ts'

/** Amounts of a minute. */
export interface Minute {
  /** Where it begins, Unix time, seconds. */
  minute: number
  packets: number
  bytes: number
  flows: number
}

/** A half minute without a trace. */
export interface CalmHalf extends Pick<Minute, 'packets' | 'bytes' | 'flows'> {
  second: number
  /** What was normal until then, packets a second. */
  normal: number
}

const minuteSeconds = 60
/** Weight of a minute in what is normal: two hours are what a new level takes to be learnt. */
const weight = 1 / 120
/** A minute teaches no more than this multiple of normal, so that an attack teaches little. */
const taughtMax = 3

/** Goes through the minutes of an address beside its traces. */
export class Calm {
  readonly #minutes: readonly Minute[]
  #next = 0
  #normal: number | null = null
  /** The traces of the minute that goes on: by second, the packets. */
  #traced: Trace[] = []

  /** By time. */
  constructor(minutes: readonly Minute[]) {
    this.#minutes = minutes
  }

  /** The half minutes before a trace that are above a limit. The traces come by time. */
  *until(trace: Trace, limits: TraceLimits): Iterable<CalmHalf> {
    const minute = trace.second - (trace.second % minuteSeconds)
    yield* this.#upTo(minute, limits)
    this.#traced.push(trace)
  }

  *rest(limits: TraceLimits): Iterable<CalmHalf> {
    yield* this.#upTo(Number.POSITIVE_INFINITY, limits)
  }

  *#upTo(end: number, limits: TraceLimits): Iterable<CalmHalf> {
    for (; this.#next < this.#minutes.length && this.#minutes[this.#next].minute < end; this.#next++) {
      const minute = this.#minutes[this.#next]
      yield* this.#halvesOf(minute, limits)
      this.#learn(minute)
    }
    this.#traced = this.#traced.filter(({ second }) => second >= end)
  }

  /** What the traces of the minute do not have is that of its other half. */
  *#halvesOf(minute: Minute, limits: TraceLimits): Iterable<CalmHalf> {
    const traced = this.#traced.filter(
      ({ second }) => second >= minute.minute && second < minute.minute + minuteSeconds,
    )
    const halves = [minute.minute, minute.minute + traceSeconds].filter((second) =>
      traced.every((trace) => trace.second !== second),
    )
    const restOf = (metric: 'packets' | 'bytes' | 'flows') =>
      Math.max(0, minute[metric] - traced.reduce((sum, trace) => sum + sumOf(trace, metric), 0)) / halves.length
    for (const second of halves) {
      const half = { packets: restOf('packets'), bytes: restOf('bytes'), flows: restOf('flows') }
      const isAbove = (['packets', 'bytes', 'flows'] as const).some((name) => half[name] / traceSeconds > limits[name])
      if (isAbove) yield { second, ...half, normal: this.#normal ?? minute.packets / minuteSeconds }
    }
  }

  #learn({ packets }: Minute): void {
    const rate = packets / minuteSeconds
    const normal = this.#normal ?? rate
    this.#normal = normal + weight * (Math.min(rate, taughtMax * normal) - normal)
  }
}

function sumOf({ classes }: Trace, metric: 'packets' | 'bytes' | 'flows'): number {
  const all = classes.find(({ trafficClass }) => trafficClass === total)
  return all?.steps.reduce((sum, step) => sum + (step?.[metric] ?? 0), 0) ?? 0
}

/** A trace with all traffic alone, spread evenly. Packets count as observed: how they were sampled is not kept. */
export function traceOfMinute({ second, packets, bytes, flows, normal }: CalmHalf, limits: TraceLimits): Trace {
  const step: TraceStep = {
    packets: packets / stepsPerTrace,
    bytes: bytes / stepsPerTrace,
    flows: flows / stepsPerTrace,
    observed: packets / stepsPerTrace,
    ...{ sources: 0, ports: 0, forgedSeconds: 0 },
  }
  const steps = Array.from({ length: stepsPerTrace }, () => step)
  const known = { level: normal, mean: normal, spread: 0, packetBytes: 0 }
  return {
    ...{ address: 0, length: 32, second, learnt: true, judged: true, limits, attacks: [] },
    classes: [{ trafficClass: total, normal: known, steps }],
  }
}

// A target as it was, made of its traces: the judge is shown the same rates and the same normal as then.
import { possibleSources } from '../../aggregate/marks.ts'
import { type CounterColumns, createCounterColumns } from '../../aggregate/sealed-slot.ts'
import { total } from '../../vectors/compile.ts'
import { createBaselineRows, type Normal, noNormal } from '../normal/baseline.ts'
import { createSeasonRows } from '../normal/season.ts'
import { RatePages } from '../rates/rate-pages.ts'
import { Target } from '../targets/target.ts'
import { stepSeconds, stepsPerTrace, type Trace, type TraceStep } from './trace.ts'

/** Pages of rates: a ring of each class that a target may have, and some. */
const pagesMax = 2_000
/** Values that a restored normal rests on: more than are ever waited for. */
const valuesLearnt = 1_000

export class TracedTarget {
  readonly target: Target
  readonly #counters = createCounterColumns(2)

  constructor({ address, length, second }: Pick<Trace, 'address' | 'length' | 'second'>) {
    const memory = {
      rates: new RatePages(pagesMax),
      baselines: createBaselineRows(),
      seasons: createSeasonRows(),
    }
    this.target = new Target({ memory, address, length, priorOf: () => 0 }, second)
  }

  /** Adds the traffic of one of the steps of a trace. */
  addStep({ second, classes }: Trace, step: number): void {
    const from = second + step * stepSeconds
    for (const { trafficClass, steps } of classes) {
      const sums = steps[step] ?? null
      if (sums === null) continue
      fill(this.#counters, from, sums)
      const rows = { from: 0, to: this.#counters.rows }
      if (trafficClass === total) this.target.raiseTotal(this.#counters, rows)
      else this.target.raise(trafficClass, this.#counters, rows)
      const ring = this.target.series.get(trafficClass)?.ring
      const possible = possibleSources(sums.sources)
      // Marks are those of all seconds of a step; how many of them had a source that no packet can come from is known.
      for (let i = 0; i < stepSeconds; i++)
        ring?.note(from + i, i < sums.forgedSeconds ? sums.sources : possible, sums.ports)
    }
  }

  add(trace: Trace): void {
    for (let step = 0; step < stepsPerTrace; step++) this.addStep(trace, step)
  }

  /** Takes over what was normal at the time of a trace; `learnt`: whether it may be compared with that. */
  setNormal({ classes }: Trace, learnt: boolean): void {
    this.target.learnt = learnt
    for (const { trafficClass, normal } of classes) {
      const { level, mean, spread, packetBytes }: Normal = learnt ? normal : noNormal
      const baseline = this.target.series.get(trafficClass)?.baseline
      if (baseline === undefined) continue
      baseline.restore(Float32Array.of(mean, spread, 0, 0, packetBytes, valuesLearnt))
      baseline.level = level
    }
  }
}

/** Two rows of differences, which spread the sums evenly over a step. */
function fill(counters: CounterColumns, from: number, { packets, bytes, flows, observed }: TraceStep): void {
  counters.rows = 2
  for (const [row, sign] of [1, -1].entries()) {
    counters.second[row] = from + row * stepSeconds
    counters.packets[row] = (sign * packets) / stepSeconds
    counters.bytes[row] = (sign * bytes) / stepSeconds
    counters.flows[row] = (sign * flows) / stepSeconds
    counters.observed[row] = (sign * observed) / stepSeconds
  }
}

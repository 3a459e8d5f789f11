// Notes once a minute how well the service saw the minute before: which exporters were silent, what of theirs was lost or could not be read, and what the
// service itself missed. So it can be said later that a time without an event was a time without sight.
import type { Clock } from '../../clock.ts'
import { hasWorked, type StreamReport, streamKey } from '../../collect/health/report.ts'
import type { Logger } from '../../log.ts'
import type { Metric } from '../../metrics.ts'
import type { Sight, Store } from '../../store/store.ts'
import { PeriodicTask } from '../../task.ts'

const everyMs = 60_000
/** An exporter that sends seldom is silent after as many times its usual pause. */
const pausesMax = 10
/** An exporter that is silent for longer is not one that anything is expected of. */
const expectedMs = 86_400_000
/** Sights of a minute; of more those of the largest amounts. */
const sightsMax = 200
/** A detector that is further behind judges late. */
const behindMsMin = 5_000

export const sightMetrics: readonly Metric<SightLog>[] = [
  {
    name: 'floodgauge_sights_refused_total',
    help: 'What was not seen whole in a minute and is not noted, since more was to be noted than a minute may have.',
    read: ({ counts }) => counts.refused,
  },
]

/** Half minutes are traced when no late record changes them any more: so long after they were. Whole minutes, seconds. */
const tracedAfterSeconds = 360

/** What the service itself missed; the counters are those since the start. */
export interface OwnSight {
  socketDrops: number
  tracesRefused: number
  /** How far the detector is behind now, milliseconds. */
  behindMs: number
}

interface SightLogOptions {
  store: Pick<Store, 'appendSights'>
  clock: Clock
  log: Logger
  reports: () => Iterable<StreamReport>
  own: () => OwnSight
}

/** Counters of a stream that tell what of it could not be used. */
interface Missed {
  countedFromMs: number
  lost: number
  noTemplate: number
  noSampling: number
}

export class SightLog {
  readonly tasks: readonly PeriodicTask[]
  readonly #task: PeriodicTask
  readonly #options: SightLogOptions
  /** By stream, as of a minute ago. */
  #missed = new Map<string, Missed>()
  #own: OwnSight = { socketDrops: 0, tracesRefused: 0, behindMs: 0 }
  readonly counts = { refused: 0 }

  constructor(options: SightLogOptions) {
    this.#options = options
    const { clock, log } = options
    this.#task = new PeriodicTask({
      name: 'sights',
      periodMs: everyMs,
      run: () => this.note(),
      failure: 'how well the last minute was seen could not be written',
      ...{ clock, log },
    })
    this.tasks = [this.#task]
  }

  start(): void {
    // What was missed before the start is not news of its first minute.
    for (const report of this.#options.reports()) this.#missed.set(streamKey(report), missedOf(report))
    this.#task.start()
    void this.#task.run()
  }

  async stop(): Promise<void> {
    await this.#task.stop()
    await this.#task.run()
  }

  /** Notes the minute that goes on: what was missed since the last note. */
  async note(): Promise<void> {
    const { store, clock, own, reports } = this.#options
    const nowMs = clock.now()
    const minute = Math.floor(nowMs / everyMs) * 60
    const sights = [...ofExporters([...reports()], this.#missed, nowMs), ...this.#ofService(own())]
      .filter(({ amount }) => amount > 0)
      .sort((a, b) => b.amount - a.amount)
    this.counts.refused += Math.max(0, sights.length - sightsMax)
    const all = [{ kind: 'watched' as const, exporter: '', amount: 1 }, ...sights.slice(0, sightsMax)]
    await store.appendSights(
      all.map((each) => ({ minute: each.kind === 'untraced' ? minute - tracedAfterSeconds : minute, ...each })),
    )
    this.#missed = new Map(Array.from(reports(), (report) => [streamKey(report), missedOf(report)]))
    this.#own = own()
  }

  #ofService({ socketDrops, tracesRefused, behindMs }: OwnSight): Omit<Sight, 'minute'>[] {
    return [
      { kind: 'dropped', exporter: '', amount: socketDrops - this.#own.socketDrops },
      { kind: 'untraced', exporter: '', amount: tracesRefused - this.#own.tracesRefused },
      { kind: 'behind', exporter: '', amount: behindMs >= behindMsMin ? behindMs : 0 },
    ]
  }
}

function missedOf({ counters, waiting, countedFromMs }: StreamReport): Missed {
  const { sequenceLost, setsExpired, setsCrowdedOut, setsOverflowed, setsOutdated, samplingUnknown } = counters
  const waits = waiting.reduce((sum, { sets }) => sum + sets, 0)
  return {
    countedFromMs,
    lost: sequenceLost,
    noTemplate: setsExpired + setsCrowdedOut + setsOverflowed + setsOutdated + waits,
    noSampling: samplingUnknown,
  }
}

/** What was missed of each exporter since `before`, all of its streams together. */
function ofExporters(
  reports: readonly StreamReport[],
  before: ReadonlyMap<string, Missed>,
  nowMs: number,
): Omit<Sight, 'minute'>[] {
  return [...Map.groupBy(reports, ({ address }) => address)].flatMap(([exporter, streams]) => {
    const sums = { lost: 0, noTemplate: 0, noSampling: 0 }
    for (const stream of streams) {
      const now = missedOf(stream)
      const known = before.get(streamKey(stream))
      // Its counters began again with the service.
      const then = known?.countedFromMs === now.countedFromMs ? known : { lost: 0, noTemplate: 0, noSampling: 0 }
      for (const kind of ['lost', 'noTemplate', 'noSampling'] as const) sums[kind] += now[kind] - then[kind]
    }
    return [
      { kind: 'silent', exporter, amount: silentSeconds(streams, nowMs) },
      { kind: 'lost', exporter, amount: sums.lost },
      { kind: 'no-template', exporter, amount: sums.noTemplate },
      { kind: 'no-sampling', exporter, amount: sums.noSampling },
    ] satisfies Omit<Sight, 'minute'>[]
  })
}

/** For how long nothing came from an exporter that usually sends; 0: it does. */
function silentSeconds(streams: readonly StreamReport[], nowMs: number): number {
  const worked = streams.filter(hasWorked)
  if (worked.length === 0) return 0
  const silentMs = nowMs - Math.max(...streams.map(({ lastMs }) => lastMs))
  const usualMs = Math.min(
    ...worked.map(({ countedFromMs, lastMs, counters: { datagrams } }) =>
      datagrams < 2 ? everyMs : (lastMs - countedFromMs) / (datagrams - 1),
    ),
  )
  const isSilent = silentMs > Math.max(everyMs, pausesMax * usualMs) && silentMs < expectedMs
  return isSilent ? Math.round(silentMs / 1_000) : 0
}

// The service attacks itself once a minute: it sends a simulated attack to each port where flows are expected, and waits for the detector to report
// it. What breaks on the way, whatever it is, shows within two minutes.
import type { Check } from '../../api/http/health.ts'
import type { Clock } from '../../clock.ts'
import { messageOf } from '../../errors.ts'
import { type Logger, LogThrottle } from '../../log.ts'
import { byLabel, type HistogramRow, type Metric } from '../../metrics.ts'
import { formatListen, type ListenAddress } from '../../net/listen.ts'
import type { Store } from '../../store/store.ts'
import { PeriodicTask } from '../../task.ts'
import type { SimulationPipeline } from '../simulated-sender.ts'
import { Probe, type ProbeOutcome, type Probes } from './probe.ts'

/** A test that failed is made again after this; after one that succeeded some are left out, so that it is a minute. */
const periodMs = 10_000
const restAfterSuccess = 5
/** An attack that is found later is found too late. */
const withinMs = 10_000
/** Failures in a row after which an attack would not be seen; one may be a moment in which the machine was busy. */
const failuresMax = 2
/** One of the collectors that share a port gets the datagrams of a test. After this many successes for each, hardly one has been left out. */
const passesPerCollector = 4

export const selfTestDelay: HistogramRow = {
  name: 'floodgauge_selftest_delay_seconds',
  help: 'Time from the first datagram of a simulated attack, which the service sends to itself each minute, to the report of the detector; one for each port.',
  buckets: [0.25, 0.5, 0.75, 1, 1.5, 2, 3, 5, 10],
}

export const selfTestMetrics: readonly Metric<SelfTest>[] = [
  {
    name: 'floodgauge_selftest_runs_total',
    help: 'Simulated attacks that the service has sent to itself, one for each port, by result: found, failed (not found within 10 seconds).',
    labels: ['result'],
    read: ({ counts }) => byLabel('result', counts),
  },
  {
    name: 'floodgauge_selftest_last_found_timestamp_seconds',
    help: 'When one was last found at every port, in Unix time; 0: never.',
    read: ({ last }) => (last === null ? 0 : last.atMs / 1_000),
  },
]

interface SelfTestOptions {
  probes: Probes
  pipeline: SimulationPipeline & { readonly listeners: readonly ListenAddress[]; readonly collectors: number }
  store: Pick<Store, 'checkWritable'>
  clock: Clock
  log: Logger
  onDelay: (seconds: number) => void
}

/** How it stands with one port. */
interface Way {
  /** Since it was last known to be well. */
  failures: number
  /** Successes since the last failure. */
  passes: number
  failure: string
  /** It was well once. */
  hasFound: boolean
}

export class SelfTest {
  readonly tasks: readonly PeriodicTask[]
  readonly counts = { found: 0, failed: 0 }
  /** The last test that succeeded at every port: when it ended, and how long the slowest port took. Null: none has. */
  last: { atMs: number; seconds: number } | null = null
  readonly #options: SelfTestOptions
  readonly #task: PeriodicTask
  readonly #throttle = new LogThrottle()
  /** By the port's address. */
  readonly #ways = new Map<string, Way>()
  #rest = 0

  constructor(options: SelfTestOptions) {
    const { clock, log } = options
    this.#options = options
    this.#task = new PeriodicTask({
      name: 'self-test',
      periodMs,
      run: () => this.#run(),
      failure: 'the service could not test itself',
      ...{ clock, log },
    })
    this.tasks = [this.#task]
  }

  /** Does not wait for the first test: until it has succeeded the service is not ready. */
  start(): void {
    this.#task.start()
    void this.#task.run()
  }

  async stop(): Promise<void> {
    this.#options.probes.stop()
    await this.#task.stop()
  }

  check(): Check {
    const broken = [...this.#ways].find(([, { failures }]) => failures >= failuresMax)
    if (broken !== undefined) {
      const [at, { failure, failures }] = broken
      return { ok: false, detail: `a simulated attack at ${at} was not found, ${failures} times: ${failure}` }
    }
    const unproved = [...this.#ways].find(([, { hasFound, failures }]) => !hasFound && failures > 0)
    if (unproved !== undefined)
      return { ok: false, detail: `none was found yet at ${unproved[0]}: ${unproved[1].failure}` }
    if (this.last === null) return { ok: false, detail: 'a simulated attack is under way' }
    const seconds = Math.max(0, Math.round((this.#options.clock.now() - this.last.atMs) / 1_000))
    return {
      ok: true,
      detail: `a simulated attack was found after ${this.last.seconds.toFixed(1)} s, ${seconds} s ago`,
    }
  }

  async #run(): Promise<void> {
    if (this.#rest > 0) {
      this.#rest--
      return
    }
    const { pipeline, probes, clock } = this.#options
    const outcomes = await Promise.all(
      pipeline.listeners.map((listener) => probes.run(new Probe({ pipeline, clock }), listener, withinMs)),
    )
    const known = outcomes.filter((outcome) => outcome !== null)
    if (known.length < outcomes.length) return
    const written = await this.#writeFailure()
    let slowest = 0
    let isWell = known.length > 0
    for (const [i, outcome] of known.entries()) {
      const result = 'seconds' in outcome && written !== null ? { failure: written } : outcome
      this.#note(formatListen(pipeline.listeners[i]), result)
      if ('seconds' in result) slowest = Math.max(slowest, result.seconds)
      else isWell = false
    }
    if (!isWell) return
    this.last = { atMs: clock.now(), seconds: slowest }
    this.#rest = restAfterSuccess
  }

  /** What is found has to be written, too. Null: it could be. */
  async #writeFailure(): Promise<string | null> {
    try {
      await this.#options.store.checkWritable()
      return null
    } catch (error) {
      return messageOf(error)
    }
  }

  #note(at: string, outcome: ProbeOutcome): void {
    const { pipeline, clock, log, onDelay } = this.#options
    const way = this.#ways.get(at) ?? { failures: 0, passes: 0, failure: '', hasFound: false }
    this.#ways.set(at, way)
    if ('seconds' in outcome) {
      this.counts.found++
      onDelay(outcome.seconds)
      way.hasFound = true
      way.passes++
      if (pipeline.collectors === 1 || way.passes >= passesPerCollector * pipeline.collectors) way.failures = 0
      return
    }
    this.counts.failed++
    way.failures++
    way.passes = 0
    way.failure = outcome.failure
    const heldBack = this.#throttle.pass(at, clock.now())
    if (heldBack === null) return
    log.warn({ at, failure: way.failure, failures: way.failures, heldBack }, 'the self-test has not found its attack')
  }
}

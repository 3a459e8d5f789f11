// Asks the resolvers for names when they are due, within the number of questions that there may be, and says what they answered.
import type { TextResolution } from '../../access/challenge.ts'
import type { Clock } from '../../clock.ts'
import { type Logger, LogThrottle } from '../../log.ts'
import type { NamesSettings } from '../settings.ts'
import { OwnQuestions } from './own-questions.ts'
import { type Resolution, Resolver } from './resolver.ts'
import { Schedule } from './schedule.ts'
import { readAuthorities, serversOf } from './servers.ts'

export interface QuestionsOptions {
  settings: NamesSettings
  clock: Clock
  log: Logger
  /** Told how long each answer of a resolver took. */
  onQueryDuration: (seconds: number) => void
  /** In [0, 1); for the jitter of the schedule. */
  random: () => number
  /** One resolver has answered. */
  onAnswer: (name: string, resolution: Resolution) => void
  /** No resolver could say where the name leads; `all` are the names that the failure stands for. */
  onFailure: (name: string, all: Iterable<string>) => void
}

/** Names being resolved, times resolvers. */
const openMax = 256
const namesMax = 100_000
/** Names that lead to an attacked address and are asked more often for it: with two resolvers, a third of the questions that there may be. */
const closeMax = 1_000

export class Questions {
  readonly resolvers: readonly Resolver[]
  readonly schedule: Schedule
  readonly #options: QuestionsOptions
  readonly #own = new OwnQuestions()
  readonly #throttle = new LogThrottle()
  readonly #stopped = new AbortController()
  #open = 0
  /** Questions that may be asked now. Below zero: some were asked that followed from others, and are to be saved. */
  #budget = 0
  #tickedMs = 0

  constructor(options: QuestionsOptions) {
    const { settings, clock, random, onQueryDuration } = options
    this.#options = options
    this.schedule = new Schedule({
      intervalMinMs: settings.intervalMinSeconds * 1_000,
      intervalMaxMs: settings.intervalMaxSeconds * 1_000,
      closeIntervalMs: settings.attackIntervalSeconds * 1_000,
      namesMax,
      closeMax,
      random,
    })
    const authorities = readAuthorities(settings)
    this.resolvers = serversOf(settings).map(
      (server) =>
        new Resolver({
          server,
          authorities,
          timeoutMs: settings.timeoutSeconds * 1_000,
          attempts: settings.attempts,
          signal: this.#stopped.signal,
          onAsk: (asked) => {
            this.#budget--
            this.#own.note(asked, clock.now())
          },
          onDuration: onQueryDuration,
        }),
    )
  }

  /** Names being resolved, times resolvers. */
  get open(): number {
    return this.#open
  }

  /** Questions that may be asked now beside those that have to be: half of what there may be is left to these. */
  get spare(): number {
    return Math.floor(this.#budget - this.#options.settings.queriesPerSecond / 2)
  }

  /** What each resolver says of the texts (TXT) of a name. What it costs of the questions that there may be is saved later. */
  textsOf(name: string): Promise<TextResolution[]> {
    return Promise.all(this.resolvers.map((resolver) => resolver.texts(name)))
  }

  /** Asks for what is due. */
  ask(nowMs: number): void {
    if (nowMs < this.#tickedMs) this.schedule.shift(nowMs - this.#tickedMs)
    const { queriesPerSecond } = this.#options.settings
    const earned = (Math.max(0, nowMs - this.#tickedMs) / 1_000) * queriesPerSecond
    this.#budget = Math.min(this.#budget + earned, Math.max(queriesPerSecond, this.resolvers.length))
    this.#tickedMs = nowMs
    const questions = Math.min(this.#budget, openMax - this.#open)
    for (const name of this.schedule.take(nowMs, Math.floor(questions / this.resolvers.length))) void this.#lookUp(name)
  }

  /** See `OwnQuestions.takeEcho`. */
  takeEcho(name: string, sensor: string, nowMs: number): boolean {
    return this.#own.takeEcho(name, sensor, nowMs)
  }

  stop(): void {
    this.#stopped.abort()
  }

  /** Asks every resolver; each answer counts as soon as it is there, so that a slow resolver delays nothing. */
  async #lookUp(name: string): Promise<void> {
    const { clock, onAnswer, onFailure } = this.#options
    this.#open += this.resolvers.length
    const resolutions = await Promise.all(
      this.resolvers.map(async (resolver) => {
        const resolution = await resolver.resolve(name)
        this.#open--
        // The resolver has asked for these, too.
        if (resolution.kind === 'addresses') for (const target of resolution.chain) this.#own.note(target, clock.now())
        onAnswer(name, resolution)
        return resolution
      }),
    )
    if (this.#stopped.signal.aborted) return
    const nowMs = clock.now()
    const ttls = resolutions.flatMap((resolution) => (resolution.kind === 'addresses' ? [resolution.ttlSeconds] : []))
    if (ttls.length > 0) {
      this.schedule.answered(name, nowMs, Math.min(...ttls))
    } else if (resolutions.some(({ kind }) => kind === 'absent')) {
      this.schedule.absent(name, nowMs)
    } else {
      onFailure(name, this.schedule.failed(name, nowMs))
      this.#warn(name, resolutions)
    }
  }

  #warn(name: string, resolutions: readonly Resolution[]): void {
    const { clock, log } = this.#options
    const heldBack = this.#throttle.pass('unresolved', clock.now())
    if (heldBack === null) return
    const reasons = resolutions.map((resolution, i) =>
      resolution.kind === 'failed' ? (this.resolvers[i].refusal ?? resolution.reason) : resolution.kind,
    )
    log.warn({ name, reasons, heldBack }, 'a name could not be resolved; its last known addresses are kept')
  }
}

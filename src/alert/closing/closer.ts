// Closes incidents that receivers have open though their channel was deleted, with its user or alone, or its user is no admin any more. The receiver is told that it
// is over, and nothing else: whoever reads it there may not be meant to know more.
import { PeriodicTask } from '../../task.ts'
import type { AlertStore } from '../alert-store.ts'
import { attemptSignal } from '../channels/kind.ts'
import type { Room } from '../outgoing/room.ts'
import type { SendParts } from '../send-parts.ts'
import type { Closing, ClosingStore } from './closing-store.ts'

const periodMs = 10_000
/** What was not closed is tried again after as long as it has waited, within these. */
const pauses = { minMs: 60_000, maxMs: 3_600_000 } as const
const untilMs = 86_400_000
/** As many are looked at of one user, and of all; the rest has its turn at the next look. */
const limits = { perUser: 64, limit: 1_000 } as const

type Parts = Pick<
  SendParts,
  'kinds' | 'secretsOf' | 'installation' | 'allowed' | 'hostNames' | 'delays' | 'clock' | 'log'
>

interface CloserOptions extends Parts {
  store: ClosingStore & Pick<AlertStore, 'followClock'>
  room: Room
}

export class Closer {
  readonly counts = { closed: 0, failed: 0, given_up: 0 }
  readonly task: PeriodicTask
  readonly #options: CloserOptions
  readonly #end = new AbortController()
  /** By the ids of what is being closed: some receivers take long. */
  readonly #working = new Map<number, Promise<void>>()

  constructor(options: CloserOptions) {
    this.#options = options
    const { clock, log } = options
    const failure = 'incidents of channels that are gone could not be closed; trying again'
    this.task = new PeriodicTask({ name: 'alert-closings', periodMs, run: () => this.#look(), failure, clock, log })
  }

  /** Breaks off what is under way; resolves when it is over. */
  async stop(): Promise<void> {
    this.#end.abort()
    await Promise.all(this.#working.values())
  }

  async #look(): Promise<void> {
    const { store, room, clock, delays } = this.#options
    const { nowMs } = await delays.now(clock, store)
    const due = await store.dueClosings({ nowMs, ...limits })
    const jobs = due
      .filter(({ id }) => !this.#working.has(id))
      .map((closing) => {
        const { channel, hasFailed } = closing
        return { closing, userId: channel.userId, channelId: channel.id, isFailing: hasFailed }
      })
    await room.each(jobs, ({ closing }) => this.#work(closing))
  }

  #work(closing: Closing): Promise<void> {
    const { log } = this.#options
    const working = this.#settle(closing)
      .catch((error) => {
        const what = { err: error, channel: closing.channel.id }
        log.error(what, 'what became of an incident could not be written; it is closed again')
      })
      .finally(() => this.#working.delete(closing.id))
    this.#working.set(closing.id, working)
    return working
  }

  async #settle(closing: Closing): Promise<void> {
    const { store, clock, delays } = this.#options
    if (this.#end.signal.aborted) return
    const { steppedMs } = delays
    const isSettled = await this.#close(closing)
    if (this.#end.signal.aborted) return
    const { nowMs } = await delays.now(clock, store)
    const waitedMs = nowMs - closing.createdMs - (delays.steppedMs - steppedMs)
    const isOver = isSettled || waitedMs > untilMs
    this.counts[isSettled ? 'closed' : isOver ? 'given_up' : 'failed']++
    const pauseMs = Math.min(Math.max(waitedMs, pauses.minMs), pauses.maxMs)
    await store.settleClosing(closing.id, isOver ? null : nowMs + pauseMs)
  }

  /** Whether there is nothing left to be done: the receiver has it closed, or wants no more. */
  async #close({ channel, reach, thread }: Closing): Promise<boolean> {
    const { kinds, secretsOf, installation, allowed, hostNames, clock } = this.#options
    const kind = kinds.get(channel.kind)
    const secrets = secretsOf(channel)
    if (kind?.close === undefined) return true
    if (secrets === null) return false
    const { outcome } = await kind.close(thread, {
      ...{ settings: channel.settings, channelId: channel.id, secrets, reach },
      ...{ installation, allowed, resolve: hostNames.of('closings'), nowMs: clock.now() },
      signal: attemptSignal(kind, this.#end.signal),
    })
    return outcome === 'done' || outcome === 'gone'
  }
}

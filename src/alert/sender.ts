// Sends what is due: one message of a channel at a time, a few channels at once, each at its pace. What it has begun is `sending` in the store until it is settled
// there, and is taken up again after a kill: a message arrives at least once.
import type { EventDetail } from '../events/records.ts'
import { PeriodicTask } from '../task.ts'
import type { Channel, Delivery, Settlement, TakenDelivery, Turn } from './alert-store.ts'
import { type Audience, afterAttempt, endUntilMs, movedBy, persistence, worthMs } from './attempts.ts'
import { type ChannelKind, type Message, type SendOptions, type SendResult, unsent } from './channels/kind.ts'
import { DeliveryCounts } from './delivery-counts.ts'
import { type SendParts, sendOptionsOf } from './send-parts.ts'
import { chooseTurns } from './turns.ts'

/** An attempt takes 15 seconds at most. One whose outcome could not be written is made again after so long. */
const leaseMs = 60_000
/** For messages that another process has made due, and for those that could not be settled. */
const periodMs = 10_000
/** Old messages that one transaction gives up. */
const oldAtOnce = 200
/** Looks for what is due take at most a tenth of the thread's time, however many channels there are: the next one waits for nine times as long as one took. */
const lookShare = 10
/** It waits no longer than this, though a look may take long on a machine that is busy. */
const lookPauseMs = 500

interface SenderOptions extends SendParts {
  /** From 0 to 1. */
  random: () => number
  /** Called with the user of a channel when something became of a message to it. */
  onChanged?: (userId: string) => void
  /** Called when a receiver has a message: how long after it was first due. */
  onDone?: (kind: string, seconds: number) => void
}

export class Sender {
  readonly counts: DeliveryCounts
  /** What waits, as of the last look. */
  waiting: { byKind: Readonly<Record<string, number>>; oldestSeconds: number } = { byKind: {}, oldestSeconds: 0 }
  readonly tasks: readonly PeriodicTask[]
  readonly #options: SenderOptions
  readonly #filling: PeriodicTask
  /** Channels that pause after a message. */
  readonly #pausing = new Set<string>()
  readonly #sending = new Map<Turn, Promise<void>>()
  readonly #end = new AbortController()
  /** No look begins before, by `performance.now()`. */
  #looksAgainMs = 0
  /** How much of the thread's time the look that goes on has had. */
  #spentMs = 0
  #timer: NodeJS.Timeout | null = null
  /** When the timer ends, likewise. */
  #wakesMs = 0
  /** What an earlier process was sending is due again. */
  #hasTakenBack = false

  constructor(options: SenderOptions) {
    this.#options = options
    this.counts = new DeliveryCounts(options.kinds.keys())
    const { clock, log } = options
    const failure = 'messages could not be sent; trying again'
    this.#filling = new PeriodicTask({ name: 'alert-sender', periodMs, run: () => this.#fill(), failure, clock, log })
    const counting = { name: 'alert-waiting', periodMs, run: () => this.#count(), clock, log }
    this.tasks = [this.#filling, new PeriodicTask({ ...counting, failure: 'waiting messages could not be counted' })]
  }

  /** Something may be due. */
  wake(): void {
    if (this.#end.signal.aborted) return
    const waitMs = this.#looksAgainMs - performance.now()
    if (waitMs <= 0) void this.#filling.runAgain()
    else this.#wakeIn(waitMs)
  }

  /** Breaks off what is under way: it is sent again after the next start. */
  async stop(): Promise<void> {
    this.#end.abort()
    if (this.#timer !== null) clearTimeout(this.#timer)
    await Promise.allSettled(this.#sending.values())
  }

  async #fill(): Promise<void> {
    const { store, clock, delays } = this.#options
    if (this.#end.signal.aborted) return
    this.#spentMs = 0
    const { nowMs } = await this.#timed(() => delays.now(clock, store))
    if (!this.#hasTakenBack) await this.#timed(() => store.takeBack(nowMs))
    this.#hasTakenBack = true
    const turns = await this.#timed(() => store.turns({ nowMs, leaseMs, exceptChannels: this.#busy() }))
    const chosen = chooseTurns(turns, this.#sending.keys())
    const ids = chosen.map(({ deliveryId }) => deliveryId)
    const taken = new Map((await this.#timed(() => store.take(ids, nowMs))).map((delivery) => [delivery.id, delivery]))
    for (const turn of chosen) {
      const delivery = taken.get(turn.deliveryId)
      if (delivery !== undefined) this.#begin(delivery, turn, nowMs)
    }
    if (chosen.length === turns.length) await this.#wakeWhenDue()
    this.#looksAgainMs = performance.now() + Math.min(lookPauseMs, (lookShare - 1) * this.#spentMs)
  }

  /** Counts what the store computes, which it does before it returns the promise. Waiting for that would count the work of others, too. */
  #timed<Answer>(ask: () => Promise<Answer>): Promise<Answer> {
    const startedMs = performance.now()
    const answer = ask()
    this.#spentMs += performance.now() - startedMs
    return answer
  }

  #busy(): string[] {
    return [...this.#pausing, ...Array.from(this.#sending.keys(), ({ channelId }) => channelId)]
  }

  /** For when every turn was taken: otherwise the end of what is under way wakes the sender. */
  async #wakeWhenDue(): Promise<void> {
    const { store, clock } = this.#options
    const dueMs = await this.#timed(() => store.nextDue(this.#busy()))
    if (dueMs !== null) this.#wakeIn(Math.min(Math.max(dueMs - clock.now(), 0), periodMs))
  }

  #wakeIn(ms: number): void {
    if (this.#end.signal.aborted) return
    const atMs = performance.now() + ms
    if (this.#timer !== null && this.#wakesMs <= atMs) return
    if (this.#timer !== null) clearTimeout(this.#timer)
    this.#wakesMs = atMs
    this.#timer = setTimeout(() => {
      this.#timer = null
      this.wake()
    }, ms).unref()
  }

  async #count(): Promise<void> {
    const { store, clock } = this.#options
    const { byKind, oldestMs } = await store.waiting()
    this.waiting = { byKind, oldestSeconds: oldestMs === null ? 0 : Math.max(0, clock.now() - oldestMs) / 1_000 }
  }

  #begin(delivery: TakenDelivery, turn: Turn, startedMs: number): void {
    const sending = this.#attempt(delivery, startedMs)
      .catch((error) => {
        const what = { err: error, channel: turn.channelId }
        this.#options.log.error(what, 'what became of a message could not be written; it is sent again')
        return 0
      })
      .then((paceMs) => this.#pause(turn, paceMs))
    this.#sending.set(turn, sending)
    this.#options.onChanged?.(turn.userId)
  }

  #pause(turn: Turn, paceMs: number): void {
    this.#sending.delete(turn)
    this.#options.onChanged?.(turn.userId)
    this.#pausing.add(turn.channelId)
    setTimeout(() => {
      this.#pausing.delete(turn.channelId)
      this.wake()
    }, paceMs).unref()
    this.wake()
  }

  /** Gives how long its channel pauses, milliseconds: its messages begin at its pace. */
  async #attempt(taken: TakenDelivery, startedMs: number): Promise<number> {
    const { store, kinds } = this.#options
    const channel = await store.channelById(taken.channelId)
    // Deleted since then, with all that waited for it.
    if (channel === null) return 0
    const kind = kinds.get(channel.kind)
    const audience = kind?.audience ?? 'programs'
    if (startedMs - taken.createdMs > worthMs(audience, taken)) return this.#giveUpOld(channel, taken, audience)
    const detail = await this.#detailFor(channel, taken)
    const later = kind?.latestOnly === true ? await this.#laterThan(taken) : null
    if (detail === null || later !== null) {
      const given = { state: 'superseded', health: channel.health, isBack: false, result: null } as const
      const settled = { ...partyOf(taken, channel), attempts: taken.attempts, dueMs: startedMs }
      await this.#settle(channel, { ...settled, ...given, ...(later !== null && { into: later.id }) })
      return 0
    }
    const beganMs = performance.now()
    const steppedMs = this.#options.delays.steppedMs
    const sent: SendResult =
      kind === undefined
        ? unsent('settings', `this version has no channels of kind ${channel.kind}`)
        : await this.#send(kind, { delivery: taken, channel, detail })
    if (this.#end.signal.aborted) return 0
    const tookMs = Math.round(performance.now() - beganMs)
    await this.#settleSent(sent, { taken, channel, audience, startedMs, tookMs, steppedMs })
    return Math.max(0, (kind?.paceMs ?? 0) - tookMs)
  }

  /** `steppedMs`: as it was when the attempt began. */
  async #settleSent(sent: SendResult, attempt: FinishedAttempt): Promise<void> {
    const { store, clock, random, delays, onDone } = this.#options
    const { taken, channel, audience, tookMs } = attempt
    const { nowMs } = await delays.now(clock, store)
    // What was read before the clock was set is of the time before.
    const stepMs = delays.steppedMs - attempt.steppedMs
    const createdMs = taken.createdMs + stepMs
    const isAwaited = taken.isAwaited && !(await this.#isPassed(sent, taken))
    const given = { audience, sending: { ...taken, createdMs, isAwaited }, health: movedBy(stepMs, channel.health) }
    const next = afterAttempt(sent, given, { nowMs, random: random() })
    const isDone = sent.outcome === 'done'
    const result = { atMs: attempt.startedMs + stepMs, tookMs, isDone, text: sent.text }
    if (!isDone) this.counts.add(channel.kind, 'failed')
    if (sent.unsent !== undefined) this.counts.unsent[sent.unsent]++
    await this.#settle(channel, { ...partyOf(taken, channel), ...next, result })
    if (isDone) onDone?.(this.counts.nameOf(channel.kind), Math.max(0, nowMs - createdMs) / 1_000)
  }

  /** It is refused and keeps back what comes after it: nobody needs the end of what has come back. */
  async #isPassed({ outcome }: SendResult, delivery: Delivery): Promise<boolean> {
    return outcome === 'refused' && (await this.#laterThan(delivery)) !== null
  }

  /** With everything else on the channel that is too old: each would need a turn of its own to be given up. */
  async #giveUpOld({ id: channelId, kind }: Channel, { id }: Delivery, audience: Audience): Promise<number> {
    const { store, clock, delays } = this.#options
    const { untilMs } = persistence[audience]
    const { nowMs } = await delays.now(clock, store)
    const text = `given up: it waited for more than ${untilMs / 3_600_000} hours`
    const before = { beforeMs: nowMs - untilMs, awaitedBeforeMs: nowMs - endUntilMs }
    for (;;) {
      const count = await store.giveUpOld({ id, channelId, ...before, limit: oldAtOnce, text })
      this.counts.add(kind, 'dead', count)
      if (count < oldAtOnce) return 0
      // Others come in between.
      await new Promise((resolve) => setImmediate(resolve))
    }
  }

  /** What is due later for what the receiver has under the same name, and says all of this, too. */
  async #laterThan({ channelId, thread, notice }: Delivery): Promise<Delivery | null> {
    const latest = await this.#options.store.latestDue(channelId, thread)
    return latest !== null && latest.notice.sequence > notice.sequence ? latest : null
  }

  /** Null: there is no such event any more, or the channel's user may not be told about it any more. */
  async #detailFor({ userId }: Channel, { notice, isFirst }: TakenDelivery): Promise<EventDetail | null> {
    const { store, isAdmin } = this.#options
    if (userId !== notice.userId && !(await isAdmin(userId))) return null
    const event = await store.eventById(notice.userId, notice.eventId)
    if (event !== null || notice.kind !== 'ended' || isFirst) return event
    // It was somebody else's, whatever the notice says by now.
    return (await isAdmin(userId)) ? store.deletedEvent(notice.eventId) : null
  }

  async #settle({ kind }: Channel, settlement: Settlement): Promise<void> {
    await this.#options.store.settle(settlement)
    if (settlement.state !== 'due') this.counts.add(kind, settlement.state)
  }

  async #send(
    kind: ChannelKind,
    { delivery, channel, detail }: { delivery: TakenDelivery; channel: Channel; detail: EventDetail },
  ): Promise<SendResult> {
    const { present, report } = this.#options
    const options = await sendOptionsOf(this.#options, channel, this.#end.signal)
    // The key may be put back.
    if (options === null) return { ...unsent('secrets', 'its secrets cannot be opened'), outcome: 'failed' }
    const { notice, thread, others } = delivery
    const { number, atMs } = notice
    const id = `msg_${notice.eventId}_${number}`
    const together = { thread, ...(others !== null && { others }) }
    const said = { ...saidOf(kind, delivery), ...lateness(kind, delivery, options.nowMs) }
    const told = { id, number, atMs, ...together, ...said, ...this.#linkFor(kind, notice, options) }
    return kind.send({ ...told, event: present(detail), report: report(detail) }, options)
  }

  /** People take note of what goes on. */
  #linkFor(
    { audience }: ChannelKind,
    { kind, eventId }: Delivery['notice'],
    { channelId, nowMs }: Pick<SendOptions, 'channelId' | 'nowMs'>,
  ): Pick<Message, 'acknowledgeUrl'> {
    const isWanted = audience === 'people' && kind !== 'ended'
    const url = isWanted ? this.#options.links.urlFor({ eventId, channelId }, nowMs) : null
    return url === null ? {} : { acknowledgeUrl: url }
  }
}

interface FinishedAttempt {
  taken: TakenDelivery
  channel: Channel
  audience: Audience
  startedMs: number
  tookMs: number
  steppedMs: number
}

function partyOf(
  { id }: Delivery,
  { id: channelId, version }: Channel,
): Pick<Settlement, 'id' | 'channelId' | 'version'> {
  return { id, channelId, version }
}

/** Who is told the latest alone hears of the event first by whatever that is: it is told as a beginning. */
function saidOf({ latestOnly }: ChannelKind, { notice, isFirst }: TakenDelivery): Pick<Message, 'type' | 'facts'> {
  const { kind, facts } = notice
  if (!latestOnly || !isFirst || kind === 'ended' || kind === 'escalated') return { type: `event.${kind}`, facts }
  return { type: 'event.started', facts: { ...facts, before: null } }
}

/** An end that comes after all else would have been given up. */
function lateness(
  { audience }: ChannelKind,
  { createdMs }: TakenDelivery,
  nowMs: number,
): Pick<Message, 'lateSeconds'> {
  const waitedMs = nowMs - createdMs
  return waitedMs > persistence[audience].untilMs ? { lateSeconds: Math.floor(waitedMs / 1_000) } : {}
}

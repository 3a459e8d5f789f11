// Sends what is due: one message of a channel at a time, a few channels at once, each at its pace. What it has begun is leased in the store, so that another
// process, or this one after it was killed, takes it up again: a message arrives at least once.
import type { Clock } from '../clock.ts'
import type { EventDetail } from '../events/records.ts'
import type { Logger } from '../log.ts'
import { PeriodicTask } from '../task.ts'
import type { AlertStore, Channel, Delivery, Settlement } from './alert-store.ts'
import { afterAttempt } from './attempts.ts'
import type { ChannelKind, SendResult } from './channels/kind.ts'
import type { Allowed, Reach } from './outgoing/reach.ts'

const sendingMax = 8
/** An attempt takes 15 seconds at most: whoever holds one for longer is gone. */
const leaseMs = 60_000
/** For messages that another process has made due. */
const periodMs = 10_000

interface SenderOptions {
  store: AlertStore & { eventById(userId: string, id: string): Promise<EventDetail | null> }
  kinds: ReadonlyMap<string, ChannelKind>
  /** The secrets of a channel; null: their key is not here. */
  secretsOf: (channel: Channel) => Record<string, string> | null
  reachOf: (userId: string) => Promise<Reach>
  allowed: Allowed
  /** The event as its owner reads it. */
  present: (event: EventDetail) => unknown
  clock: Clock
  log: Logger
  /** From 0 to 1. */
  random: () => number
  /** The stream of changes has something new. */
  onSettled: (userId: string) => void
}

export class Sender {
  readonly counts = { done: 0, failed: 0, dead: 0, superseded: 0 }
  /** What waits, as of the last look. */
  waiting = { count: 0, oldestSeconds: 0 }
  readonly tasks: readonly PeriodicTask[]
  readonly #options: SenderOptions
  readonly #filling: PeriodicTask
  /** Channels that send, or pause after it. */
  readonly #busy = new Set<string>()
  readonly #sending = new Set<Promise<void>>()
  readonly #end = new AbortController()
  #timer: NodeJS.Timeout | null = null
  /** Nobody else sends for this store when the sender begins: what was under way has been broken off. */
  #leaseMs = 0

  constructor(options: SenderOptions) {
    this.#options = options
    const { clock, log } = options
    const failure = 'messages could not be sent; trying again'
    this.#filling = new PeriodicTask({ name: 'alert-sender', periodMs, run: () => this.#fill(), failure, clock, log })
    this.tasks = [this.#filling]
  }

  /** Something may be due. */
  wake(): void {
    if (!this.#end.signal.aborted) void this.#filling.runAgain()
  }

  /** Breaks off what is under way: it is sent again after the next start. */
  async stop(): Promise<void> {
    this.#end.abort()
    if (this.#timer !== null) clearTimeout(this.#timer)
    await Promise.allSettled(this.#sending)
  }

  async #fill(): Promise<void> {
    const { store, clock } = this.#options
    if (this.#end.signal.aborted) return
    const limit = sendingMax - this.#sending.size
    const nowMs = clock.now()
    const taken =
      limit > 0 ? await store.takeDue({ nowMs, leaseMs: this.#leaseMs, limit, exceptChannels: [...this.#busy] }) : []
    this.#leaseMs = leaseMs
    const channels = taken.length === 0 ? [] : await store.allChannels()
    for (const delivery of taken) {
      const channel = channels.find(({ id }) => id === delivery.channelId)
      if (channel !== undefined) this.#begin(delivery, channel)
    }
    const { count, oldestMs } = await store.waiting()
    this.waiting = { count, oldestSeconds: oldestMs === null ? 0 : Math.max(0, nowMs - oldestMs) / 1_000 }
    await this.#wakeWhenDue()
  }

  async #wakeWhenDue(): Promise<void> {
    const { store, clock } = this.#options
    if (this.#timer !== null) clearTimeout(this.#timer)
    this.#timer = null
    if (this.#sending.size >= sendingMax) return
    const dueMs = await store.nextDue({ leaseMs, exceptChannels: [...this.#busy] })
    if (dueMs === null || this.#end.signal.aborted) return
    const waitMs = Math.min(Math.max(dueMs - clock.now(), 0), periodMs)
    this.#timer = setTimeout(() => this.wake(), waitMs).unref()
  }

  #begin(delivery: Delivery, channel: Channel): void {
    this.#busy.add(channel.id)
    const sending = this.#attempt(delivery, channel)
      .catch((error) => this.#options.log.error({ err: error, channel: channel.id }, 'a message was not sent'))
      .finally(() => {
        this.#sending.delete(sending)
        const { paceMs = 0 } = this.#options.kinds.get(channel.kind) ?? {}
        setTimeout(() => {
          this.#busy.delete(channel.id)
          this.wake()
        }, paceMs).unref()
        this.wake()
      })
    this.#sending.add(sending)
  }

  async #attempt(delivery: Delivery, channel: Channel): Promise<void> {
    const { store, clock, kinds, random, onSettled } = this.#options
    const kind = kinds.get(channel.kind)
    const detail = await store.eventById(channel.userId, delivery.notice.eventId)
    const startedMs = clock.now()
    const settled = { id: delivery.id, channelId: channel.id, attempts: delivery.attempts, dueMs: startedMs }
    if (detail === null) {
      await this.#settle({ ...settled, state: 'superseded', fortune: channel.fortune, isBack: false, result: null })
      return
    }
    const sent =
      kind === undefined
        ? ({ outcome: 'refused', pauseMs: null, text: `this version has no channels of kind ${channel.kind}` } as const)
        : await this.#send(kind, { delivery, channel, detail })
    if (this.#end.signal.aborted) return
    const nowMs = clock.now()
    const given = { audience: kind?.audience ?? 'people', sending: delivery, fortune: channel.fortune }
    const next = afterAttempt(sent, given, { nowMs, random: random() })
    const isDone = sent.outcome === 'done'
    const result = { atMs: startedMs, tookMs: Math.max(0, nowMs - startedMs), isDone, text: sent.text }
    if (!isDone) this.counts.failed++
    await this.#settle({ ...settled, ...next, result })
    onSettled(channel.userId)
  }

  async #settle(settlement: Settlement): Promise<void> {
    await this.#options.store.settle(settlement)
    if (settlement.state !== 'due') this.counts[settlement.state]++
  }

  async #send(
    kind: ChannelKind,
    { delivery: { notice }, channel, detail }: { delivery: Delivery; channel: Channel; detail: EventDetail },
  ): Promise<SendResult> {
    const { secretsOf, reachOf, allowed, present, clock } = this.#options
    const secrets = secretsOf(channel)
    if (secrets === null) return { outcome: 'refused', pauseMs: null, text: 'the key of the secrets is not here' }
    const { kind: what, number, atMs, facts } = notice
    const id = `msg_${notice.eventId}_${number}`
    const message = { type: `event.${what}`, id, number, atMs, facts, event: present(detail) }
    const reach = { reach: await reachOf(channel.userId), allowed, signal: this.#end.signal }
    return kind.send(message, { settings: channel.settings, secrets, nowMs: clock.now(), ...reach })
  }
}

// Says again, once a minute, what goes on, to channels whose receivers forget it else (see `ChannelKind.repeat`). It keeps nothing: what one of them has missed
// it hears the next time, so no attempt is made again and none is recorded.
import { PeriodicTask } from '../task.ts'
import type { Channel, EventToTell } from './alert-store.ts'
import type { ChannelKind, Message } from './channels/kind.ts'
import type { Party, Room } from './outgoing/room.ts'
import { believesOpen } from './rules/course.ts'
import { type SendParts, sendOptionsOf } from './send-parts.ts'

const periodMs = 60_000
/** Receivers forget after five minutes: what is not said by then waits for the next time, so that who hangs holds up nobody else. */
const passMs = 50_000
/** Messages of one request: 64 KiB hold them. */
const atOnce = 20
/** Events that are read at once: some milliseconds of the thread. */
const readAtOnce = 100

interface Repetition extends Party {
  channel: Channel
  repeat: NonNullable<ChannelKind['repeat']>
  events: EventToTell[]
}

export class Repeater {
  readonly counts = { done: 0, failed: 0 }
  readonly task: PeriodicTask
  readonly #options: SendParts & { room: Room }
  readonly #end = new AbortController()
  /** Channels that did not take it the last time. */
  #failing = new Set<string>()

  constructor(options: SendParts & { room: Room }) {
    this.#options = options
    const { clock, log } = options
    const failure = 'what goes on could not be said again'
    this.task = new PeriodicTask({ name: 'alert-repeats', periodMs, run: () => this.#repeat(), failure, clock, log })
  }

  stop(): void {
    this.#end.abort()
  }

  /** To whoever was told that an attack goes on, and not that it is over: its owner, and admins by the rules of the installation. */
  async #repeat(): Promise<void> {
    const repetitions = await this.#repetitions()
    const failing = new Set<string>()
    const signal = AbortSignal.any([this.#end.signal, AbortSignal.timeout(passMs)])
    const work = async ({ channel, repeat, events }: Repetition) => {
      const told = await this.#allowed(channel, events)
      for (let from = 0; from < told.length && !signal.aborted && !failing.has(channel.id); from += atOnce)
        if (!(await this.#say(repeat, channel, { events: told.slice(from, from + atOnce), signal })))
          failing.add(channel.id)
    }
    await this.#options.room.each(repetitions, work, passMs)
    this.#failing = failing
  }

  async #repetitions(): Promise<Repetition[]> {
    const { store, kinds } = this.#options
    const repeating = [...kinds.values()].filter(({ repeat }) => repeat !== undefined).map(({ kind }) => kind)
    const ids = await store.toldOpenBy(repeating)
    const found = new Map<string, Repetition | null>()
    for (let from = 0; from < ids.length; from += readAtOnce) {
      for (const each of await store.eventsToTell(ids.slice(from, from + readAtOnce)))
        for (const [id, known] of each.known) {
          if (!believesOpen(known)) continue
          if (!found.has(id)) found.set(id, await this.#repetitionOn(id))
          found.get(id)?.events.push(each)
        }
      // Others come in between.
      await new Promise((resolve) => setImmediate(resolve))
    }
    return [...found.values()].filter((each) => each !== null)
  }

  /** Null: it is gone, or needs none. */
  async #repetitionOn(channelId: string): Promise<Repetition | null> {
    const { store, kinds } = this.#options
    const channel = await store.channelById(channelId)
    const repeat = channel === null ? undefined : kinds.get(channel.kind)?.repeat
    if (channel === null || repeat === undefined || channel.health.isDisabled) return null
    return { userId: channel.userId, channelId, isFailing: this.#failing.has(channelId), channel, repeat, events: [] }
  }

  /** Whoever is no admin any more hears nothing about others. */
  async #allowed({ userId }: Channel, events: readonly EventToTell[]): Promise<readonly EventToTell[]> {
    const isOfOthers = events.some(({ event }) => event.userId !== userId)
    if (!isOfOthers || (await this.#options.isAdmin(userId))) return events
    return events.filter(({ event }) => event.userId === userId)
  }

  /** Whether the receiver can be spoken to: else the rest would wait in vain, too. */
  async #say(
    repeat: Repetition['repeat'],
    channel: Channel,
    { events, signal }: { events: readonly EventToTell[]; signal: AbortSignal },
  ): Promise<boolean> {
    const options = await sendOptionsOf(this.#options, channel, signal)
    const messages = (await Promise.all(events.map((each) => this.#messageOf(each)))).filter((each) => each !== null)
    if (options === null || messages.length === 0) return true
    const { outcome } = await repeat(messages, options)
    this.counts[outcome === 'done' ? 'done' : 'failed']++
    return outcome === 'done' || outcome === 'refused'
  }

  /** Null: it is deleted, or over. */
  async #messageOf({ event, told }: EventToTell): Promise<Message | null> {
    const { store, present, report, clock } = this.#options
    const detail = await store.eventById(event.userId, event.id)
    if (detail === null || detail.endMs !== null || told === null) return null
    const { severity, label, number } = told
    return {
      ...{ type: 'event.continues', id: `msg_${event.id}_${number}`, number, atMs: clock.now() },
      facts: { severity, label, before: null },
      event: present(detail),
      report: report(detail),
    }
  }
}

// Tells people what Floodgauge itself cannot see or do, and when that is over. It compares what is wrong now with what each channel knows, and sends the difference
// until the channel has it: nothing waits in memory alone, and what began and ended before anybody could be told is told to nobody.
import type { EventReport } from '../../contract/events/event.ts'
import { PeriodicTask } from '../../task.ts'
import type { AlertStore, Channel } from '../alert-store.ts'
import type { Message } from '../channels/kind.ts'
import { DirectSender } from '../direct.ts'
import type { Room } from '../outgoing/room.ts'
import type { SendParts } from '../send-parts.ts'
import {
  type Condition,
  conditionKinds,
  conditionOf,
  keyOf,
  newConditionId,
  type Problem,
  typeOf,
} from './condition.ts'
import type { ConditionStore } from './condition-store.ts'
import { destinationsOf, type Listener } from './destinations.ts'
import { placed } from './places.ts'
import { TenantsShare } from './tenants-share.ts'
import { isOwnWord } from './words.ts'

const lookEveryMs = 10_000
/** Whoever could not be told about an end for as long is not told any more. */
const endsUntilMs = 86_400_000
/** Whoever did not take a message is asked again after as long; whoever forgets what goes on is told again. */
const againMs = 60_000

export interface ProblemSource {
  /** What is wrong now. */
  find(): Promise<readonly Problem[]>
  /** Why it is wrong no more, in our own words: what was deleted, or turned off, has not recovered. Empty: there is nothing more to say. */
  whyOver(condition: Pick<Condition, 'type' | 'subject' | 'owner'>): Promise<string>
}

interface OwnHealthOptions extends SendParts {
  store: SendParts['store'] & AlertStore & ConditionStore & { listUsers(): Promise<{ id: string; role: string }[]> }
  room: Room
  problems: ProblemSource
  /** What no event is like, as far as receivers need one. */
  blank: EventReport
}

export class OwnHealth {
  readonly tasks: readonly PeriodicTask[]
  readonly #options: OwnHealthOptions
  readonly #task: PeriodicTask
  readonly #sender: DirectSender
  readonly #share = new TenantsShare()
  /** Conditions that there was no place for. */
  #refused = 0

  constructor(options: OwnHealthOptions) {
    this.#options = options
    this.#sender = new DirectSender({ ...options, pausesMs: [againMs] })
    const { clock, log } = options
    const failure = 'what Floodgauge cannot see could not be told; trying again'
    this.#task = new PeriodicTask({
      name: 'own-health',
      periodMs: lookEveryMs,
      run: () => this.look(),
      failure,
      clock,
      log,
    })
    this.tasks = [this.#task]
  }

  start(): void {
    this.#task.start()
  }

  get counts(): Readonly<Record<'told' | 'failed' | 'refused', number>> {
    return { ...this.#sender.counts, refused: this.#refused }
  }

  async stop(): Promise<void> {
    await this.#sender.stop()
    await this.#task.stop()
  }

  async look(): Promise<void> {
    const { store, clock, problems } = this.#options
    const nowMs = clock.now()
    const before = await store.conditions()
    const dated = before.map((each) => this.#dated(this.#collected(each), nowMs))
    const compared = this.#compared(dated, await problems.find(), nowMs)
    const now = await Promise.all(compared.map((each, n) => (each === dated[n] ? each : this.#ended(each))))
    // Before anything is sent: who is told again after a kill is told under the same id.
    await this.#save(before, now)
    const listeners = now.length === 0 ? [] : await this.#listeners(now)
    const kept = this.#share.keptFromAdmins(now, listeners, nowMs)
    const after = await Promise.all(
      now.map((each) => this.#told(each, { listeners, isForAdmins: !kept.has(each.id) }, nowMs)),
    )
    const left = after.filter((each) => isKept(each, nowMs) || this.#mayBeTold(each))
    await this.#save(now, left)
    this.#sender.keep(new Set(left.flatMap(({ id }) => [messageId(id, 1), messageId(id, 2)])))
  }

  /** With what channels have answered since the last time, of which some take long. An incident that somebody may have opened is closed like one that somebody has. */
  #collected(condition: Condition): Condition {
    const begun = this.#sender.collect(messageId(condition.id, 1))
    const over = this.#sender.collect(messageId(condition.id, 2))
    const maybe = condition.overMs === null ? [] : this.#sender.maybeTaken(messageId(condition.id, 1))
    if (begun.size + over.size + maybe.length === 0) return condition
    const known = [...condition.told, ...begun].filter((id) => !over.has(id))
    return { ...condition, told: [...new Set([...known, ...maybe])] }
  }

  /** A channel takes long, and has to hear of the end if it takes the beginning. */
  #mayBeTold({ id, type }: Condition): boolean {
    return conditionKinds[type].over !== null && this.#sender.isOpen(messageId(id, 1))
  }

  /** Nothing began later than now, nor was over. */
  #dated(condition: Condition, nowMs: number): Condition {
    const { delays } = this.#options
    const { sinceMs, overMs } = condition
    const dated = {
      sinceMs: delays.dueAt('since', sinceMs, nowMs),
      overMs: overMs === null ? null : delays.dueAt('since', overMs, nowMs),
    }
    return dated.sinceMs === sinceMs && dated.overMs === overMs ? condition : { ...condition, ...dated }
  }

  #compared(before: readonly Condition[], problems: readonly Problem[], nowMs: number): Condition[] {
    const byKey = new Map(problems.map((each) => [keyOf(each), each]))
    const open = before.filter(({ type, overMs }) => overMs === null || conditionKinds[type].over === null)
    const known = new Set(open.map(keyOf))
    const kept = before.map((each): Condition => {
      const goesOn = each.overMs !== null || byKey.has(keyOf(each)) || conditionKinds[each.type].over === null
      return goesOn ? each : { ...each, overMs: nowMs }
    })
    const made = [...byKey].flatMap(([key, problem]) => (known.has(key) ? [] : [problem]))
    const added = placed(kept, made)
    this.#refused += made.length - added.length
    return [...kept, ...added.map((problem) => conditionOf(problem, { id: newConditionId(), nowMs }))]
  }

  /** With why it is over, and with who may have been told that it began. */
  async #ended(condition: Condition): Promise<Condition> {
    if (condition.overMs === null) return condition
    const why = await this.#options.problems.whyOver(condition)
    const detail = why === '' ? condition.detail : `${condition.detail}; ${why}`
    return this.#collected({ ...condition, detail })
  }

  async #save(before: readonly Condition[], now: readonly Condition[]): Promise<void> {
    if (JSON.stringify(before) !== JSON.stringify(now)) await this.#options.store.saveConditions(now)
  }

  async #listeners(conditions: readonly Condition[]): Promise<Listener[]> {
    const { store } = this.#options
    const admins = new Set((await store.listUsers()).filter(({ role }) => role === 'admin').map(({ id }) => id))
    const owners = conditions.flatMap(({ owner }) => (owner === null ? [] : [owner.userId]))
    return Promise.all(
      Array.from(new Set([...admins, ...owners]), async (userId) => ({
        ...{ userId, isAdmin: admins.has(userId) },
        ...{ rules: await store.rulesOf(userId), channels: await store.channelsOf(userId) },
      })),
    )
  }

  /** The condition with the channels that know of it now. */
  async #told(
    condition: Condition,
    { listeners, isForAdmins }: { listeners: readonly Listener[]; isForAdmins: boolean },
    nowMs: number,
  ): Promise<Condition> {
    const { type, sinceMs, overMs } = condition
    const hasEnd = conditionKinds[type].over !== null
    if (overMs !== null && !hasEnd) return condition
    // Incidents of channels that are gone, or whose user is no admin any more, are closed otherwise (see closing/).
    const there = listeners.flatMap(({ channels }) => channels).filter(({ id }) => condition.told.includes(id))
    const told = there.map(({ id }) => id)
    if (overMs !== null) {
      await this.#send(condition, there)
      return this.#collected({ ...condition, told })
    }
    if (nowMs - sinceMs < conditionKinds[type].afterMs) return condition
    const heard = isForAdmins ? listeners : listeners.filter(({ userId }) => userId === condition.owner?.userId)
    const wanted = destinationsOf(condition, heard, nowMs)
    const forgets = ({ kind }: Channel) => this.#options.kinds.get(kind)?.repeat !== undefined
    const missing = wanted.filter((channel) => !told.includes(channel.id) || forgets(channel))
    await this.#send(condition, missing)
    const { told: known } = this.#collected({ ...condition, told })
    // What is over when it is known has no end that anybody waits for.
    if (hasEnd) return { ...condition, told: known }
    const isDone = wanted.every(({ id }) => known.includes(id)) || nowMs - sinceMs > endsUntilMs
    return { ...condition, told: known, overMs: isDone ? nowMs : null }
  }

  async #send(condition: Condition, channels: readonly Channel[]): Promise<void> {
    const message = this.#messageOf(condition)
    await this.#sender.send(message, this.#sender.due(message.id, channels))
  }

  #messageOf(condition: Condition): Message {
    const { clock, blank, installation } = this.#options
    const { id, type, subject, detail, sinceMs, overMs, untilMs } = condition
    const word = typeOf(condition)
    const { host } = installation
    const number = overMs === null ? 1 : 2
    const start = new Date(sinceMs).toISOString()
    const end = overMs === null ? null : new Date(overMs).toISOString()
    const about = { word: isOwnWord(word) ? word : type, subject, detail, host, sinceMs }
    return {
      ...{ type: word, id: messageId(id, number), number, atMs: clock.now() },
      facts: { severity: conditionKinds[type].severity, label: null, before: null },
      event: null,
      own: { ...about, untilMs: overMs ?? untilMs, isOver: overMs !== null },
      report: { ...blank, id, site: `Floodgauge ${host}`, attackType: type, start, end, lastSeen: end ?? start },
    }
  }
}

function messageId(conditionId: string, number: number): string {
  return `msg_${conditionId}_${number}`
}

/** As long as it goes on, or somebody has to hear that it is over. What has no end is shown for as long. */
function isKept({ type, overMs, told }: Condition, nowMs: number): boolean {
  if (overMs === null) return true
  return (told.length > 0 || conditionKinds[type].over === null) && nowMs - overMs < endsUntilMs
}

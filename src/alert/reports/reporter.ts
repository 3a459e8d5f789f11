// Sends the reports of rules, daily or weekly, also of a time without an attack. When each is due and who lacks it are rows: killed anywhere, the same is sent
// again under the same id, and each channel gets a report until it has taken it.
import type { EventReport } from '../../contract/events/event.ts'
import { PeriodicTask } from '../../task.ts'
import type { AlertStore, Channel } from '../alert-store.ts'
import type { Message } from '../channels/kind.ts'
import { DirectSender } from '../direct.ts'
import type { Room } from '../outgoing/room.ts'
import { toChannels } from '../rules/address.ts'
import type { Rule } from '../rules/rule.ts'
import type { SendParts } from '../send-parts.ts'
import { planned } from './plan.ts'
import type { PendingReport, ReportState } from './report-store.ts'
import { type AttackSummary, summaryOf } from './summary.ts'

const lookEveryMs = 10_000
/** Nobody waits for a report: a channel that fails is asked ever less often. */
const pausesMs: readonly number[] = [60_000, 300_000, 900_000, 1_800_000]

interface ReporterOptions extends SendParts {
  store: SendParts['store'] & AlertStore
  room: Room
  /** What no event is like, as far as receivers need one. */
  blank: EventReport
}

export class Reporter {
  readonly task: PeriodicTask
  readonly #options: ReporterOptions
  readonly #sender: DirectSender
  /** What is on its way, by rule: it is computed once, and then sent until everybody has it. */
  readonly #messages = new Map<string, Message>()

  constructor(options: ReporterOptions) {
    this.#options = options
    this.#sender = new DirectSender({ ...options, pausesMs })
    const { clock, log } = options
    const failure = 'reports could not be sent; trying again'
    this.task = new PeriodicTask({
      ...{ name: 'alert-reports', periodMs: lookEveryMs, failure, clock, log },
      run: () => this.look(),
    })
  }

  get counts(): DirectSender['counts'] {
    return this.#sender.counts
  }

  stop(): Promise<void> {
    return this.#sender.stop()
  }

  async look(): Promise<void> {
    const { store, clock } = this.#options
    const nowMs = clock.now()
    const before = await store.reports()
    const rules = await store.reportingRules()
    const byRule = new Map(before.map((each) => [each.ruleId, this.#collected(each)]))
    const states: ReportState[] = []
    const due: { rule: Rule; state: ReportState; channels: Channel[] }[] = []
    const channelsOf = new Map<string, Channel[]>()
    for (const { userId } of rules) if (!channelsOf.has(userId)) channelsOf.set(userId, await store.channelsOf(userId))
    for (const rule of rules) {
      if (rule.report === null) continue
      const channels = this.#listeners(rule, channelsOf.get(rule.userId) ?? [])
      const wanted = channels.map(({ id }) => id)
      const state = planned(rule, rule.report, { before: this.#stateOf(byRule.get(rule.id), nowMs), wanted, nowMs })
      states.push(state)
      if (state.pending !== null) due.push({ rule, state, channels })
    }
    // Before anything is sent: who is told again after a kill is told under the same id.
    await this.#save(before, states)
    const sending: Promise<void>[] = []
    // One is computed at a time, while those before it are on their way.
    for (const { rule, state, channels } of due) {
      if (state.pending === null) continue
      const next = await this.#dueNow(rule, state.pending, channels)
      if (next === null) continue
      sending.push(this.#sender.send(next.message, next.due))
    }
    await Promise.all(sending)
    const told = states.map((state) => this.#collected(state))
    await this.#save(states, told)
    const left = new Set(told.flatMap(({ ruleId, pending }) => (pending === null ? [] : [messageId(ruleId, pending)])))
    this.#sender.keep(left)
    for (const [ruleId, { id }] of this.#messages) if (!left.has(id)) this.#messages.delete(ruleId)
  }

  /** Without the channels that have taken it since the last time, of which some take long. */
  #collected(state: ReportState): ReportState {
    const { ruleId, pending } = state
    if (pending === null) return state
    const taken = this.#sender.collect(messageId(ruleId, pending))
    const left = pending.left.filter((id) => !taken.has(id))
    return { ...state, pending: left.length === 0 ? null : { ...pending, left } }
  }

  /** One that was planned by a clock that was wrong is planned again. */
  #stateOf(state: ReportState | undefined, nowMs: number): ReportState | undefined {
    if (state === undefined) return undefined
    return this.#options.delays.dueAt('report', state.nextMs, nowMs) === state.nextMs ? state : undefined
  }

  async #save(before: readonly ReportState[], now: readonly ReportState[]): Promise<void> {
    if (JSON.stringify(before) !== JSON.stringify(now)) await this.#options.store.saveReports(now)
  }

  /** Those that take something now. A pager has incidents alone. */
  #listeners(rule: Rule, channels: readonly Channel[]): Channel[] {
    const { kinds } = this.#options
    const recipients = channels.map(({ id, userId, health: { isDisabled } }) => ({ id, userId, isDisabled }))
    const told = new Set(toChannels(rule, recipients).map(({ channelId }) => channelId))
    return channels.filter(({ id, kind }) => told.has(id) && kinds.get(kind)?.incidentsOnly !== true)
  }

  /** The report, and those that lack it and may be sent it now; null: nobody. */
  async #dueNow(
    rule: Rule,
    pending: PendingReport,
    channels: readonly Channel[],
  ): Promise<{ message: Message; due: Channel[] } | null> {
    const lacking = channels.filter((channel) => pending.left.includes(channel.id))
    const id = messageId(rule.id, pending)
    const due = this.#sender.due(id, lacking)
    if (due.length === 0) return null
    const known = this.#messages.get(rule.id)
    if (known?.id === id) return { message: known, due }
    const attacks = await summaryOf(this.#options.store, rule, pending)
    const message = this.#messageOf(rule, { ...pending, attacks })
    this.#messages.set(rule.id, message)
    return { message, due }
  }

  #messageOf(rule: Rule, report: PendingReport & { attacks: AttackSummary }): Message {
    const { fromMs, untilMs, attacks } = report
    const { name: subject } = rule
    const { clock, blank, installation } = this.#options
    const { host } = installation
    const type = 'report.digest'
    const [start, end] = [new Date(fromMs).toISOString(), new Date(untilMs).toISOString()]
    return {
      ...{ type, id: messageId(rule.id, report), number: 1, atMs: clock.now() },
      // It disturbs nobody.
      facts: { severity: 'low', label: null, before: null },
      event: null,
      own: { word: type, subject, detail: '', sinceMs: fromMs, untilMs, isOver: false, host, attacks },
      report: {
        ...blank,
        id: reportId(rule.id, report),
        site: `Floodgauge ${host}`,
        attackType: type,
        start,
        end,
        lastSeen: end,
      },
    }
  }
}

function reportId(ruleId: string, { untilMs }: Pick<PendingReport, 'untilMs'>): string {
  return `report_${ruleId}_${Math.floor(untilMs / 1_000)}`
}

/** A report is one message. */
function messageId(ruleId: string, report: Pick<PendingReport, 'untilMs'>): string {
  return `msg_${reportId(ruleId, report)}_1`
}

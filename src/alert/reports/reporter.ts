// Sends the reports of rules, daily or weekly, also of a time without an attack. When each is due and who lacks it are rows: killed anywhere, the same is sent
// again under the same id, and each channel gets a report until it has taken it.
import type { EventReport } from '../../contract/events/event.ts'
import { PeriodicTask } from '../../task.ts'
import type { AlertStore, Channel } from '../alert-store.ts'
import type { Message } from '../channels/kind.ts'
import { channelsOfRule } from '../rules/address.ts'
import type { Rule } from '../rules/rule.ts'
import { recipientOf } from '../rules/rulebook.ts'
import { type SendParts, sendOptionsOf } from '../send-parts.ts'
import { planned } from './plan.ts'
import type { PendingReport, ReportState } from './report-store.ts'
import { summaryOf } from './summary.ts'

const lookEveryMs = 10_000
/** A channel that did not take a report is asked again after as long. */
const againMs = 60_000
const sendMs = 20_000
/** Rules whose reports are sent at once: who hangs holds up few others. */
const atOnceMax = 8

export interface ReporterOptions extends SendParts {
  store: SendParts['store'] & AlertStore
  /** What no event is like, as far as receivers need one. */
  blank: EventReport
}

export class Reporter {
  readonly counts = { told: 0, failed: 0 }
  readonly task: PeriodicTask
  readonly #options: ReporterOptions
  readonly #end = new AbortController()
  /** When a report may be sent to a channel again. */
  readonly #again = new Map<string, number>()

  constructor(options: ReporterOptions) {
    this.#options = options
    const { clock, log } = options
    const failure = 'reports could not be sent; trying again'
    this.task = new PeriodicTask({
      ...{ name: 'alert-reports', periodMs: lookEveryMs, failure, clock, log },
      run: () => this.look(),
    })
  }

  stop(): void {
    this.#end.abort()
  }

  async look(): Promise<void> {
    const { store, clock } = this.#options
    const nowMs = clock.now()
    const before = await store.reports()
    const rules = await store.reportingRules()
    const byRule = new Map(before.map((each) => [each.ruleId, each]))
    const states: ReportState[] = []
    const due: { rule: Rule; state: ReportState; channels: Channel[] }[] = []
    for (const rule of rules) {
      if (rule.report === null) continue
      const channels = await this.#channelsOf(rule)
      const wanted = channels.map(({ id }) => id)
      const state = planned(rule, rule.report, { before: this.#stateOf(byRule.get(rule.id), nowMs), wanted, nowMs })
      states.push(state)
      if (state.pending !== null) due.push({ rule, state, channels })
    }
    // Before anything is sent: who is told again after a kill is told under the same id.
    await this.#save(before, states)
    const done = new Map<string, Set<string>>()
    for (let n = 0; n < due.length; n += atOnceMax)
      await Promise.all(
        due.slice(n, n + atOnceMax).map(async ({ rule, state: { pending }, channels }) => {
          if (pending !== null) done.set(rule.id, await this.#send(rule, pending, channels))
        }),
      )
    const told = states.map((state) => without(state, done.get(state.ruleId)))
    await this.#save(states, told)
    for (const [key, ms] of this.#again) if (ms <= nowMs) this.#again.delete(key)
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
  async #channelsOf(rule: Rule): Promise<Channel[]> {
    const { store, kinds } = this.#options
    const channels = await store.channelsOf(rule.userId)
    const told = new Set(channelsOfRule(rule, channels.map(recipientOf)).map(({ id }) => id))
    return channels.filter(({ id, kind }) => told.has(id) && kinds.get(kind)?.incidentsOnly !== true)
  }

  /** The channels that have taken it. */
  async #send(rule: Rule, pending: PendingReport, channels: readonly Channel[]): Promise<Set<string>> {
    const { store, clock, delays } = this.#options
    const nowMs = clock.now()
    const key = (id: string) => `${rule.id} ${pending.untilMs} ${id}`
    const due = channels.filter(
      ({ id }) => pending.left.includes(id) && nowMs >= delays.dueAt('again', this.#again.get(key(id)) ?? 0, nowMs),
    )
    const done = new Set<string>()
    if (due.length === 0) return done
    const message = this.#messageOf(rule, pending, await summaryOf(store, rule, pending))
    await Promise.all(
      due.map(async (channel) => {
        this.#again.set(key(channel.id), nowMs + againMs)
        const isDone = await this.#sendTo(channel, message)
        this.counts[isDone ? 'told' : 'failed']++
        if (isDone) done.add(channel.id)
      }),
    )
    return done
  }

  async #sendTo(channel: Channel, message: Message): Promise<boolean> {
    const kind = this.#options.kinds.get(channel.kind)
    const signal = AbortSignal.any([this.#end.signal, AbortSignal.timeout(sendMs)])
    const options = await sendOptionsOf(this.#options, channel, signal)
    if (kind === undefined || options === null) return false
    return (await kind.send(message, options)).outcome === 'done'
  }

  #messageOf(
    { id: ruleId, name: subject }: Rule,
    { fromMs, untilMs }: PendingReport,
    attacks: Awaited<ReturnType<typeof summaryOf>>,
  ): Message {
    const { clock, blank, installation } = this.#options
    const { host } = installation
    const type = 'report.digest'
    const id = `report_${ruleId}_${Math.floor(untilMs / 1_000)}`
    const [start, end] = [new Date(fromMs).toISOString(), new Date(untilMs).toISOString()]
    return {
      ...{ type, id: `msg_${id}_1`, number: 1, atMs: clock.now() },
      // It disturbs nobody.
      facts: { severity: 'low', label: null, before: null },
      event: null,
      own: { word: type, subject, detail: '', sinceMs: fromMs, untilMs, isOver: false, host, attacks },
      report: { ...blank, id, site: `Floodgauge ${host}`, attackType: type, start, end, lastSeen: end },
    }
  }
}

function without(state: ReportState, done: ReadonlySet<string> | undefined): ReportState {
  if (state.pending === null || done === undefined || done.size === 0) return state
  const left = state.pending.left.filter((id) => !done.has(id))
  return { ...state, pending: left.length === 0 ? null : { ...state.pending, left } }
}

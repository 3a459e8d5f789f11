// What is wrong with the installation itself now: exporters, flows, channels, proofs of sites, and the time in which the service was away.
import type { Channel } from '../alert/alert-store.ts'
import { conditionOf, keyOf, newConditionId, type Problem } from '../alert/own/condition.ts'
import type { ConditionStore } from '../alert/own/condition-store.ts'
import type { ProblemSource } from '../alert/own/own-health.ts'
import { isSilent } from '../api/overview/overview.ts'
import type { Clock } from '../clock.ts'
import type { ExporterHealth } from '../collect/health/exporter.ts'
import { hasWorked } from '../collect/health/report.ts'
import type { Away } from '../flow/away.ts'
import type { ProofKeeper } from './proof-keeper.ts'

/** A channel fails when it has for as long, or has given up a message within the other time. */
const failingMs = 300_000
const deadMs = 3_600_000
/** A restart that is shorter is not worth a word. */
const awayMs = 60_000
/** How long it is found that it stood still: whoever was told is not told again. */
const awayFoundMs = 3_600_000
/** Without a datagram for as long after the start, none comes. */
const startMs = 120_000

interface OwnProblemsOptions {
  store: ConditionStore & {
    toldOpen(): Promise<string[]>
    channelById(id: string): Promise<Pick<Channel, 'health' | 'last'> | null>
    listUsers(): Promise<{ id: string; email: string }[]>
  }
  proofs: Pick<ProofKeeper, 'missing' | 'isInOrder'>
  exporters: { list(): ExporterHealth[] }
  /** When the last datagram came; null: none has. */
  lastDatagramMs: () => number | null
  /** When nobody last read what was sent, although the service ran; null: that was never so. */
  lastAway: () => Away | null
  clock: Clock
}

export class OwnProblems implements ProblemSource {
  readonly #options: OwnProblemsOptions
  readonly #startedMs: number

  constructor(options: OwnProblemsOptions) {
    this.#options = options
    this.#startedMs = options.clock.now()
  }

  /** Notes that the service was away, before it says that it lives: killed in between, it does the same again. */
  async start(): Promise<void> {
    const { store } = this.#options
    const lastMs = await store.lastSignOfLife()
    const nowMs = this.#startedMs
    if (lastMs !== null && nowMs - lastMs >= awayMs) {
      const attacks = (await store.toldOpen()).length
      const detail = attacks === 0 ? '' : `attacks that went on when it went away: ${attacks}`
      const when = { sinceMs: lastMs, untilMs: nowMs }
      const blind: Problem = { type: 'service.blind', subject: '', detail, owner: null, ...when }
      const known = await store.conditions()
      const isKnown = known.some((each) => keyOf(each) === keyOf(blind))
      if (!isKnown) await store.saveConditions([...known, conditionOf(blind, { id: newConditionId(), nowMs })])
    }
    await store.signOfLife(nowMs)
  }

  async find(): Promise<Problem[]> {
    const { store, clock, exporters } = this.#options
    const nowMs = clock.now()
    await store.signOfLife(nowMs)
    const known = exporters.list().filter(({ streams }) => streams.some(hasWorked))
    const noFlows = this.#noFlows(known, nowMs)
    const failing = await store.failingChannels({ failingBeforeMs: nowMs - failingMs, deadAfterMs: nowMs - deadMs })
    return [
      ...noFlows,
      ...this.#stoodStill(nowMs),
      // Where nothing comes from anybody, that is what is told.
      ...known.flatMap((exporter) => problemsOf(exporter, noFlows.length > 0)),
      ...failing.map(
        ({ id, userId, name, email, sinceMs, text }): Problem => ({
          ...{ type: 'channel.failing', subject: name, sinceMs, untilMs: null },
          detail: text === '' ? `of ${email}` : `of ${email}: ${text}`,
          owner: { userId, exceptChannelId: id },
        }),
      ),
      ...(await this.#missingProofs()),
    ]
  }

  async whyOver({ subject, owner }: Pick<Problem, 'subject' | 'owner'>): Promise<string> {
    if (owner === null) return ''
    const { userId, exceptChannelId } = owner
    if (exceptChannelId === null)
      return this.#options.proofs.isInOrder(userId, subject) ? '' : 'the site was deleted or turned off'
    const channel = await this.#options.store.channelById(exceptChannelId)
    if (channel === null) return 'it was deleted'
    if (channel.health.isDisabled) return 'it was turned off'
    return channel.last?.isDone === true ? 'it works again' : 'nothing has failed since'
  }

  async #missingProofs(): Promise<Problem[]> {
    const { store, proofs } = this.#options
    const missing = proofs.missing()
    if (missing.length === 0) return []
    const emails = new Map((await store.listUsers()).map(({ id, email }) => [id, email]))
    return missing.map(({ userId, host, recordName, sinceMs }) => ({
      ...{ type: 'site.proof_missing', subject: host, sinceMs, untilMs: null },
      detail: `of ${emails.get(userId) ?? ''}: there is no valid TXT record ${recordName}`,
      owner: { userId, exceptChannelId: null },
    }))
  }

  /** Stopped and continued, or suspended with its machine: attacks of that time may not have been seen. */
  #stoodStill(nowMs: number): Problem[] {
    const away = this.#options.lastAway()
    if (away === null || away.toMs - away.fromMs < awayMs || Math.abs(nowMs - away.toMs) >= awayFoundMs) return []
    // By a clock that has been set back since: what is kept of it is dated again at each look, and would not be known again.
    if (away.fromMs > nowMs) return []
    const when = { sinceMs: away.fromMs, untilMs: away.toMs }
    const detail = 'the process or the machine stood still, or its clock was set'
    return [{ type: 'service.blind', subject: '', detail, owner: null, ...when }]
  }

  #noFlows(known: readonly ExporterHealth[], nowMs: number): Problem[] {
    const heardMs = this.#options.lastDatagramMs()
    const isNew = heardMs === null && nowMs - this.#startedMs < startMs
    if (known.length === 0 || isNew || !isSilent(heardMs, nowMs)) return []
    const sinceMs = heardMs ?? this.#startedMs
    return [{ type: 'flows.none', subject: '', detail: '', owner: null, sinceMs, untilMs: null }]
  }
}

/** What keeps attacks from being seen. Only what has brought flows counts, since anybody may send. */
function problemsOf({ address, lastMs, findings }: ExporterHealth, isQuiet: boolean): Problem[] {
  const about = { subject: address, owner: null, untilMs: null }
  if (findings.some(({ rule }) => rule === 'silent')) {
    return isQuiet ? [] : [{ ...about, type: 'exporter.silent', detail: '', sinceMs: lastMs }]
  }
  const serious = findings.filter(({ severity }) => severity === 'error')
  if (serious.length === 0) return []
  const detail = serious.map(({ rule, text }) => `${rule}: ${text}`).join('; ')
  return [{ ...about, type: 'exporter.problem', detail, sinceMs: null }]
}

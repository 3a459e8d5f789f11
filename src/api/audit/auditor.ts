// What requests leave in the audit log: a row for each change, written with it, and rows for refusals, of which those that follow each other are
// counted together.
import type { FastifyRequest } from 'fastify'
import { Deed } from '../../audit/deed.ts'
import type { Actor, Outcome } from '../../audit/entry.ts'
import { Refusals } from '../../audit/refusals.ts'
import type { Clock } from '../../clock.ts'
import type { EndpointName } from '../../contract/endpoints.ts'
import { type ErrorCode, errorTable } from '../../errors.ts'
import type { Logger } from '../../log.ts'
import type { Metric } from '../../metrics.ts'
import { isEmail } from '../../store/email.ts'
import type { Store } from '../../store/store.ts'
import { PeriodicTask } from '../../task.ts'
import type { Caller } from '../http/gate.ts'
import { factsOf, isChanging } from './recorded.ts'

/** How often what was counted is looked at. */
const flushEveryMs = 10_000
/** What refuses a reader: other failures of theirs are nobody's concern. */
const refusesReaders: ReadonlySet<number> = new Set([401, 403, 429])

export interface AuditorOptions {
  store: Pick<Store, 'answerFor' | 'noteAudit'>
  clock: Clock
  log: Logger
}

export const auditorMetrics: readonly Metric<Auditor>[] = [
  {
    name: 'floodgauge_audit_refusals_total',
    help: 'Refusals in the audit log, by how: alone (a row of its own), together (counted with others like it), beyond (of whom too many were refused: one number for all), lost (the store took no row).',
    labels: ['row'],
    read: ({ counters }) => Object.entries(counters).map(([row, value]) => ({ labels: { row }, value })),
  },
]

export class Auditor {
  readonly #store: AuditorOptions['store']
  readonly #refusals: Refusals
  readonly tasks: readonly PeriodicTask[]
  readonly #task: PeriodicTask
  #taken = 0
  #lost = 0

  constructor({ store, clock, log }: AuditorOptions) {
    this.#store = store
    this.#refusals = new Refusals(clock)
    this.#task = new PeriodicTask({
      name: 'audit-refusals',
      periodMs: flushEveryMs,
      run: () => this.#write(this.#refusals.due()),
      failure: 'refusals could not be written to the audit log',
      ...{ clock, log },
    })
    this.tasks = [this.#task]
  }

  get counters() {
    const { together, beyond } = this.#refusals.counters
    return { alone: this.#taken - together - beyond, together, beyond, lost: this.#lost }
  }

  start(): void {
    this.#task.start()
  }

  /** Writes what is counted so far. */
  async stop(): Promise<void> {
    await this.#task.stop()
    await this.#write(this.#refusals.due(true)).catch(() => {})
  }

  /** What a request is about to do. */
  deedOf(name: EndpointName, request: FastifyRequest, caller: Caller | null): Deed {
    const actor = actorOf(request, caller)
    return new Deed({ kind: name, actor, ...(isChanging(name) ? factsOf(name, request) : {}) })
  }

  /** Runs the work of a changing request under the deed. */
  change<Result>(deed: Deed, work: () => Promise<Result>): Promise<Result> {
    return this.#store.answerFor(deed, work)
  }

  /** Notes an answer that refuses. It keeps nobody waiting; rows may be lost with power. */
  noteAnswer(name: EndpointName, request: FastifyRequest, answered: { caller: Caller | null; status: number }): void {
    const { caller, status } = answered
    if (status < 400 || !(isChanging(name) || refusesReaders.has(status))) return
    this.#taken++
    const object = isChanging(name) ? factsOf(name, { params: request.params, body: {} }).object : ''
    const entry = { kind: name, actor: actorOf(request, caller), object, count: 1, detail: {} }
    const rows = this.#refusals.take({ ...entry, outcome: outcomeOf(status) })
    void this.#write(rows).catch(() => {})
  }

  async #write(entries: ReturnType<Refusals['due']>): Promise<void> {
    try {
      await this.#store.noteAudit(entries, { durable: false })
    } catch (error) {
      this.#lost += entries.reduce((sum, { count }) => sum + count, 0)
      throw error
    }
  }
}

function actorOf(request: FastifyRequest, caller: Caller | null): Actor {
  const address = request.ip
  if (caller === null) return { kind: 'stranger', userId: null, name: claimedBy(request), credential: '', address }
  const { user, session, id: credential } = caller
  return { kind: session === null ? 'token' : 'session', userId: user.id, name: user.email, credential, address }
}

/** The e-mail that a stranger gave. Anything else may be a password that was typed into the wrong field. */
function claimedBy({ body }: FastifyRequest): string {
  const given = typeof body === 'object' && body !== null && 'email' in body ? body.email : ''
  return typeof given === 'string' && isEmail(given.trim()) ? given.trim() : ''
}

const codes = Object.entries(errorTable).map(([code, { status }]) => ({ code: codeFrom(code), status }))

/** The first code of the table that has the status. */
function outcomeOf(status: number): Outcome {
  return codes.find((each) => each.status === status)?.code ?? 'INTERNAL'
}

/** A key of the table; `Object.entries` forgets that. */
function codeFrom(key: string): ErrorCode {
  return key as ErrorCode
}

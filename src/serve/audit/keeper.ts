// What the service itself does for the audit log: it says when it begins and ends, sends each entry to a syslog receiver, looks once a day whether the
// chain is whole, and writes its head to the service's log, so that rows that vanish from its end are missed.
import type { ChainEnd } from '../../audit/chain.ts'
import type { Detail, Outcome } from '../../audit/entry.ts'
import { syslogMessage } from '../../audit/syslog/message.ts'
import type { Sender } from '../../audit/syslog/sender.ts'
import type { Clock } from '../../clock.ts'
import type { Logger } from '../../log.ts'
import type { Metric } from '../../metrics.ts'
import type { Verified } from '../../store/sqlite/audit/verify.ts'
import type { Store } from '../../store/store.ts'
import { PeriodicTask } from '../../task.ts'

const sendEveryMs = 1_000
const sentAtOnce = 100
/** Entries that wait for a receiver; older ones are left out. */
const waitingMax = 10_000
const beginEveryMs = 60_000
const lookEveryMs = 86_400_000
/** How long a stop waits for the receiver to take the last entries. */
const lastSendMs = 1_000

export interface AuditKeeperOptions {
  store: Pick<Store, 'noteAudit' | 'auditAfter' | 'auditEnds' | 'noteAuditSent'>
  /** Null: entries are sent nowhere. */
  sender: Sender | null
  facility: number
  host: string
  pid: number
  version: string
  /** Null: the service ended first. */
  verify: (signal: AbortSignal) => Promise<Verified | null>
  clock: Clock
  log: Logger
}

export const auditMetrics: readonly Metric<AuditKeeper>[] = [
  {
    name: 'floodgauge_audit_broken',
    help: '1 when the last daily check has found that the chain of the audit log is not whole: `floodgauge audit verify` says where.',
    read: ({ isBroken }) => (isBroken ? 1 : 0),
  },
  {
    name: 'floodgauge_audit_syslog_sent_total',
    help: 'Entries of the audit log that the syslog receiver was given.',
    read: ({ counters }) => counters.sent,
  },
  {
    name: 'floodgauge_audit_syslog_dropped_total',
    help: 'Entries that were left out, since too many waited for the syslog receiver.',
    read: ({ counters }) => counters.dropped,
  },
]

export class AuditKeeper {
  readonly #options: AuditKeeperOptions
  readonly #sending: PeriodicTask
  readonly #looking: PeriodicTask
  readonly #beginning: PeriodicTask
  readonly tasks: readonly PeriodicTask[]
  readonly #stopped = new AbortController()
  #hasBegun = false
  isBroken = false
  readonly counters = { sent: 0, dropped: 0 }

  constructor(options: AuditKeeperOptions) {
    const { clock, log, sender } = options
    this.#options = options
    this.#sending = new PeriodicTask({
      name: 'audit-syslog',
      ...(sender === null ? {} : { periodMs: sendEveryMs }),
      run: () => this.#send(),
      failure: 'entries of the audit log could not be sent to the syslog receiver; they wait, and it is tried again',
      ...{ clock, log },
    })
    this.#looking = new PeriodicTask({
      name: 'audit-check',
      periodMs: lookEveryMs,
      run: () => this.#look(),
      failure: 'the audit log could not be checked; it is tried again in a day',
      ...{ clock, log },
    })
    this.#beginning = new PeriodicTask({
      name: 'audit-start',
      periodMs: beginEveryMs,
      run: () => this.#begin(),
      failure: 'the start of the service could not be written to the audit log; it is tried again in a minute',
      ...{ clock, log },
    })
    this.tasks = [this.#sending, this.#looking, this.#beginning]
  }

  /** Never rejects: a store that takes no writes keeps nobody from seeing attacks. */
  async start(): Promise<void> {
    await this.#beginning.run()
    if (!this.#hasBegun) this.#beginning.start()
    this.#sending.start()
    this.#looking.start()
    void this.#looking.run()
  }

  async stop(): Promise<void> {
    const { sender, log } = this.#options
    this.#stopped.abort()
    await this.#beginning.stop()
    await this.#looking.stop()
    await this.note('service.stop', {}).catch((error: unknown) => {
      log.error({ err: error }, 'the end of the service could not be written to the audit log')
    })
    const timer = setTimeout(() => sender?.close(), lastSendMs)
    if (sender !== null) await this.#sending.runAgain()
    clearTimeout(timer)
    await this.#sending.stop()
    sender?.close()
    await this.#tellHead().catch(() => {})
  }

  /** What the service does by itself. */
  async note(kind: string, detail: Detail, outcome: Outcome = 'done'): Promise<void> {
    const actor = { kind: 'service' as const, userId: null, name: '', credential: '', address: '' }
    await this.#options.store.noteAudit([{ kind, actor, object: '', outcome, count: 1, detail }])
  }

  async #begin(): Promise<void> {
    if (this.#hasBegun) return
    const { store, sender, version } = this.#options
    // A receiver that is set later is not given what was before.
    if (sender === null) await store.noteAuditSent((await store.auditEnds()).head.sequence)
    await this.note('service.start', { version })
    this.#hasBegun = true
  }

  async #send(): Promise<void> {
    const { store, sender, facility, host, pid } = this.#options
    if (sender === null) return
    const { head, anchor, sent: known } = await store.auditEnds()
    let sent = Math.max(known, anchor.sequence)
    if (head.sequence - sent > waitingMax) {
      this.counters.dropped += head.sequence - waitingMax - sent
      sent = head.sequence - waitingMax
    }
    while (sent < head.sequence) {
      const rows = await store.auditAfter(sent, sentAtOnce)
      const last = rows.at(-1)
      if (last === undefined) return
      await sender.send(rows.map((row) => syslogMessage(row, { facility, host, pid })))
      this.counters.sent += rows.length
      sent = last.sequence
      await store.noteAuditSent(sent)
    }
  }

  async #look(): Promise<void> {
    const { verify, log } = this.#options
    const found = await verify(this.#stopped.signal)
    if (found === null || this.#stopped.signal.aborted) return
    const { fault, rows } = found
    this.isBroken = fault !== null
    if (fault !== null) log.error({ fault: fault.text, sequence: fault.sequence, rows }, 'the audit log is not whole')
    await this.#tellHead()
  }

  /** Kept wherever the service's log is kept: `floodgauge audit verify --head` holds the chain against it. */
  async #tellHead(): Promise<void> {
    const { head }: { head: ChainEnd } = await this.#options.store.auditEnds()
    this.#options.log.info({ sequence: head.sequence, hash: head.hash }, 'head of the audit log')
  }
}

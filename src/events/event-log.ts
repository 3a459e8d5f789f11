// A line in the log for what happens to an event: it begins, ends, returns and is closed. Lines are written after the store has it, and a flood of
// events is bounded and counted.
import type { Clock } from '../clock.ts'
import type { IncidentReport } from '../detect/incidents/incident-report.ts'
import type { Logger } from '../log.ts'

import { formatKey } from '../net/address.ts'
import { isOver } from './phase.ts'

import type { EventDetail } from './records.ts'

type LoggedEvent = Pick<EventDetail, 'id' | 'incident' | 'site' | 'address' | 'isTest' | 'endMs'>
type Change = 'began' | 'ended' | 'returned' | 'closed'

/** The events of an incident's owners, and whether the log says that they are over. */
interface LoggedIncident {
  events: LoggedEvent[]
  isOver: boolean
}

const windowMs = 60_000
/** In a minute. */
const linesMax = 1_000

export class EventLog {
  readonly #log: Logger
  readonly #clock: Clock
  /** By incident, until it is closed: as many as the recorder follows. */
  readonly #known = new Map<string, LoggedIncident>()
  #windowFromMs = Number.NEGATIVE_INFINITY
  #lines = 0
  #heldBack = 0

  constructor({ log, clock }: { log: Logger; clock: Clock }) {
    this.#log = log
    this.#clock = clock
  }

  /** Events that an earlier process has logged. */
  resume(events: readonly LoggedEvent[]): void {
    for (const event of events) this.#add(event, event.endMs !== null)
  }

  /** What the store has now: the events that were made, and the reports that were written. */
  take(made: readonly LoggedEvent[], reports: readonly IncidentReport[]): void {
    const begun = new Map<string, LoggedEvent[]>()
    for (const event of made) begun.set(event.incident, [...(begun.get(event.incident) ?? []), event])
    for (const report of reports) {
      const known = this.#known.get(report.incident)
      const change = known === undefined ? null : changeOf(report, known)
      if (known !== undefined && change !== null) {
        for (const event of known.events) this.#write(change, event, report)
        known.isOver = isOver(report)
      }
      for (const event of begun.get(report.incident) ?? []) {
        this.#write('began', event, report)
        if (isOver(report)) this.#write('ended', event, report)
        this.#add(event, isOver(report))
      }
      if (report.phase !== 'closed') continue
      for (const event of this.#known.get(report.incident)?.events ?? []) this.#write('closed', event, report)
      this.#known.delete(report.incident)
    }
  }

  #add(event: LoggedEvent, isOver: boolean): void {
    const known = this.#known.get(event.incident) ?? { events: [], isOver }
    known.events.push(event)
    this.#known.set(event.incident, known)
  }

  #write(change: Change, { id, site, address, isTest }: LoggedEvent, report: IncidentReport): void {
    if (!this.#hasRoom()) return
    const { label, packetsPerSecond, bytesPerSecond, peak, startMs, endMs } = report
    const facts = {
      event: id,
      ...(isTest ? { isTest } : {}),
      site,
      address: formatKey(address),
      attackType: label,
      packetsPerSecond: Math.round(packetsPerSecond),
      bitsPerSecond: Math.round(bytesPerSecond * 8),
      peakPacketsPerSecond: Math.round(peak.packetsPerSecond),
      seconds: Math.round((endMs - startMs) / 1000),
    }
    this.#log.info(facts, `${isTest ? 'event of a simulated attack' : 'event'} ${change}`)
  }

  #hasRoom(): boolean {
    const nowMs = this.#clock.now()
    // A clock that was set back begins another minute.
    if (nowMs < this.#windowFromMs || nowMs - this.#windowFromMs >= windowMs) {
      if (this.#heldBack > 0) this.#log.warn({ heldBack: this.#heldBack }, 'more events than lines for them')
      this.#windowFromMs = nowMs
      this.#lines = 0
      this.#heldBack = 0
    }
    if (this.#lines < linesMax) this.#lines++
    else this.#heldBack++
    return this.#heldBack === 0
  }
}

/** Null: the log has it already. */
function changeOf(report: IncidentReport, known: LoggedIncident): Change | null {
  if (isOver(report)) return known.isOver ? null : 'ended'
  return known.isOver ? 'returned' : null
}

// The events of a backtest as JSON lines: in the order in which they became listable, each in its final form once those before it are over too.
import { createHash } from 'node:crypto'
import type { HostRecord } from '../../access/host-record.ts'
import { presentEvent, presentEventDetail } from '../../api/events/present-open.ts'
import { formatTime } from '../../contract/time.ts'
import type { IncidentReport } from '../../detect/incidents/incident-report.ts'
import { eventFrom, eventId, listableAt } from '../../events/event.ts'
import { addressFrom, formatKey } from '../../net/address.ts'
import { contains, type Network, prefixLength } from '../../net/network.ts'
import type { EventDetail } from '../../store/store.ts'

export type WatchedHost = Extract<HostRecord, { network: Network }>

export class EventLines {
  readonly #watched: WatchedHost[]
  readonly #file: string | null
  readonly #waiting: { event: EventDetail; over: boolean }[] = []

  /** `file`: named in each line, unless null. */
  constructor(watched: readonly WatchedHost[], file: string | null) {
    this.#file = file
    // The site of an address is the smallest host that holds it.
    this.#watched = watched.toSorted((a, b) => prefixLength(b.network) - prefixLength(a.network))
  }

  /** The lines that are final by now. */
  take(reports: readonly IncidentReport[], atMs: number): string[] {
    for (const report of reports) {
      const known = this.#waiting.find(({ event }) => event.incident === report.incident)
      const createdMs = known?.event.createdMs ?? listableAt(atMs)
      const over = report.phase === 'closed'
      const event = this.#eventFrom(report, createdMs)
      if (known === undefined) this.#waiting.push({ event, over })
      else Object.assign(known, { event, over })
    }
    const going = this.#waiting.findIndex(({ over }) => !over)
    const final = this.#waiting.splice(0, going === -1 ? this.#waiting.length : going)
    return final.map(({ event }) => lineOf(event, this.#file))
  }

  #eventFrom(report: IncidentReport, createdMs: number): EventDetail {
    const holding = this.#watched.filter(({ network }) => contains(network, addressFrom(report.address)))
    const sites = holding.length === 0 ? [formatKey(report.address)] : holding.map(({ host }) => host)
    const match = {
      view: 'all' as const,
      userId: '',
      address: report.address,
      site: sites[0],
      sites,
      domain: '',
      dns: [],
    }
    const entropy = createHash('sha256').update(report.incident).digest()
    const event = eventFrom(report, match, { id: eventId(createdMs, entropy), createdMs }, { isTest: false })
    return { ...event, returns: report.episode.number, updatedMs: createdMs, sequence: 0 }
  }
}

/** The interface's detail form, and what the interface leaves to /api/v1. */
function lineOf(event: EventDetail, file: string | null): string {
  const { startMs, endMs, peak, why } = event
  const { atMs, ...rates } = peak
  return JSON.stringify({
    ...presentEvent(event),
    ...presentEventDetail(event),
    start: formatTime(startMs),
    end: endMs === null ? null : formatTime(endMs),
    peak: { ...rates, at: formatTime(atMs) },
    why,
    ...(file !== null && { file }),
  })
}

// The span of time that an event list is asked for, as the query that the service reads.

export interface EventWindow {
  /** The last `days` days, 1 to 365. */
  last?: number | undefined
  /** Events at or after this moment. */
  start?: Date | string | undefined
  /** Events before this moment. */
  end?: Date | string | undefined
}

export interface Page {
  /** Events a page, 1 to 1000. */
  limit?: number | undefined
  /** Where the page before ended. */
  cursor?: string | undefined
  /** Under /api/v1, in place of a window: events that changed after this place in the sequence. */
  changedSince?: number | undefined
}

/** What events must be like; what is left out does not matter. */
export interface EventFilter {
  /** A host record, in any spelling. */
  site?: string | undefined
  /** The victim's address. */
  address?: string | undefined
  state?: 'open' | 'ended' | undefined
  /** `unknown`: of those that have none. */
  attackType?: string | undefined
  deviationMin?: number | undefined
  /** True: simulated attacks alone; false: real ones alone. */
  test?: boolean | undefined
}

/** Whole seconds with a numeric offset, as the service writes them: `2017-03-08T10:09:18+00:00`. */
export function formatMoment(moment: Date | string): string {
  return typeof moment === 'string' ? moment : `${moment.toISOString().slice(0, 19)}+00:00`
}

/** The window as parameters of a query. */
export function queryOf({ last, start, end, limit, cursor }: EventWindow & Page) {
  const moment = (given: Date | string | undefined) => (given === undefined ? undefined : formatMoment(given))
  return { last, start: moment(start), end: moment(end), limit, cursor }
}

/**
 * The window of the next page, from `Link: <...>; rel="next"` (RFC 8288), or null when this page is the last. Only the query is read:
 * a host in a link is not one that the token was meant for.
 */
export function nextWindow(link: string | null): (EventWindow & Page) | null {
  for (const [, target, parameters] of (link ?? '').matchAll(/<([^>]*)>([^<]*)/g)) {
    if (/;\s*rel\s*=\s*"?next"?(\s|;|,|$)/i.test(parameters)) return windowOf(target)
  }
  return null
}

function windowOf(target: string): EventWindow & Page {
  const at = target.indexOf('?')
  const query = new URLSearchParams(at === -1 ? '' : target.slice(at).replace(/#.*$/, ''))
  const text = (name: string) => query.get(name) ?? undefined
  const number = (name: string) => (query.has(name) ? Number(query.get(name)) : undefined)
  return {
    last: number('last'),
    start: text('start'),
    end: text('end'),
    limit: number('limit'),
    cursor: text('cursor'),
    changedSince: number('changedSince'),
  }
}

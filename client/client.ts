// The client: a generic call for every endpoint, functions for those that most programs use, and the two ways to read many events.
import { type Caller, createCaller } from './call.ts'
import { type PollOptions, pollEvents } from './poll.ts'
import { ProblemError } from './problem.ts'
import { Requester, systemTiming, type Timing } from './request.ts'
import type {
  AddOutcome,
  BatchOutcome,
  DdosEvent,
  DdosEventDetail,
  EventOverview,
  EventReport,
  EventSeries,
  ExporterDetail,
  ExporterList,
  NamesImport,
  PassiveDnsRecord,
  Proof,
  Simulation,
  Site,
  SiteReport,
  Target,
  WantedSimulation,
} from './types.ts'
import { type EventFilter, type EventWindow, type Page, queryOf } from './window.ts'

export interface ClientOptions {
  /** The address of the service, with a path if it lives below one: `https://floodgauge.example`. */
  baseUrl: string
  email: string
  token: string
  /** The word in the names of the authentication headers. */
  vendor?: string
  fetch?: typeof globalThis.fetch
  /** How often a request is sent again when the service is busy (429, 503). */
  retries?: number
  /** The longest single wait before that, in milliseconds. */
  retryWaitMaxMs?: number
  /** The longest wait for one answer, in milliseconds. */
  timeoutMs?: number
  /** For tests. */
  timing?: Timing
}

export interface CallOptions {
  signal?: AbortSignal | undefined
}

export interface EventPage {
  events: DdosEvent[]
  /** What to ask for next; null on the last page. */
  next: (EventWindow & Page) | null
}

export interface Client extends Caller {
  /** All sites of the user. */
  listSites(options?: CallOptions): Promise<Site[]>
  addSites(hosts: readonly string[], options?: CallOptions): Promise<AddOutcome>
  deleteSites(hosts: readonly string[], options?: CallOptions): Promise<BatchOutcome>
  enableSites(hosts: readonly string[], options?: CallOptions): Promise<BatchOutcome>
  disableSites(hosts: readonly string[], options?: CallOptions): Promise<BatchOutcome>
  /** The events of a window, oldest first, in one answer. Without a window: the last 30 days. */
  listEvents(window?: EventWindow, options?: CallOptions): Promise<DdosEvent[]>
  /** One page of such a window. */
  eventPage(window: EventWindow & Page, options?: CallOptions): Promise<EventPage>
  /** The statistics of one event; null when there is no such event. */
  getEvent(id: string, options?: CallOptions): Promise<DdosEventDetail | null>
  /** The events of a window one by one, fetched page by page, so that memory does not grow with the window. */
  eventsBetween(
    window?: EventWindow,
    options?: CallOptions & { pageSize?: number },
  ): AsyncGenerator<DdosEvent, void, undefined>
  /** Those events of a window that pass the filter, oldest first, in one answer, with plain units. Without a window: of the last 30 days. */
  findEvents(wanted?: EventWindow & EventFilter, options?: CallOptions): Promise<EventOverview[]>
  /** Everything that is known of an event, with plain units; null when there is no such event. */
  getEventReport(id: string, options?: CallOptions): Promise<EventReport | null>
  /** The traffic of the victim from a minute before the attack to its end; null when there is no such event. */
  getEventSeries(id: string, options?: CallOptions): Promise<EventSeries | null>
  /** How the exporters do, and what the service receives beside. The token needs the scope `admin`. */
  listExporters(options?: CallOptions): Promise<ExporterList>
  /** One exporter with its streams; null when nothing has come from it. */
  getExporter(id: string, options?: CallOptions): Promise<ExporterDetail | null>
  /** What is known of an address; null when it belongs to no site of the user, unless the token is for `admin`. */
  getTarget(address: string, options?: CallOptions): Promise<Target | null>
  /** Where a site of the caller leads; null when the caller has no such site. */
  getSite(host: string, options?: CallOptions): Promise<SiteReport | null>
  /** Takes passive DNS in the Common Output Format, one JSON object a line, in UTF-8. The token needs the scope `admin`. */
  importNames(lines: Uint8Array<ArrayBuffer>, options?: CallOptions): Promise<NamesImport>
  /** Where a name led, alias by alias, or what led to an address; those seen last come first. */
  queryPassiveDns(question: string, options?: CallOptions): Promise<PassiveDnsRecord[]>
  /** The same, when the proof of the site has been looked for in the DNS. */
  verifySite(host: string, options?: CallOptions): Promise<SiteReport | null>
  /** Simulates an attack on a site of the caller; null when the caller has no such site. */
  startSimulation(host: string, wanted?: WantedSimulation, options?: CallOptions): Promise<Simulation | null>
  /** The last attack that was simulated on a site of the caller, with the event that came of it; null when there is none. */
  getSimulation(host: string, options?: CallOptions): Promise<Simulation | null>
  /** Sends no more of it. */
  stopSimulation(host: string, options?: CallOptions): Promise<Simulation | null>
  /** What users prove to control. The token needs the scope `admin`. */
  listProofs(options?: CallOptions): Promise<Proof[]>
  /** New events as they come, each once. Calls every 5 minutes for the last 10 unless told otherwise. */
  pollEvents(options?: PollOptions): AsyncGenerator<DdosEvent, void, undefined>
}

const pageSizeDefault = 1000

export function createClient(options: ClientOptions): Client {
  const timing = options.timing ?? systemTiming
  const { call, page: pageOf } = createCaller(createRequester(options, timing))

  const page = async (window: EventWindow & Page, { signal }: CallOptions): Promise<EventPage> => {
    const { body, next } = await pageOf('listEvents', { query: queryOf(window), signal })
    if (!Array.isArray(body.data)) throw new ProblemError('the answer holds no list of events', { status: 200 })
    return { events: body.data, next }
  }

  async function* eventsBetween(window: EventWindow = {}, call: CallOptions & { pageSize?: number } = {}) {
    let wanted: EventPage['next'] = { ...window, limit: call.pageSize ?? pageSizeDefault }
    while (wanted !== null) {
      const { events, next }: EventPage = await page(wanted, call)
      yield* events
      if (next !== null && next.cursor === wanted.cursor) {
        throw new ProblemError('the service announces a next page that is this page', { status: 200 })
      }
      wanted = next
    }
  }

  return {
    call,
    page: pageOf,
    listSites: async (options = {}) => {
      const { data, status } = await call('listSites', options)
      if (status !== 1) throw new ProblemError('the service could not read the list of sites', { status: 200 })
      return data
    },
    addSites: (hosts, options) => call('addSites', { body: { hosts: [...hosts] }, ...options }),
    deleteSites: (hosts, options) => call('deleteSites', { body: { hosts: [...hosts] }, ...options }),
    enableSites: (hosts, options) => call('enableSites', { body: { hosts: [...hosts] }, ...options }),
    disableSites: (hosts, options) => call('disableSites', { body: { hosts: [...hosts] }, ...options }),
    listEvents: async (window = {}, options = {}) => (await page(window, options)).events,
    eventPage: (window, options = {}) => page(window, options),
    getEvent: async (id, options) => {
      const { data } = await call('getEvent', { params: { id }, ...options })
      return '_id' in data ? data : null
    },
    findEvents: async ({ last, start, end, test, ...filter } = {}, options = {}) => {
      const isTest = test === undefined ? undefined : test ? 'true' : 'false'
      const query = { ...filter, test: isTest, ...queryOf({ last, start, end }) } as const
      return (await call('findEvents', { query, ...options })).events
    },
    getEventReport: (id, options) => orNull(call('getEventReport', { params: { id }, ...options })),
    getEventSeries: (id, options) => orNull(call('getEventSeries', { params: { id }, ...options })),
    listExporters: (options = {}) => call('listExporters', options),
    getExporter: (id, options) => orNull(call('getExporter', { params: { id }, ...options })),
    getTarget: (address, options) => orNull(call('getTarget', { params: { address }, ...options })),
    getSite: (host, options) => orNull(call('getSite', { params: { host }, ...options })),
    importNames: (body, options) => call('importNames', { body, ...options }),
    queryPassiveDns: (question, options) => call('queryPassiveDns', { params: { question }, ...options }),
    verifySite: (host, options) => orNull(call('verifySite', { params: { host }, ...options })),
    startSimulation: async (host, body = {}, options = {}) =>
      (await orNull(call('startSimulation', { params: { host }, body, ...options })))?.simulation ?? null,
    getSimulation: async (host, options) =>
      (await orNull(call('getSimulation', { params: { host }, ...options })))?.simulation ?? null,
    stopSimulation: async (host, options) =>
      (await orNull(call('stopSimulation', { params: { host }, ...options })))?.simulation ?? null,
    listProofs: async (options = {}) => (await call('listProofs', options)).proofs,
    eventsBetween,
    pollEvents: (poll) =>
      pollEvents({ timing, eventsFrom: (start, signal) => eventsBetween({ start }, { signal }) }, poll),
  }
}

function createRequester(options: ClientOptions, timing: Timing): Requester {
  const vendor = options.vendor ?? 'SVC'
  return new Requester({
    baseUrl: options.baseUrl.replace(/\/+$/, ''),
    headers: () => ({
      accept: 'application/json',
      [`X-${vendor}-AuthEmail`]: options.email,
      [`X-${vendor}-AuthToken`]: options.token,
    }),
    credentials: 'omit',
    // Called through the global, since browsers refuse `fetch` as a method of anything else.
    fetch: options.fetch ?? ((...request) => globalThis.fetch(...request)),
    timing,
    retries: options.retries ?? 3,
    retryWaitMaxMs: options.retryWaitMaxMs ?? 60_000,
    timeoutMs: options.timeoutMs ?? 60_000,
  })
}

/** Null where the service answers 404. */
async function orNull<Found>(found: Promise<Found>): Promise<Found | null> {
  try {
    return await found
  } catch (error) {
    if (error instanceof ProblemError && error.status === 404) return null
    throw error
  }
}

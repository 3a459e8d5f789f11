// The client: the endpoints of the interface as functions, and the two ways to read many events.
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
  ProofList,
  Simulation,
  Site,
  SiteReport,
  Target,
  WantedSimulation,
} from './types.ts'
import { type EventFilter, type EventWindow, nextWindow, type Page, searchOf } from './window.ts'

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

export interface Client {
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
  /** One exporter with its streams; null when nothing was heard of it. */
  getExporter(id: string, options?: CallOptions): Promise<ExporterDetail | null>
  /** What is known of an address; null when it belongs to no site of the user, unless the token is for `admin`. */
  getTarget(address: string, options?: CallOptions): Promise<Target | null>
  /** Where a site of the caller leads; null when it is none. */
  getSite(host: string, options?: CallOptions): Promise<SiteReport | null>
  /** Takes passive DNS in the Common Output Format, one JSON object a line, in UTF-8. The token needs the scope `admin`. */
  importNames(lines: Uint8Array<ArrayBuffer>, options?: CallOptions): Promise<NamesImport>
  /** Where a name led, alias by alias, or what led to an address; those seen last come first. */
  queryPassiveDns(question: string, options?: CallOptions): Promise<PassiveDnsRecord[]>
  /** The same, when the proof of the site has been looked for in the DNS. */
  verifySite(host: string, options?: CallOptions): Promise<SiteReport | null>
  /** Simulates an attack on a site of the caller; null when it is none. */
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
  const vendor = options.vendor ?? 'SVC'
  const timing = options.timing ?? systemTiming
  const requester = new Requester({
    baseUrl: options.baseUrl.replace(/\/+$/, ''),
    headers: {
      accept: 'application/json',
      [`X-${vendor}-AuthEmail`]: options.email,
      [`X-${vendor}-AuthToken`]: options.token,
    },
    // Called through the global, since browsers refuse `fetch` as a method of anything else.
    fetch: options.fetch ?? ((...request) => globalThis.fetch(...request)),
    timing,
    retries: options.retries ?? 3,
    retryWaitMaxMs: options.retryWaitMaxMs ?? 60_000,
    timeoutMs: options.timeoutMs ?? 60_000,
  })

  const change = async <Outcome>(verb: string, hosts: readonly string[], call: CallOptions = {}): Promise<Outcome> => {
    const { body } = await requester.send({ method: 'POST', path: `/open/site/${verb}`, body: { hosts }, ...call })
    return declared<Outcome>(body)
  }

  const page = async (window: EventWindow & Page, { signal }: CallOptions): Promise<EventPage> => {
    const search = searchOf(window)
    const { body, headers } = await requester.send({ method: 'GET', path: '/open/event/ddos', search, signal })
    const { data } = declared<{ data: DdosEvent[] }>(body)
    if (!Array.isArray(data)) throw new ProblemError('the answer holds no list of events', { status: 200 })
    return { events: data, next: nextWindow(headers.get('link')) }
  }

  /** Null: 404. */
  const find = async <Shape>(
    path: string,
    { signal }: CallOptions = {},
    method: 'GET' | 'POST' = 'GET',
    given?: unknown,
  ): Promise<Shape | null> => {
    try {
      const { body } = await requester.send({ method, path, signal, ...(given === undefined ? {} : { body: given }) })
      return declared<Shape>(body)
    } catch (error) {
      if (error instanceof ProblemError && error.status === 404) return null
      throw error
    }
  }

  const simulation = async (
    host: string,
    call: CallOptions,
    { verb = '', method = 'POST', body }: { verb?: '' | '/stop'; method?: 'GET' | 'POST'; body?: WantedSimulation },
  ): Promise<Simulation | null> => {
    const path = `/api/v1/sites/${encodeURIComponent(host)}/simulation${verb}`
    return (await find<{ simulation: Simulation | null }>(path, call, method, body))?.simulation ?? null
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
    listSites: async (call = {}) => {
      const { body } = await requester.send({ method: 'GET', path: '/open/site', ...call })
      const { data, status } = declared<{ data: Site[]; status: number }>(body)
      if (status !== 1) throw new ProblemError('the service could not read the list of sites', { status: 200 })
      return data
    },
    addSites: (hosts, call) => change('add', hosts, call),
    deleteSites: (hosts, call) => change('delete', hosts, call),
    enableSites: (hosts, call) => change('enable', hosts, call),
    disableSites: (hosts, call) => change('disable', hosts, call),
    listEvents: async (window = {}, call = {}) => (await page(window, call)).events,
    eventPage: (window, call = {}) => page(window, call),
    getEvent: async (id, { signal } = {}) => {
      const path = `/open/event/ddos/detail/${encodeURIComponent(id)}`
      const { body } = await requester.send({ method: 'GET', path, signal })
      const { data } = declared<{ data: DdosEventDetail | Record<string, never> }>(body)
      return '_id' in data ? declared<DdosEventDetail>(data) : null
    },
    findEvents: async ({ last, start, end, ...filter } = {}, { signal } = {}) => {
      const search = searchOf({ last, start, end }, filter)
      const { body } = await requester.send({ method: 'GET', path: '/api/v1/events', search, signal })
      return declared<{ events: EventOverview[] }>(body).events
    },
    getEventReport: (id, call) => find<EventReport>(`/api/v1/events/${encodeURIComponent(id)}`, call),
    getEventSeries: (id, call) => find<EventSeries>(`/api/v1/events/${encodeURIComponent(id)}/series`, call),
    listExporters: async ({ signal } = {}) => {
      const { body } = await requester.send({ method: 'GET', path: '/api/v1/exporters', signal })
      return declared<ExporterList>(body)
    },
    getExporter: (id, call) => find<ExporterDetail>(`/api/v1/exporters/${encodeURIComponent(id)}`, call),
    getTarget: (address, call) => find<Target>(`/api/v1/targets/${encodeURIComponent(address)}`, call),
    getSite: (host, call) => find<SiteReport>(`/api/v1/sites/${encodeURIComponent(host)}`, call),
    importNames: async (lines, { signal } = {}) => {
      const { body } = await requester.send({ method: 'POST', path: '/api/v1/names/observations', lines, signal })
      return declared<NamesImport>(body)
    },
    queryPassiveDns: async (question, { signal } = {}) => {
      const { body } = await requester.send({
        method: 'GET',
        path: `/pdns/query/${encodeURIComponent(question)}`,
        signal,
      })
      return declared<PassiveDnsRecord[]>(body)
    },
    verifySite: (host, call) => find<SiteReport>(`/api/v1/sites/${encodeURIComponent(host)}/verify`, call, 'POST'),
    startSimulation: (host, wanted = {}, call = {}) => simulation(host, call, { body: wanted }),
    getSimulation: (host, call = {}) => simulation(host, call, { method: 'GET' }),
    stopSimulation: (host, call = {}) => simulation(host, call, { verb: '/stop' }),
    listProofs: async ({ signal } = {}) => {
      const { body } = await requester.send({ method: 'GET', path: '/api/v1/proofs', signal })
      return declared<ProofList>(body).proofs
    },
    eventsBetween,
    pollEvents: (poll) =>
      pollEvents({ timing, eventsFrom: (start, signal) => eventsBetween({ start }, { signal }) }, poll),
  }
}

/** What the service answers is what its contract declares; the client checks only what it steps on itself. */
function declared<Shape>(body: unknown): Shape {
  if (typeof body !== 'object' || body === null) throw new ProblemError('the answer is no object', { status: 200 })
  return body as Shape
}

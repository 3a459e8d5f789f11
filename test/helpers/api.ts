// An HTTP server over a fresh store in a folder of its own, for tests.
import { randomBytes } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TSchema } from 'typebox'
import { Value } from 'typebox/value'
import type { Alerts } from '../../src/alert/alerts.ts'
import type { Mailer } from '../../src/alert/mail/mailer.ts'
import { csrfToken } from '../../src/api/accounts/sessions.ts'
import { type ApiServer, createServer, type ServerOptions } from '../../src/api/http/server.ts'
import { LiveFeed } from '../../src/api/live/feed.ts'
import { type HttpSettings, httpSettings } from '../../src/api/settings.ts'
import { type OidcSettings, oidcSettings, type SignOnSettings, signOnSettings } from '../../src/api/sign-on/settings.ts'
import { ManualClock } from '../../src/clock.ts'
import { noReception } from '../../src/collect/health/reception.ts'
import { noStatistics } from '../../src/detect/incidents/incident-report.ts'
import { AppError } from '../../src/errors.ts'
import { nowhere } from '../../src/geo/place.ts'
import { createLogger } from '../../src/log.ts'
import { Metrics } from '../../src/metrics.ts'
import type { SourceReport } from '../../src/names/observe/sources.ts'
import { hashingHere, hashPassword, type PasswordCost } from '../../src/store/password.ts'
import { SecretBox } from '../../src/store/secret-box.ts'
import type { EventDetail, Role, Scope, Store, User } from '../../src/store/store.ts'
import { hashTokenSecret, newTokenSecret } from '../../src/store/token-secret.ts'
import { defaultSettings } from './detection.ts'
import { eventOf as plainEvent, plainNumbers } from './events.ts'
import { alertsOf } from './labs/alerts.ts'
import { openFreshStore } from './store.ts'

export interface TestCaller {
  user: User
  secret: string
  tokenId: string
  /** The two authentication headers. */
  headers: Record<string, string>
}

export interface TestApi extends ApiServer {
  feed: LiveFeed
  alerts: Alerts
  secrets: SecretBox
  store: Store
  clock: ManualClock
  /** How often a change of sites was announced. */
  changes: () => number
  addCaller(email: string, given?: CallerOptions): Promise<TestCaller>
  /** The headers of a browser in which the user is signed in. */
  signedIn(user: User): Promise<Record<'cookie' | 'x-csrf-token', string>>
  close(): Promise<void>
}

export interface CallerOptions {
  scopes?: Scope[]
  expiresMs?: number | null
  siteQuota?: number
  allowed?: User['allowed']
  policy?: User['policy']
  /** Without it: an admin where the scopes say so, or else a member. */
  role?: Role
}

export interface TestApiOptions {
  settings?: Partial<HttpSettings>
  signOn?: Partial<Omit<SignOnSettings, 'oidc'>> & { oidc?: Partial<OidcSettings> }
  clock?: ManualClock
  /** Opens the store; left out: a fresh one. */
  openStore?: (clock: ManualClock) => Promise<Store>
  timeSpent?: ServerOptions['timeSpent']
  /** Puts something between the server and the store. */
  wrap?: (store: Store) => Store
  /** Left out: there is no mail server. */
  mailer?: Mailer | null
  health?: ServerOptions['health']
  exporters?: ServerOptions['exporters']
  admission?: ServerOptions['admission']
  notices?: ServerOptions['notices']
  targets?: ServerOptions['targets']
  siteWatch?: ServerOptions['siteWatch']
  installation?: ServerOptions['installation']
  names?: ServerOptions['names']
  proofs?: ServerOptions['proofs']
  places?: ServerOptions['places']
  simulations?: ServerOptions['simulations']
  log?: ServerOptions['log']
  access?: ServerOptions['access']
  webConsole?: ServerOptions['webConsole']
}

/** A thirtieth of the work of the service: what a password costs is for `src/store/password.test.ts` alone. */
const cheap: PasswordCost = { memoryKib: 1_024, passes: 1, lanes: 1 }
export const cheapHash = (password: string) => hashPassword(password, cheap)

export const startMs = Date.UTC(2026, 0, 15, 12)

export async function createTestApi(options: TestApiOptions = {}): Promise<TestApi> {
  const folder = await mkdtemp(join(tmpdir(), 'floodgauge-api-'))
  const clock = options.clock ?? new ManualClock(startMs)
  const store = (await options.openStore?.(clock)) ?? (await openFreshStore(join(folder, 'store.db'), { clock }))
  let changes = 0
  const feed = new LiveFeed({ store, clock, log: options.log ?? createLogger('silent') })
  const secrets = new SecretBox(folder)
  const { settings: { publicUrl = '' } = {}, mailer = null } = options
  const alerts = alertsOf({ store, secrets, clock, publicUrl, mailer })
  const api = await createServer({
    alerts,
    store: options.wrap?.(store) ?? store,
    clock,
    settings: settingsOf(options.settings),
    signOn: signOnOf(options.signOn),
    passwords: hashingHere(cheap),
    secrets,
    access: options.access ?? { policy: 'single', sharedNetworks: [], sharedDomains: 3 },
    log: options.log ?? createLogger('silent'),
    metrics: new Metrics(),
    onSitesChanged: () => changes++,
    exporters: options.exporters ?? noExporters,
    admission: options.admission ?? noAdmission,
    notices: options.notices ?? { list: () => [] },
    targets: options.targets ?? noTargets,
    siteWatch: options.siteWatch ?? noSiteWatch,
    feed,
    installation: options.installation ?? testInstallation,
    names: options.names ?? noNames,
    proofs: options.proofs ?? noProofs,
    places: options.places ?? noPlaces,
    simulations: options.simulations ?? noSimulations,
    webConsole: options.webConsole ?? null,
    ...(options.timeSpent === undefined ? {} : { timeSpent: options.timeSpent }),
    health: options.health ?? (() => ({ ready: true, checks: {} })),
  })
  return {
    ...api,
    feed,
    alerts,
    secrets,
    store,
    clock,
    changes: () => changes,
    addCaller: (email, given) => addCaller(store, email, given),
    signedIn: async ({ id: userId }) => {
      const secret = randomBytes(32).toString('hex')
      const given = { userId, expiresMs: clock.now() + 86_400_000, address: '127.0.0.1', agent: '' }
      await store.addSession(given, hashTokenSecret(secret))
      return { cookie: `floodgauge=${secret}`, 'x-csrf-token': csrfToken(secret) }
    },
    close: async () => {
      await api.server.close()
      await store.close()
      await rm(folder, { recursive: true })
    },
  }
}

export const noTargets: ServerOptions['targets'] = {
  stateOf: () => Promise.reject(new AppError('DETECTION_BUSY', 'there is no detector')),
  ratesOf: () => Promise.reject(new AppError('DETECTION_BUSY', 'there is no detector')),
  waysTo: () => [],
  latestTraces: () => Promise.reject(new AppError('DETECTION_BUSY', 'there is no detector')),
  detect: defaultSettings(),
}

export const testInstallation: ServerOptions['installation'] = {
  version: '0.0.0',
  startedMs: startMs,
  tables: () => [],
  selfTest: () => null,
  retentionDays: { events: 400, series: 14, bindings: 400, audit: 400 },
  listeners: () => [{ protocol: 'netflow', host: '0.0.0.0', port: 2055 }],
  addresses: () => ['192.0.2.5'],
}

export const noSiteWatch: ServerOptions['siteWatch'] = {
  addressesOf: () => ({ addresses: [], omitted: 0 }),
  mayWatch: () => true,
  suggestionsFor: () => [],
  lastDatagramMs: () => null,
}

export const noSources: SourceReport = {
  resolvers: [],
  dnstap: { listeners: [], connections: 0, frames: 0, answers: 0, refused: [], sensors: [] },
  zones: [],
  names: { resolved: 0, failing: 0, observed: 0, bindings: 0, lateMs: 0 },
}

export const noNames: ServerOptions['names'] = {
  names: {
    known: () => ({ asked: [], observed: [] }),
    mayShow: () => false,
    outcomeOf: () => null,
    isCrowdedOut: () => false,
    sources: () => noSources,
  },
  importNames: () => Promise.reject(new AppError('STORE_UNAVAILABLE', 'there is nobody who takes names')),
}

export const noProofs: ServerOptions['proofs'] = {
  of: async () => null,
  check: async () => null,
  all: () => [],
}

export const noSimulations: ServerOptions['simulations'] = {
  of: () => null,
  start: () => Promise.reject(new AppError('CONFLICT', 'there is nobody who simulates')),
  stopAt: () => null,
}

export const noPlaces: ServerOptions['places'] = { isKnown: false, placeOf: () => nowhere }

/** Anybody may send, and nobody can change it. */
export const noAdmission: ServerOptions['admission'] = {
  state: () => ({ source: 'anybody', entries: [], previous: null, changedMs: null, changedBy: null, senders: [] }),
  set: async () => {},
}

const noExporters: ServerOptions['exporters'] = {
  list: () => [],
  each: () => [],
  find: () => null,
  reception: () => noReception,
}

/** The defaults with some changed. A clock that stands still gives nobody time. */
function settingsOf(changed: Partial<HttpSettings> = {}): HttpSettings {
  return Value.Parse(httpSettings, { ...defaultsOf(httpSettings), busySecondsPerMinute: 0, ...changed })
}

function signOnOf({ oidc, ...changed }: NonNullable<TestApiOptions['signOn']> = {}): SignOnSettings {
  const merged = { ...defaultsOf(oidcSettings), ...oidc }
  return Value.Parse(signOnSettings, { ...defaultsOf(signOnSettings), ...changed, oidc: merged })
}

function defaultsOf(settings: TSchema): object {
  const defaults = Value.Default(settings, {})
  return typeof defaults === 'object' && defaults !== null ? defaults : {}
}

async function addCaller(store: Store, email: string, given: CallerOptions = {}): Promise<TestCaller> {
  const { scopes = ['read', 'write'], expiresMs = null, siteQuota = 1_000 } = given
  const { allowed = null, policy = null, role = scopes.includes('admin') ? 'admin' : 'member' } = given
  const limits = { siteQuota, allowed, policy, role }
  const user = (await store.userByEmail(email)) ?? (await store.addUser({ email, ...limits }))
  const secret = newTokenSecret()
  const token = await store.addToken({ userId: user.id, name: '', scopes, expiresMs }, hashTokenSecret(secret))
  return { user, secret, tokenId: token.id, headers: { 'x-svc-authtoken': secret, 'x-svc-authemail': email } }
}

/** An event of the user that is listed `n` seconds after the start, as plain as can be; `n` makes it differ from the others. */
export function eventOf(userId: string, n: number, changed: Partial<EventDetail> = {}): EventDetail {
  const createdMs = startMs + n * 1000
  return plainEvent(userId, n, {
    id:
      Math.floor(createdMs / 1000)
        .toString(16)
        .padStart(8, '0') + n.toString(16).padStart(16, '0'),
    createdMs,
    address: 0xc000020a,
    domain: '',
    label: 'tcp@attack@syn_flood_target',
    bytesPerSecond: 1_000,
    packetsPerSecond: 10,
    flowsPerSecond: 1,
    ...plainNumbers,
    deviation: 12.5,
    startMs: createdMs - 5_000,
    lastMs: createdMs,
    peak: { bytesPerSecond: 2_000, packetsPerSecond: 20, flowsPerSecond: 2, atMs: createdMs },
    why: [],
    vectors: [],
    statistics: noStatistics,
    course: null,
    dns: [],
    ...changed,
  })
}

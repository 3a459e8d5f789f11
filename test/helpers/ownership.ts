// Users with names, sites, allowances and proofs, who are attacked: what each is answered by the real attribution, recorder, store and
// interface, for tests of who may know what.
import { Value } from 'typebox/value'
import type { Claim } from '../../src/access/authority.ts'
import type { AccessSettings } from '../../src/access/settings.ts'
import type { IncidentReport } from '../../src/detect/incidents/incident-report.ts'
import { eventId } from '../../src/events/event.ts'
import { Recorder } from '../../src/events/recorder.ts'
import { createLogger } from '../../src/log.ts'
import { Names } from '../../src/names/names.ts'
import { namesSettings } from '../../src/names/settings.ts'
import { formatIpv4 } from '../../src/net/ipv4.ts'
import type { User } from '../../src/store/store.ts'
import { createTestApi, noTargets, type TestApi, type TestCaller } from './api.ts'
import { detailsOf, reportOf } from './reports.ts'

export interface OwnershipOptions {
  access: AccessSettings
  users: Record<string, Pick<User, 'allowed' | 'policy'>>
  /** Deliberately wrong: that the tests fail then. */
  broken?: 'attribution' | 'sources' | undefined
}

export class Ownership {
  readonly #api: TestApi
  readonly #names: Names
  readonly #recorder: Recorder
  readonly #callers = new Map<string, TestCaller>()
  readonly #broken: OwnershipOptions['broken']
  /** By user name. */
  #claims: Claim[] = []
  #attacks = 0

  private constructor(api: TestApi, names: Names, broken: OwnershipOptions['broken']) {
    this.#api = api
    this.#names = names
    this.#broken = broken
    let events = 0
    this.#recorder = new Recorder({
      onRecorded: () => {},
      onTests: () => {},
      store: api.store,
      clock: api.clock,
      log: createLogger('silent'),
      incidentsMax: 1_000,
      learnSeconds: 900,
      match: (attack) => names.attribute(attack),
      isColleague: (userId) => names.isColleague(userId),
      mayKnowSources: (userId, addresses) => broken === 'sources' || names.mayKnowSources(userId, addresses),
      newEventId: (createdMs) => eventId(createdMs, Buffer.from((++events).toString(16).padStart(16, '0'), 'hex')),
    })
  }

  static async create({ access, users, broken }: OwnershipOptions): Promise<Ownership> {
    // The interface is made first, with what it asks of the names; these need its clock.
    let names: Names | null = null
    const api = await createTestApi({
      access,
      settings: { ratePerMinute: 0 },
      siteWatch: {
        addressesOf: (userId, record, site) =>
          names?.addressesOf(userId, record, site) ?? { addresses: [], omitted: 0 },
        mayWatch: (userId, record, addedMs) => names?.mayWatch(userId, record, addedMs) ?? false,
        suggestionsFor: () => [],
        lastDatagramMs: () => api.clock.now(),
      },
      targets: {
        ...noTargets,
        stateOf: () => Promise.reject(new Error('what is known of the address')),
        ratesOf: () => Promise.reject(new Error('what is known of addresses')),
        waysTo: (userId, address) => names?.waysTo(userId, address) ?? [],
      },
    })
    const settings = { ...Value.Create(namesSettings), resolvers: ['127.0.0.1:9'] }
    names = new Names({ settings, access, clock: api.clock, log: createLogger('silent') })
    const made = new Ownership(api, names, broken)
    for (const [name, limits] of Object.entries(users))
      made.#callers.set(name, await api.addCaller(`${name}@example.net`, limits))
    await made.#refresh()
    return made
  }

  async change(name: string, verb: 'add' | 'delete' | 'enable' | 'disable', hosts: string[]): Promise<void> {
    const { headers } = this.#caller(name)
    await this.#api.server.inject({ method: 'POST', url: `/open/site/${verb}`, headers, payload: { hosts } })
    await this.#refresh()
  }

  /** The name leads there from now on, and no longer elsewhere after its grace. */
  point(name: string, address: number): void {
    const resolved = { addresses: [address], chain: [], ttlSeconds: 60 }
    this.#names.bindings.confirm(name, resolved, this.#api.clock.now())
  }

  /** Proves the claims of all users, by name. */
  async prove(claims: Claim[]): Promise<void> {
    this.#claims = claims
    await this.#refresh()
  }

  async allow(name: string, change: Partial<Pick<User, 'allowed' | 'policy'>>): Promise<void> {
    await this.#api.store.updateUser(this.#caller(name).user.id, change)
    await this.#refresh()
  }

  get nowMs(): number {
    return this.#api.clock.now()
  }

  pass(ms: number): void {
    this.#api.clock.advance(ms)
  }

  /** An attack from one source, reported twice, with its lists, and then ended. */
  async attack(victims: number[], source: number): Promise<void> {
    const nowMs = this.#api.clock.now()
    const change = {
      incident: `i${this.#attacks++}`,
      address: victims[0],
      startMs: nowMs,
      endMs: nowMs,
      victims:
        victims.length === 1 ? [] : victims.map((address) => ({ address, packetsPerSecond: 1, bytesPerSecond: 1 })),
    }
    for (const phase of ['opened', 'updated', 'ended', 'closed'] as const)
      await this.tell(reportOf({ phase, details: detailsFrom(source, victims[0]), ...change }))
  }

  async tell(report: IncidentReport): Promise<void> {
    this.#recorder.take([report])
    await this.#recorder.write()
    this.#api.clock.advance(1_000)
  }

  /** Everything that the user can read: each answer as text, by what was asked for. */
  async answers(
    name: string,
    { hosts, addresses }: { hosts: string[]; addresses: number[] },
  ): Promise<Map<string, string>> {
    const { headers } = this.#caller(name)
    const answers = new Map<string, string>()
    const get = async (url: string): Promise<string> => {
      const { statusCode, body } = await this.#api.server.inject({ url, headers })
      answers.set(url, `${statusCode} ${body}`)
      return body
    }
    await get('/open/site')
    await get('/open/event/ddos?last=365')
    const { events }: { events: { id: string }[] } = JSON.parse(await get('/api/v1/events?last=365'))
    for (const { id } of events) {
      await get(`/api/v1/events/${id}`)
      await get(`/api/v1/events/${id}/series`)
      await get(`/open/event/ddos/detail/${id}`)
    }
    for (const host of hosts) await get(`/api/v1/sites/${encodeURIComponent(host)}`)
    for (const address of addresses) await get(`/api/v1/targets/${formatIpv4(address)}`)
    return answers
  }

  async close(): Promise<void> {
    await this.#recorder.stop()
    this.#names.stop()
    await this.#api.close()
  }

  #caller(name: string): TestCaller {
    const caller = this.#callers.get(name)
    if (caller === undefined) throw new Error(`there is no ${name}`)
    return caller
  }

  async #refresh(): Promise<void> {
    const { store } = this.#api
    const users = await store.listUsers()
    const judged =
      this.#broken === 'attribution' ? users.map(({ id }) => ({ id, policy: 'open' as const, allowed: null })) : users
    const claims = this.#claims.map((claim) => ({ ...claim, userId: this.#caller(claim.userId).user.id }))
    this.#names.setSites(await store.enabledSites(), judged, claims)
  }
}

/** Lists that have the source, as item, text and sample. */
function detailsFrom(source: number, victim: number) {
  const details = detailsOf(1)
  const entry = { item: source, flows: 1, packets: 1, bytes: 1, protocols: [17] }
  const sample = {
    startMs: 0,
    endMs: 0,
    source,
    sourcePort: 1,
    destinationPort: 1,
    packets: 1,
    bytes: 1,
    samplingRate: 1,
    exporter: '',
    victim,
    protocol: 17,
    tcpFlags: 0,
  }
  return {
    ...details,
    statistics: {
      ...details.statistics,
      sourceAddress: [entry],
      protocol: [{ ...entry, item: 17 }],
      samples: [sample],
    },
  }
}

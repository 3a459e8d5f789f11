// Every changing endpoint leaves one row where it is done, and one where it is refused; nothing secret is in any of them.

import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { after, before, describe, it } from 'node:test'
import {
  createTestApi,
  eventOf,
  noProofs,
  noSiteWatch,
  noTargets,
  type TestApi,
  type TestCaller,
} from '../../../test/helpers/api.ts'
import { defaultSettings } from '../../../test/helpers/detection.ts'
import { addEvents } from '../../../test/helpers/events.ts'
import { type FakeProvider, startFakeProvider } from '../../../test/helpers/servers/sign-on/fake-provider.ts'
import { endpointNames, endpoints } from '../../contract/endpoints.ts'
import type { Route } from '../../contract/route.ts'
import { formatTime } from '../../contract/time.ts'
import { Detector } from '../../detect/detector.ts'
import { parseKey } from '../../net/address.ts'
import type { AuditRow, User } from '../../store/store.ts'
import { hashTokenSecret, newTokenSecret } from '../../store/token-secret.ts'
import { hotp, stepAt } from '../second-factor/totp.ts'
import { type ChangingEndpoint, isChanging } from './recorded.ts'

const password = 'correct horse battery staple'
const address = '192.0.2.10'
let api: TestApi
let admin: TestCaller
let session: Record<string, string>
let other: User
let provider: FakeProvider
let last = 0
const secrets = new Set<string>([password])

interface Given {
  payload?: object
  /** In place of what the path has in braces. */
  at?: string
  query?: Record<string, string>
  headers?: Record<string, string>
}

async function newRows(): Promise<AuditRow[]> {
  const rows = await api.store.auditAfter(last, 1_000)
  last = rows.at(-1)?.sequence ?? last
  return rows
}

const call = (name: ChangingEndpoint, { payload, at = 'x', query = {}, headers = session }: Given) => {
  const { method, path }: Route = endpoints[name].route
  const url = path.replace(/\{\w+\}/, encodeURIComponent(at))
  return api.server.inject({ method, url, query, headers, ...(payload === undefined ? {} : { payload }) })
}

/** The octets of a secret as it is shown: RFC 4648 section 6. */
const octetsOf = (secret: string) => {
  const bits = [...secret].map((letter) =>
    'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'.indexOf(letter).toString(2).padStart(5, '0'),
  )
  return Buffer.from((bits.join('').match(/.{8}/g) ?? []).map((octet) => Number.parseInt(octet, 2)))
}
let factor = Buffer.alloc(0)
const channel = async () => (await api.store.channelsOf(admin.user.id))[0].id
const rule = async () => (await api.store.rulesOf(admin.user.id))[0].id
const delivery = async () => {
  const event = eventOf(admin.user.id, 9)
  await addEvents(api.store, [event])
  const facts = { severity: 'low' as const, label: null, before: null }
  const notice = { userId: admin.user.id, eventId: event.id, kind: 'started' as const, number: 1, atMs: 0, facts }
  const to = [{ channelId: await channel(), ruleId: null, course: { what: 'now' as const } }]
  const routing = {
    from: 0,
    to: 0,
    told: new Map(),
    reminders: [],
    escalations: { begun: [], done: [], resting: [] },
    waitingMax: 10,
  }
  await api.store.route({ ...routing, notices: [{ notice, to }] })
  return `${await channel()}-${event.id}-1`
}
const code = () => {
  api.clock.advance(60_000)
  return hotp(factor, stepAt(api.clock.now()))
}
const link = async () => {
  const secret = newTokenSecret()
  secrets.add(secret)
  const expiresMs = api.clock.now() + 60_000
  await api.store.setSignInLink(other.id, { codeHash: hashTokenSecret(secret), expiresMs })
  return { email: other.email, code: secret }
}

/** How each of them is done. In this order: what some make others need. */
const requests: { [Name in ChangingEndpoint]: () => Given | Promise<Given> } = {
  setUp: () => {
    const setupCode = String(api.setupUrl('http://x')).slice(-32)
    secrets.add(setupCode)
    return { payload: { code: setupCode, email: 'root@example.net', password }, headers: {} }
  },
  signIn: () => ({ payload: { email: 'root@example.net', password }, headers: {} }),
  signInByLink: async () => ({ payload: await link(), headers: {} }),
  startSignOn: () => ({ payload: {}, headers: {} }),
  finishSignOn: async () => {
    const answer = await call('startSignOn', { payload: {}, headers: {} })
    const { location } = answer.json()
    const query = new URLSearchParams({ code: provider.codeFor(location) })
    query.set('state', new URL(location).searchParams.get('state') ?? '')
    secrets.add(query.get('code') ?? '')
    const cookie = String(answer.headers['set-cookie']).split(';')[0]
    return { payload: { query: query.toString() }, headers: { cookie } }
  },
  signOut: async () => ({ headers: await api.signedIn(other) }),
  endSession: async () => {
    api.clock.advance(1_000)
    await api.signedIn(admin.user)
    const [{ id }] = (await api.store.listSessions(admin.user.id)).toSorted((a, b) => b.createdMs - a.createdMs)
    return { at: id, headers: admin.headers }
  },
  changePassword: async () => {
    const next = 'another zebra battery staple'
    secrets.add(next)
    return { payload: { current: password, password: next }, headers: await api.signedIn(await root()) }
  },
  setUpSecondFactor: async () => ({
    payload: { password: 'another zebra battery staple' },
    headers: await api.signedIn(await root()),
  }),
  confirmSecondFactor: async () => ({ payload: { code: code() }, headers: await api.signedIn(await root()) }),
  renewRecoveryCodes: async () => ({ payload: { code: code() }, headers: await api.signedIn(await root()) }),
  endSecondFactor: async () => ({ payload: { code: code() }, headers: await api.signedIn(await root()) }),
  resetSecondFactor: async () => ({ at: other.id }),
  addUser: () => ({ payload: { email: 'new@example.net', role: 'viewer', password } }),
  changeUser: () => ({ at: other.id, payload: { role: 'viewer', siteQuota: 3, password } }),
  addToken: () => ({ payload: { name: 'poller', scopes: ['read'] } }),
  revokeToken: async () => ({ at: (await api.store.listTokens(other.id))[0].id }),
  addSites: () => ({ payload: { hosts: [address, 'a.example.net'] } }),
  addAnySites: () => ({ payload: { hosts: ['198.51.100.0/24'] } }),
  disableSites: () => ({ payload: { hosts: ['a.example.net'] } }),
  enableSites: () => ({ payload: { hosts: ['a.example.net'] } }),
  addGroup: () => ({ payload: { name: 'Shops' } }),
  changeSites: async () => ({ payload: { hosts: ['a.example.net'], groupId: await group() } }),
  renameGroup: async () => ({ at: await group(), payload: { name: 'Stores' } }),
  deleteGroup: async () => ({ at: await group() }),
  verifySite: () => ({ at: address }),
  startSimulation: () => ({ at: address, payload: { vector: 'ntp' } }),
  stopSimulation: () => ({ at: address }),
  addChannel: () => ({ payload: { name: 'pager', kind: 'webhook', settings: { url: 'http://127.0.0.1:9/' } } }),
  changeChannel: async () => ({ at: await channel(), payload: { name: 'phone' } }),
  rotateSecret: async () => ({ at: await channel() }),
  testChannel: async () => ({ at: await channel() }),
  replayChannel: async () => ({ at: await channel() }),
  replayDelivery: async () => ({ at: await delivery() }),
  importAlerts: () => ({ payload: { rules: [{ name: 'imported' }] } }),
  addRule: () => ({ payload: { name: 'night', stop: true } }),
  changeRule: async () => ({ at: await rule(), payload: { name: 'day' } }),
  orderRules: async () => ({ payload: { ids: (await api.store.rulesOf(admin.user.id)).map(({ id }) => id) } }),
  previewMessage: () => ({ payload: { titleTemplate: '{{event.site}}' } }),
  previewAlert: () => ({ payload: { host: address } }),
  deleteRule: async () => ({ at: await rule() }),
  addSilence: () => ({ payload: { reason: 'a move', until: formatTime(api.clock.now() + 3_600_000) } }),
  endSilence: async () => ({ at: (await api.store.silencesOf(admin.user.id))[0].id }),
  acknowledgeByLink: async () => {
    const event = eventOf(admin.user.id, 2)
    await addEvents(api.store, [event])
    const url = api.alerts.links.urlFor({ eventId: event.id, channelId: await channel() }, api.clock.now())
    const token = new URL(String(url)).searchParams.get('t') ?? ''
    secrets.add(token)
    return { query: { t: token }, headers: {} }
  },
  confirmByLink: async () => {
    const settings = { to: ['noc@example.org'] }
    const { user } = await api.addCaller('cem@example.net')
    const id = randomBytes(8).toString('hex')
    const sealed = api.alerts.channels.seal(id, {})
    await api.store.addChannel(user.id, { id, kind: 'mail', name: 'mail', settings, sealed }, 10)
    const paces = { perAddressHour: 1, perAddressDay: 1, perUserDay: 1 }
    const asking = await api.store.askAddress(user.id, settings.to[0], paces)
    const url = api.alerts.confirmations.urlFor(asking.address, api.clock.now())
    const token = new URL(String(url)).searchParams.get('t') ?? ''
    secrets.add(token)
    return { query: { t: token }, headers: {} }
  },
  askConfirmation: async () => ({ at: await channel() }),
  confirmAddress: () => ({ payload: { user: other.email, address: 'soc@example.org' } }),
  deleteChannel: async () => ({ at: await channel() }),
  noteEvent: async () => {
    const event = eventOf(admin.user.id, 1)
    await addEvents(api.store, [event])
    return { at: event.id, payload: { acknowledged: true } }
  },
  deleteSites: () => ({ payload: { hosts: ['a.example.net'] } }),
  importNames: () => ({ headers: { ...session, 'content-type': 'application/x-ndjson' } }),
  setAllowedExporters: () => ({ payload: { entries: ['192.0.2.0/24'] } }),
  deleteUser: () => ({ at: other.id }),
}

const root = async () => (await api.store.userByEmail('root@example.net')) ?? admin.user
const group = async () => (await api.store.listGroups(admin.user.id))[0].id

before(async () => {
  const known = { names: [], sinceMs: null, confirmedMs: null, sharedWith: [], domains: 0, domainsOfOthers: 0 }
  const running = {
    vector: 'ntp' as const,
    label: 'x',
    address: parseKey(address) ?? 0,
    packetsPerSecond: 1,
    seconds: 1,
  }
  provider = await startFakeProvider('floodgauge')
  provider.claims = { sub: 'other-1', email: 'other@example.net', email_verified: true }
  api = await createTestApi({
    settings: { ratePerMinute: 0, failuresPerMinute: 10_000, publicUrl: 'http://127.0.0.1:8080' },
    signOn: { oidc: { issuer: provider.issuer, clientId: 'floodgauge' } },
    siteWatch: {
      ...noSiteWatch,
      addressesOf: () => ({ addresses: [{ ...known, address: parseKey(address) ?? 0, isOwn: true }], omitted: 0 }),
    },
    targets: { ...noTargets, stateOf: async (each) => new Detector({ settings: defaultSettings() }).stateOf(each, 0) },
    proofs: noProofs,
    simulations: {
      of: () => null,
      start: async (given) => ({ ...running, ...given, startedMs: 0, endsMs: 1, isRunning: true, event: null }),
      stopAt: () => null,
    },
    names: {
      names: {
        known: () => ({ asked: [], observed: [] }),
        mayShow: () => false,
        outcomeOf: () => null,
        isCrowdedOut: () => false,
        sources: fail,
      },
      importNames: async () => imported,
    },
  })
  admin = await api.addCaller('admin@example.net', { scopes: ['read', 'write', 'admin'] })
  secrets.add(admin.secret)
  session = await api.signedIn(admin.user)
  other = (await api.addCaller('other@example.net')).user
  await api.store.bindIdentity(other.id, { issuer: provider.issuer, subject: 'other-1' })
})
after(async () => {
  await api.close()
  await provider.stop()
})

const imported = { lines: 0, observations: 0, otherTypes: 0, otherNames: 0, omitted: 0, broken: 0, errors: [] }

function fail(): never {
  throw new Error('nobody asks')
}

const names = Object.keys(requests).filter((name) => isChanging(name as ChangingEndpoint)) as ChangingEndpoint[]

describe('the audit log', () => {
  it('knows every endpoint that changes something', () => {
    const changing = endpointNames().filter((name) => endpoints[name].route.method !== 'GET')
    assert.deepEqual(names.toSorted(), changing.toSorted())
  })

  it('has one row of each change', async () => {
    for (const name of names) {
      const given = await requests[name]()
      await newRows()
      const answer = await call(name, given)
      assert.equal(answer.statusCode, 200, `${name}: ${answer.body}`)
      if (name === 'setUpSecondFactor') {
        factor = octetsOf(answer.json().secret)
        secrets.add(answer.json().secret)
      }
      for (const each of [answer.json().token, answer.json().secret, ...(answer.json().recoveryCodes ?? [])])
        if (typeof each === 'string') secrets.add(each)
      const rows = await newRows()
      if (name === 'startSignOn') {
        assert.deepEqual(rows, [], 'it changes nothing here')
        continue
      }
      assert.deepEqual(
        rows.map(({ kind, outcome, count }) => [kind, outcome, count]),
        [[name, 'done', 1]],
        name,
      )
      const [{ actor }] = rows
      assert.equal(actor.address, '127.0.0.1', name)
      assert.equal(
        actor.kind,
        given.headers === session || given.headers === undefined || 'cookie' in given.headers
          ? name === 'finishSignOn'
            ? 'stranger'
            : 'session'
          : 'x-svc-authtoken' in given.headers
            ? 'token'
            : 'stranger',
        name,
      )
      if (name !== 'setUp') assert.match(actor.name, /@example\.net$/, name)
    }
  })

  it('has one row of each refusal, of strangers and of viewers', async () => {
    const viewer = await api.addCaller('viewer@example.net', { role: 'viewer', scopes: ['read'] })
    await newRows()
    for (const name of names) {
      const { scope, role }: Route = endpoints[name].route
      const expected: [string, string, string][] = []
      if (scope !== 'public') {
        assert.equal((await call(name, { headers: {} })).statusCode, 401, name)
        expected.push([name, 'stranger', 'UNAUTHENTICATED'])
        if (role !== 'viewer') {
          assert.equal((await call(name, { headers: viewer.headers })).statusCode, 403, name)
          expected.push([name, 'token', 'FORBIDDEN'])
        }
      } else {
        assert.equal((await call(name, { headers: {}, payload: { next: 1 } })).statusCode, 400, name)
        expected.push([name, 'stranger', 'BAD_REQUEST'])
      }
      assert.deepEqual(
        (await newRows()).map(({ kind, actor, outcome }) => [kind, actor.kind, outcome]),
        expected,
        name,
      )
      // So that no budget of rows ends here.
      api.clock.advance(3 * 60_000)
    }
  })

  it('counts refusals that follow each other, and names who is guessed at', async () => {
    await newRows()
    const guess = (email: string) => call('signIn', { headers: {}, payload: { email, password: 'wrong wrong wrong' } })
    for (let n = 0; n < 4; n++) assert.equal((await guess('root@example.net')).statusCode, 401)
    await guess('hunter2 is my password')
    assert.deepEqual(
      (await newRows()).map(({ actor, outcome }) => [actor.name, outcome]),
      [
        ['root@example.net', 'UNAUTHENTICATED'],
        ['', 'UNAUTHENTICATED'],
      ],
    )
    api.clock.advance(60_000)
    for (const task of api.tasks) if (task.name === 'audit-refusals') await task.run()
    assert.deepEqual(
      (await newRows()).map(({ actor, count }) => [actor.name, count]),
      [['root@example.net', 3]],
    )
  })

  it('has refusals of readers, and not what they read', async () => {
    await newRows()
    const get = (url: string, headers: Record<string, string> = {}) => api.server.inject({ url, headers })
    const member = await api.addCaller('member@example.net')
    for (const url of ['/api/v1/session', '/open/site', '/api/v1/users'])
      assert.equal((await get(url, session)).statusCode, 200)
    assert.equal((await get('/api/v1/events/nothing', session)).statusCode, 404)
    assert.deepEqual(await newRows(), [])
    assert.equal((await get('/api/v1/users', member.headers)).statusCode, 403)
    assert.equal((await get('/open/site')).statusCode, 401)
    assert.deepEqual(
      (await newRows()).map(({ kind, outcome }) => [kind, outcome]),
      [
        ['listUsers', 'FORBIDDEN'],
        ['listSites', 'UNAUTHENTICATED'],
      ],
    )
  })

  it('says what was before, and never a secret', async () => {
    const rows = await api.store.auditAfter(0, 10_000)
    const changed = rows.find(({ kind, outcome }) => kind === 'changeUser' && outcome === 'done')
    assert.equal(changed?.object, 'other@example.net')
    assert.deepEqual(JSON.parse(changed?.detailText ?? ''), {
      role: 'viewer',
      siteQuota: 3,
      before: { role: 'member', siteQuota: 1_000, hasPassword: false },
    })
    const sites = rows.find(({ kind, outcome }) => kind === 'addSites' && outcome === 'done')
    assert.equal(sites?.object, '192.0.2.10 a.example.net')
    const text = JSON.stringify(rows)
    assert.ok(secrets.size >= 14, `${secrets.size} secrets`)
    for (const secret of secrets) assert.ok(!text.includes(secret), 'a secret is in the log')
    assert.ok(!text.includes('wrong wrong wrong') && !text.includes('hunter2'))
  })
})

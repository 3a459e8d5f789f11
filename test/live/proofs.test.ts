// Proofs by DNS records, over days, with a real server that has the records and a real resolver that is asked for them: a site is watched when
// its record is there, goes on for a while when it is gone, and then shows no more of an address that is somebody else's.
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import type { EventReport, SiteReport } from '../../client/index.ts'
import { clientOf, type FirstUser, makeFirstUser } from '../helpers/first-user.ts'
import { type FlowSender, flowSender, synFlood } from '../helpers/flows.ts'
import { metricSum, metricsOf } from '../helpers/metrics.ts'
import { floodgauge, type RunningService, startService } from '../helpers/service.ts'
import { until } from '../helpers/until.ts'
import { skip } from './requirements.ts'
import { Nsd, resolverAt, Unbound } from './servers/name-servers.ts'
import { ShiftedClock } from './shifted-clock.ts'

const www = 'www.ann.example'
const evil = 'evil.eve.example'
const network = '198.51.100.0/24'
const single = '203.0.113.7'
/** Where the names lead: into the network. */
const ofWww = '198.51.100.10'
const ofEvil = '198.51.100.9'
const zones = ['ann.example', 'eve.example', '100.51.198.in-addr.arpa', '113.0.203.in-addr.arpa']

const hourMs = 3_600_000
const dayMs = 24 * hourMs

describe('proofs at real name servers', { skip, timeout: 480_000 }, () => {
  const clock = new ShiftedClock()
  const seen = new Set<string>()
  /** Records of each zone by name, beside those that it always has. */
  const records = new Map<string, string>()
  let nsd: Nsd
  let unbound: Unbound
  let service: RunningService
  let sender: FlowSender
  let ann: FirstUser
  let eve: FirstUser
  /** The record of the network, as it was proved at first. */
  let former = { name: '', text: '' }
  let stopAttack = () => {}

  before(async () => {
    records.set(www, `A ${ofWww}`)
    records.set(evil, `A ${ofEvil}`)
    nsd = await new Nsd(zones).start(zoneTexts())
    unbound = await new Unbound().start({
      stubs: Object.fromEntries(zones.map((zone) => [zone, nsd.port])),
      // Networks for examples have no reverse DNS, as unbound has it; these do.
      lines: ['local-zone: "100.51.198.in-addr.arpa" nodefault', 'local-zone: "113.0.203.in-addr.arpa" nodefault'],
    })
    const env = {
      ...clock.env,
      FLOODGAUGE_NAMES_RESOLVERS: `127.0.0.1:${unbound.port}`,
      FLOODGAUGE_ACCESS_POLICY: 'verified',
      FLOODGAUGE_DETECT_QUIET_SECONDS: '5',
    }
    service = await startService(undefined, { env })
    sender = await flowSender(service.flowAddresses[0], { now: clock.now })
    ann = await makeFirstUser(service)
    const email = 'eve@example.net'
    await floodgauge('user', 'add', email, '--data', service.dataFolder)
    const token = (await floodgauge('token', 'create', email, '--data', service.dataFolder)).trim()
    eve = { email, token, client: clientOf(service.url, { email, token }) }
  })
  after(async () => {
    stopAttack()
    await sender?.close()
    await service?.stop()
    for (const server of [unbound, nsd]) await server?.stop()
    clock.remove()
  })

  function zoneTexts(): Record<string, string> {
    const textOf = (zone: string) =>
      [...records].flatMap(([name, data]) => (name.endsWith(`.${zone}`) ? [`${name}. 1 ${data}`] : [])).join('\n')
    return Object.fromEntries(zones.map((zone) => [zone, textOf(zone)]))
  }

  /** Puts a record at the name, or takes it away; resolves when that has reached the resolver. */
  async function publish(name: string, text: string | null, data = `TXT "${text}"`): Promise<void> {
    if (text === null) records.delete(name)
    else records.set(name, data)
    for (const [zone, lines] of Object.entries(zoneTexts())) if (name.endsWith(`.${zone}`)) nsd.change(zone, lines)
    const resolver = resolverAt(unbound.server)
    await until(`${name} at the resolver`, async () => {
      const found = await resolver.texts(name)
      return found.kind === 'texts' && (text === null ? found.texts.length === 0 : found.texts.includes(text))
    })
  }

  async function siteOf({ client }: FirstUser, host: string): Promise<SiteReport> {
    const site = await client.getSite(host)
    assert.ok(site !== null, host)
    return site
  }

  async function recordOf(user: FirstUser, host: string): Promise<{ name: string; text: string }> {
    const { proof } = await siteOf(user, host)
    assert.ok(proof !== null, host)
    return proof.record
  }

  /** Has the record looked for now. */
  async function check({ client }: FirstUser, host: string): Promise<string> {
    const site = await client.verifySite(host)
    return `${site?.proof?.state} ${site?.proof?.misses}`
  }

  const isWatched = async (user: FirstUser, host: string) => (await siteOf(user, host)).isWatched
  const becomes = (watched: boolean, user: FirstUser, host: string) =>
    until(`${host} ${watched ? '' : 'not '}watched`, async () => (await isWatched(user, host)) === watched)
  const gauge = async (name: string, labels?: string) => metricSum(await metricsOf(service.url), name, labels)
  const addressesWatched = (count: number) =>
    until(`${count} addresses`, async () => (await gauge('floodgauge_watched_addresses')) === count)

  const eventsOf = async ({ client }: FirstUser) =>
    (await client.findEvents({ last: 1 })).filter(({ id }) => !seen.has(id))

  /** Attacks the addresses until the user has an event of each, with what it is to have; then waits for the end. Gives the events of both. */
  async function attack(addresses: string[], watching: FirstUser): Promise<Record<'ann' | 'eve', string[]>> {
    const pulse = setInterval(() => {
      for (const address of addresses) void sender.send(synFlood(address, 300, 5))
    }, 250)
    stopAttack = () => clearInterval(pulse)
    await until('the events', async () => (await eventsOf(watching)).length >= addresses.length, 60_000)
    // Whoever else has an event has it by now.
    await delay(3_000)
    stopAttack()
    const open = async ({ client }: FirstUser) => (await client.findEvents({ last: 1, state: 'open' })).length
    await until('the end', async () => (await open(ann)) + (await open(eve)) === 0, 60_000)
    const shown = async (user: FirstUser) => {
      const reports: (EventReport | null)[] = []
      for (const { id } of await eventsOf(user)) reports.push(await user.client.getEventReport(id))
      return reports.map((report) => {
        const { address, domain, view, statistics } = report ?? assert.fail('no event')
        assert.equal(statistics.sources.entries.length > 0, view === 'all', `sources of ${address}`)
        return `${address} ${domain} ${view}`
      })
    }
    const events = { ann: (await shown(ann)).toSorted(), eve: (await shown(eve)).toSorted() }
    for (const user of [ann, eve]) for (const { id } of await eventsOf(user)) seen.add(id)
    return events
  }

  it('a name is watched when its record is there, be it by an alias', async () => {
    assert.equal((await ann.client.addSites([www])).error.length, 0)
    assert.deepEqual([await check(ann, www), await isWatched(ann, www)], ['pending 0', false])
    const { name, text } = await recordOf(ann, www)
    assert.equal(name, `_floodgauge-host-challenge.${www}`)
    await publish('proof.ann.example', text)
    await publish(name, text, 'CNAME proof.ann.example.')
    assert.equal(await check(ann, www), 'verified 0')
    await becomes(true, ann, www)
    await addressesWatched(1)
    const { addresses } = await siteOf(ann, www)
    assert.deepEqual(
      addresses.map(({ address, isOwn }) => [address, isOwn]),
      [[ofWww, false]],
    )
  })

  it('networks and addresses are by the reverse DNS', async () => {
    await ann.client.addSites([network, single])
    const names = ['_floodgauge-challenge.100.51.198.in-addr.arpa', '_floodgauge-challenge.7.113.0.203.in-addr.arpa']
    for (const [i, host] of [network, single].entries()) {
      assert.equal(await check(ann, host), 'pending 0')
      const { name, text } = await recordOf(ann, host)
      assert.equal(name, names[i])
      await publish(name, text)
      assert.equal(await check(ann, host), 'verified 0')
      await becomes(true, ann, host)
    }
    await addressesWatched(257)
    assert.equal((await siteOf(ann, www)).addresses[0].isOwn, true)
  })

  it('what one has proved, another has not; and a name that leads there shows nothing of it', async () => {
    await eve.client.addSites([evil, network])
    const { name, text } = await recordOf(eve, evil)
    await publish(name, text)
    assert.deepEqual([await check(eve, evil), await check(eve, network)], ['verified 0', 'pending 0'])
    await becomes(true, eve, evil)
    const led = async () => (await siteOf(eve, evil)).addresses
    const [address] = await until('where it leads', async () => (await led()).length === 1 && led())
    assert.deepEqual([address.address, address.isOwn, address.traffic], [ofEvil, false, 'unknown'])
    assert.deepEqual(await attack([ofWww, ofEvil], ann), { ann: [`${ofWww} ${www} all`, `${ofEvil}  all`], eve: [] })
  })

  it('a record counts until it says that it is over', async () => {
    const { name, text } = await recordOf(ann, single)
    const overMs = clock.now() + hourMs
    const token = text.split(' ')[0]
    await publish(name, `${token} expiry=${new Date(overMs).toISOString().slice(0, 19)}Z`)
    assert.equal(await check(ann, single), 'verified 0')
    const { proof } = await siteOf(ann, single)
    assert.equal(Date.parse(proof?.expiresAt ?? ''), Math.floor(overMs / 1_000) * 1_000)
    await clock.pass(2 * hourMs)
    assert.equal(await check(ann, single), 'missed 1')
    assert.ok(await isWatched(ann, single))
    await publish(name, `${token} expiry=never`)
    assert.equal(await check(ann, single), 'verified 0')
  })

  it('while nobody can answer nothing changes, and that is to be seen', async () => {
    assert.equal(await gauge('floodgauge_proofs_late'), 0)
    const before = await gauge('floodgauge_proof_checks_total', 'result="unanswered"')
    await nsd.end()
    await clock.pass(dayMs + 2 * hourMs)
    await until('it is looked for', async () => {
      const checked = await gauge('floodgauge_proof_checks_total', 'result="unanswered"')
      return checked >= before + 4
    })
    assert.equal(await gauge('floodgauge_proofs_late'), 4)
    for (const host of [www, network, single]) assert.equal(await check(ann, host), 'verified 0')
    await nsd.start(zoneTexts())
    for (const [user, host] of [
      [ann, www],
      [ann, network],
      [ann, single],
      [eve, evil],
    ] as const)
      await until('an answer', async () => {
        await clock.pass(60_000)
        await check(user, host)
        return Date.parse((await siteOf(user, host)).proof?.checkedAt ?? '') > clock.now() - hourMs
      })
    assert.equal(await gauge('floodgauge_proofs_late'), 0)
  })

  it('a record that is gone is missed day by day; what rests on it goes on for a week, and nothing new does', async () => {
    former = await recordOf(ann, network)
    await publish(former.name, null)
    await clock.pass(dayMs + hourMs)
    await until('the service has looked by itself', async () => (await siteOf(ann, network)).proof?.state === 'missed')
    await ann.client.addSites(['198.51.100.77'])
    await clock.pass(dayMs)
    assert.deepEqual([await check(ann, network), await isWatched(ann, network)], ['missed 2', true])
    await clock.pass(dayMs)
    assert.deepEqual([await check(ann, network), await isWatched(ann, network)], ['unverified 3', true])
    assert.equal(await isWatched(ann, '198.51.100.77'), false)
    const { proof } = await siteOf(ann, network)
    assert.ok(Math.abs(Date.parse(proof?.watchedUntil ?? '') - clock.now() - 7 * dayMs) < 60_000)
    assert.equal(await gauge('floodgauge_proofs_in_grace'), 1)
    assert.deepEqual(await attack([ofWww, ofEvil], ann), { ann: [`${ofWww} ${www} all`, `${ofEvil}  all`], eve: [] })
  })

  it('then it is nobody’s: of an address that only a name leads to the totals are told', async () => {
    await clock.pass(7 * dayMs)
    await becomes(false, ann, network)
    await addressesWatched(3)
    assert.equal(await gauge('floodgauge_proofs_in_grace'), 0)
    const totals = { ann: [`${ofWww} ${www} totals`], eve: [`${ofEvil} ${evil} totals`] }
    assert.deepEqual(await attack([ofWww], ann), { ...totals, eve: [] })
    assert.deepEqual(await attack([ofEvil], eve), { ...totals, ann: [] })
  })

  it('a record of before that comes back proves nothing; and who proves it now has it alone', async () => {
    await clock.pass(dayMs)
    assert.equal(await check(ann, network), 'unverified 3')
    assert.notEqual((await recordOf(ann, network)).text.slice(0, 38), former.text.slice(0, 38))
    const { text } = await recordOf(eve, network)
    await publish(former.name, text, `TXT "${former.text}"\n${former.name}. 1 TXT "${text}"`)
    assert.deepEqual([await check(ann, network), await check(eve, network)], ['unverified 3', 'verified 0'])
    await becomes(true, eve, network)
    assert.equal(await isWatched(ann, network), false)
    const [address] = (await siteOf(ann, www)).addresses
    assert.deepEqual([address.address, address.isOwn, address.traffic], [ofWww, false, 'unknown'])
    assert.deepEqual(await attack([ofWww], eve), { ann: [], eve: [`${ofWww}  all`] })
  })
})

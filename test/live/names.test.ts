// From a real name server to the event: names whose addresses move, rotate, vanish and fail while what they lead to is attacked, asked of a
// real resolver, through one that lies. Each event names the right domain, and its DNS evidence has the second of the last right answer.
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { AUTHORITATIVE_ANSWER } from 'dns-packet'
import type { DdosEvent, DdosEventDetail } from '../../client/index.ts'
import { type FirstUser, makeFirstUser } from '../helpers/first-user.ts'
import { type FlowSender, flowSender, synFlood } from '../helpers/flows.ts'
import { metricSum, metricsOf } from '../helpers/metrics.ts'
import { a, DnsServer, response } from '../helpers/servers/dns-server.ts'
import { type RunningService, startService } from '../helpers/service.ts'
import { until } from '../helpers/until.ts'
import { skip } from './requirements.ts'
import { Nsd, Unbound } from './servers/name-servers.ts'
import { RecordingResolver } from './servers/recording-resolver.ts'

const home = '198.51.100.10'
const refuge = '198.51.100.11'
const edge = '198.51.100.20'
const rotating = Array.from({ length: 8 }, (_, i) => `198.51.100.${30 + i}`)
const gone = '198.51.100.40'
const failing = '198.51.100.50'
const renamed = '198.51.100.60'
const many = Array.from({ length: 120 }, (_, i) => `203.0.113.${i + 1}`)
/** What forged answers say. */
const lie = '192.0.2.66'

const sites = [
  'moving.zone.example',
  'www.zone.example',
  'rotating.rr.example',
  'gone.zone.example',
  'www.failing.example',
  'www.old.zone.example',
  'many.zone.example',
]

const SERVFAIL = 2
const NXDOMAIN = 3
/** As late as a record of an answer and the report of an event may cross. */
const crossingMs = 500
/** Names that lead to an attacked address are asked after this, and up to half as much later; the others not before ten seconds. */
const closeSeconds = 4

function zone({ moving = home, hasGone = false } = {}): string {
  return [
    `moving 5 A ${moving}`,
    'www 300 CNAME a.zone.example.',
    'a 20 CNAME b.cdn.example.',
    ...(hasGone ? [] : [`gone 5 A ${gone}`]),
    'old 300 DNAME new.zone.example.',
    `www.new 60 A ${renamed}`,
    ...many.map((address) => `many 60 A ${address}`),
  ].join('\n')
}

describe('names of real name servers', { skip, timeout: 480_000 }, () => {
  let nsd: Nsd
  let failingNsd: Nsd
  let rotatingServer: DnsServer
  let unbound: Unbound
  let resolver: RecordingResolver
  let service: RunningService
  let user: FirstUser
  let sender: FlowSender
  let stopAttack = () => {}

  before(async () => {
    nsd = await new Nsd(['zone.example', 'cdn.example']).start({
      'zone.example': zone(),
      'cdn.example': `b 20 CNAME edge\nedge 300 A ${edge}`,
    })
    failingNsd = await new Nsd(['failing.example']).start({ 'failing.example': `www 2 A ${failing}` })
    let turn = 0
    rotatingServer = await new DnsServer((asked) => {
      const two = [0, 1].map((i) => a(asked.name, rotating[(turn + i) % 8], 1))
      turn += 2
      return [response(asked, two, { flags: AUTHORITATIVE_ANSWER })]
    }).start()
    unbound = await new Unbound().start({
      stubs: {
        'zone.example': nsd.port,
        'cdn.example': nsd.port,
        'failing.example': failingNsd.port,
        'rr.example': rotatingServer.port,
      },
    })
    resolver = await new RecordingResolver(unbound.port, lie).start()
    const env = {
      FLOODGAUGE_NAMES_RESOLVERS: `127.0.0.1:${resolver.port}`,
      FLOODGAUGE_NAMES_TIMEOUT_SECONDS: '5',
      FLOODGAUGE_NAMES_INTERVAL_MIN_SECONDS: '10',
      FLOODGAUGE_NAMES_ATTACK_INTERVAL_SECONDS: String(closeSeconds),
      FLOODGAUGE_DETECT_QUIET_SECONDS: '5',
    }
    service = await startService(undefined, { env })
    user = await makeFirstUser(service)
    sender = await flowSender(service.flowAddresses[0])
  })
  after(async () => {
    stopAttack()
    await sender?.close()
    await service?.stop()
    resolver?.stop()
    rotatingServer?.stop()
    for (const server of [unbound, failingNsd, nsd]) await server?.stop()
  })

  const watchedAre = (count: number) =>
    until(
      `${count} addresses`,
      async () => metricSum(await metricsOf(service.url), 'floodgauge_watched_addresses') === count,
      60_000,
    )

  /** New flows to all of them, five times a second, until it is stopped. */
  function attack(victims: Set<string>): void {
    const timer = setInterval(() => {
      for (const victim of victims) void sender.send(synFlood(victim, 60, 20))
    }, 200)
    stopAttack = () => clearInterval(timer)
  }

  const events = () => user.client.listEvents({ last: 1 })

  async function detail(event: DdosEvent): Promise<DdosEventDetail> {
    const found = await user.client.getEvent(event._id)
    assert.ok(found !== null)
    return found
  }

  /** That the evidence of an event is what was last answered at a moment; `endMs`: that of its attack, which no evidence is later than. */
  function checkEvidence({ domain, ip, dac }: DdosEventDetail, atMs: number, endMs = Number.POSITIVE_INFINITY): void {
    const own = dac.find((snapshot) => snapshot.domain === domain)
    assert.ok(own !== undefined, `no evidence for ${domain}`)
    assert.deepEqual(Object.keys(own.a), [ip])
    const told = Date.parse(own.a[ip])
    const candidates = [atMs - crossingMs, atMs].map((ms) => resolver.lastMs(domain, ip, ms))
    const exact = candidates.some((ms) => ms !== null && Math.abs(Math.min(ms, endMs) - told) <= 1_000)
    assert.ok(exact, `${domain} led to ${ip} at ${told}, by the resolver at ${candidates}`)
  }

  it('every event has the name and the second', async () => {
    const added = await user.client.addSites(sites)
    assert.equal(added.error.length, 0)
    await watchedAre(2 + rotating.length + 3 + many.length)

    nsd.change('zone.example', zone({ hasGone: true }))
    await failingNsd.end()
    await failingNsd.start({})
    await until(
      'the period without answers',
      async () =>
        resolver.rcodesOf('gone.zone.example').includes(NXDOMAIN) &&
        resolver.rcodesOf('www.failing.example').includes(SERVFAIL),
    )

    const victims = new Set([home, edge, rotating[3], gone, failing, renamed, many[119], lie])
    attack(victims)
    const first = await until('an event of each', async () => {
      const found = await events()
      return found.length >= 7 && found
    })
    const seenMs = Date.now()
    for (const event of first) checkEvidence(await detail(event), seenMs)

    nsd.change('zone.example', zone({ hasGone: true, moving: refuge }))
    const movedMs = Date.now()
    await watchedAre(3 + rotating.length + 3 + many.length)
    victims.add(refuge)
    await until('the event of where the name moved', async () => (await events()).some(({ ip }) => ip === refuge))
    await delay(2 * closeSeconds * 1_000)
    stopAttack()
    for (const name of sites) {
      const gap = resolver.longestGapMs(name, movedMs, Date.now())
      assert.ok(gap < closeSeconds * 1_500 + 1_500, `${name} was not asked for ${gap} ms`)
    }
    await until('the end of the attacks', async () => {
      const open = await user.client.findEvents({ last: 1, state: 'open' })
      return open.length === 0
    })
    const endedMs = Date.now()

    const byAddress = new Map<string, DdosEventDetail>()
    for (const event of await events()) byAddress.set(event.ip, await detail(event))
    const domains = Object.fromEntries(Array.from(byAddress, ([ip, { domain }]) => [ip, domain]))
    assert.deepEqual(domains, {
      [home]: 'moving.zone.example',
      [refuge]: 'moving.zone.example',
      [edge]: 'www.zone.example',
      [rotating[3]]: 'rotating.rr.example',
      [gone]: 'gone.zone.example',
      [failing]: 'www.failing.example',
      [renamed]: 'www.old.zone.example',
      [many[119]]: 'many.zone.example',
    })
    const ends = new Map((await user.client.findEvents({ last: 1 })).map(({ id, end }) => [id, Date.parse(end ?? '')]))
    for (const event of byAddress.values()) checkEvidence(event, endedMs, ends.get(event._id))

    const aliases = Object.fromEntries(
      byAddress.get(edge)?.dac.map(({ domain, cname }) => [domain, Object.keys(cname)]) ?? [],
    )
    assert.deepEqual(aliases, {
      'www.zone.example': ['a.zone.example'],
      'a.zone.example': ['b.cdn.example'],
      'b.cdn.example': ['edge.cdn.example'],
      'edge.cdn.example': [],
    })
    assert.deepEqual(
      byAddress.get(renamed)?.dac.map(({ domain, cname }) => [domain, Object.keys(cname)]),
      [
        ['www.old.zone.example', ['www.new.zone.example']],
        ['www.new.zone.example', []],
      ],
    )
    assert.ok(resolver.answered.some(({ over, isTruncated }) => over === 'udp' && isTruncated))
    assert.ok(metricSum(await metricsOf(service.url), 'floodgauge_dns_foreign_messages_total') > 50)
  })
})

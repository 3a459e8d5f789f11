import assert from 'node:assert/strict'
import { afterEach, beforeEach, describe, it, mock } from 'node:test'
import { Value } from 'typebox/value'
import { a, cname, DnsServer, type Reply, response } from '../../test/helpers/servers/dns-server.ts'
import { siteOf } from '../../test/helpers/sites.ts'
import { requireHostRecord } from '../access/host-record.ts'
import { ManualClock } from '../clock.ts'
import { createLogger } from '../log.ts'
import { Metrics } from '../metrics.ts'
import { formatKey, parseKey } from '../net/address.ts'
import { namesMetrics, queryDuration } from './metrics.ts'
import { Names, type NamesOptions } from './names.ts'
import { type NamesSettings, namesSettings } from './settings.ts'

const www = 'www.example.com'
const minute = 60_000
const startMs = 1_000 * minute

describe('Names', () => {
  let server: DnsServer
  let clock: ManualClock
  let all: Names[]

  beforeEach(async () => {
    server = await new DnsServer((asked) => [response(asked, [a(asked.name, '192.0.2.1')])]).start()
    clock = new ManualClock(startMs)
    all = []
  })
  afterEach(() => {
    for (const names of all) names.stop()
    server.stop()
  })

  function create(change: Partial<NamesSettings> = {}, given: Partial<NamesOptions> = {}): Names {
    const settings = { ...Value.Create(namesSettings), resolvers: [server.address], attempts: 1, ...change }
    const names = new Names({ settings, clock, log: createLogger('silent'), random: () => 0.5, ...given })
    all.push(names)
    return names
  }

  const watched = (names: Names) => [...names.watchedAddresses()].map(formatKey)
  const sites = (...hosts: string[]) => hosts.map((host) => siteOf('u', host))

  /** Waits, in real time, for what the resolution brings about. */
  async function until(holds: () => boolean, what: string): Promise<void> {
    const endMs = performance.now() + 60_000
    while (!holds()) {
      assert.ok(performance.now() < endMs, `waited in vain: ${what}`)
      await new Promise((resolve) => setTimeout(resolve, 10))
    }
  }

  it('the settings have valid defaults', () => {
    assert.ok(Value.Check(namesSettings, Value.Create(namesSettings)))
  })

  it('watches address sites at once, and names as soon as they are resolved', async () => {
    server.reply = (asked) => [
      response(asked, [
        cname(asked.name, 'edge.example.net'),
        a('edge.example.net', '192.0.2.1'),
        a('edge.example.net', '192.0.2.3'),
      ]),
    ]
    const names = create()
    const seen: string[][] = []
    names.onChange(() => seen.push(watched(names)))
    names.start()
    names.setSites(sites(www, '198.51.100.0/24'))
    assert.deepEqual(seen, [['198.51.100.0', '198.51.100.255']])
    await until(() => seen.length === 2, 'the change')
    assert.deepEqual(seen[1], ['192.0.2.1', '192.0.2.1', '192.0.2.3', '192.0.2.3', '198.51.100.0', '198.51.100.255'])
    const [match] = names.attribute({ address: parseKey('192.0.2.3') ?? 0, fromMs: startMs, toMs: startMs })
    assert.deepEqual(match.dns[0], {
      domain: www,
      a: { '192.0.2.3': startMs },
      cname: { 'edge.example.net': startMs },
    })
    names.setSites([])
    assert.deepEqual([seen.length, seen[2]], [3, []])
  })

  it('unites what rotates, asks again by the TTL, and retires after the grace period', async () => {
    let last = 1
    server.reply = (asked) => [response(asked, [a(asked.name, `192.0.2.${last}`, 40)])]
    const names = create()
    names.start()
    names.setSites(sites(www))
    await until(() => watched(names).includes('192.0.2.1'), 'the first address')
    last = 2
    clock.advance(39_000)
    await new Promise((resolve) => setTimeout(resolve, 250))
    assert.equal(server.asked.length, 1)
    clock.advance(1_000)
    await until(() => watched(names).includes('192.0.2.2'), 'the second address')
    assert.deepEqual(watched(names), ['192.0.2.1', '192.0.2.2'])
    clock.advance(30 * minute - 40_000)
    await until(() => watched(names)[0] === '192.0.2.2', 'the end of the first')
  })

  it('keeps the last known addresses while resolvers fail, and retires them when the name is gone', async () => {
    const names = create()
    names.start()
    names.setSites(sites(www))
    await until(() => watched(names).length > 0, 'the address')
    server.reply = (asked) => [response(asked, [], { flags: 2 })]
    for (let i = 0; i < 12; i++) {
      const before = server.asked.length
      clock.advance(6 * minute)
      await until(() => server.asked.length > before && names.schedule.failing === 1, 'the next question')
      await new Promise((resolve) => setTimeout(resolve, 20))
    }
    assert.deepEqual(watched(names), ['192.0.2.1', '192.0.2.1'])
    server.reply = (asked) => [response(asked, [], { flags: 3 })]
    clock.advance(6 * minute)
    await until(() => names.schedule.failing === 0, 'the end of failures')
    clock.advance(30 * minute)
    await until(() => watched(names).length === 0, 'the end of the address')
  })

  it('resolves names that have settings, watches them only when they are sites, and tells where they lead', async () => {
    server.reply = (asked) => [
      response(asked, asked.name === www ? [cname(www, 'edge.example.net'), a('edge.example.net', '192.0.2.7')] : []),
    ]
    const hosts = ['192.0.2.0/24', www, '*.example.net', 'other.example.com']
    const configured = hosts.map(requireHostRecord)
    const names = create({}, { configured })
    const seen: number[][][] = []
    names.onConfiguredChange(() => seen.push(names.configuredAddresses()))
    names.start()
    names.setSites([])
    await until(() => seen.length === 1, 'the address')
    const address = parseKey('192.0.2.7') ?? 0
    assert.deepEqual(seen[0], [[], [address], [address], []])
    assert.deepEqual(watched(names), [])
    assert.deepEqual(names.attribute({ address, fromMs: startMs, toMs: startMs }), [])
    server.reply = (asked) => [response(asked, [], { flags: 3 })]
    clock.advance(31 * minute)
    await until(() => seen.length === 2, 'the end of the address')
    assert.deepEqual(seen[1], [[], [], [], []])
  })

  it('takes the first answer, whatever another resolver does, and unites them', async () => {
    const silent = await new DnsServer(() => []).start()
    const other = await new DnsServer((asked) => [response(asked, [a(asked.name, '192.0.2.2')])]).start()
    try {
      const names = create({ resolvers: [silent.address, server.address, other.address], timeoutSeconds: 30 })
      names.start()
      names.setSites(sites(www))
      await until(() => watched(names).length === 2 && watched(names)[1] === '192.0.2.2', 'both addresses')
      assert.deepEqual(watched(names), ['192.0.2.1', '192.0.2.2'])
    } finally {
      silent.stop()
      other.stop()
    }
  })

  it('drops addresses that are no public host, unless allowed', async () => {
    const everything = [
      '127.0.0.1',
      '10.1.2.3',
      '169.254.169.254',
      '224.0.0.1',
      '0.0.0.0',
      '255.255.255.255',
      '192.0.2.1',
    ]
    const reply: Reply = (asked) => [
      response(
        asked,
        everything.map((address) => a(asked.name, address)),
      ),
    ]
    server.reply = reply
    const strict = create()
    strict.start()
    strict.setSites(sites(www))
    await until(() => watched(strict).length > 0, 'the address')
    assert.deepEqual(watched(strict), ['192.0.2.1', '192.0.2.1'])
    assert.equal(strict.discarded, 6)
    const lax = create({ allowPrivate: true })
    lax.start()
    lax.setSites(sites(www))
    await until(() => watched(lax).length > 0, 'the addresses')
    assert.deepEqual(
      watched(lax).filter((_, i) => i % 2 === 0),
      ['10.1.2.3', '127.0.0.1', '169.254.169.254', '192.0.2.1'],
    )
  })

  it('makes the watch list once a second at most, however many answers come', async (t) => {
    t.after(() => mock.timers.reset())
    mock.timers.enable({ apis: ['setInterval'] })
    const names = create()
    let changes = 0
    names.onChange(() => changes++)
    names.setSites(sites(www))
    names.start()
    await until(() => names.bindings.size === 1, 'the first address')
    mock.timers.tick(100)
    assert.equal(changes, 1)
    server.reply = (asked) => [response(asked, [a(asked.name, '192.0.2.2')])]
    clock.advance(6 * minute)
    mock.timers.tick(100)
    await until(() => names.bindings.size === 2, 'the second address')
    mock.timers.tick(800)
    assert.equal(changes, 1)
    mock.timers.tick(100)
    assert.equal(changes, 2)
  })

  it('looks for work ten times a second while there are names, else once', (t) => {
    const started = t.mock.method(globalThis, 'setInterval')
    const names = create()
    names.setSites(sites('192.0.2.1', '198.51.100.0/24'))
    names.start()
    names.setSites(sites('192.0.2.1', '*.example.com'))
    names.setSites(sites('192.0.2.1', www))
    names.setSites(sites('192.0.2.1'))
    assert.deepEqual(
      started.mock.calls.map(({ arguments: [, periodMs] }) => periodMs),
      [100, 1_000, 100, 1_000],
    )
  })

  it('asks no more a second than allowed', async () => {
    const names = create({ queriesPerSecond: 10 })
    names.setSites(sites(...Array.from({ length: 100 }, (_, i) => `n${i}.example.com`)))
    names.start()
    await until(() => server.asked.length === 10, 'the first questions')
    await new Promise((resolve) => setTimeout(resolve, 300))
    assert.equal(server.asked.length, 10)
    clock.advance(500)
    await until(() => server.asked.length === 15, 'half a second more')
  })

  it('asks often for what leads to an address under attack, while it does', async () => {
    let last = 1
    server.reply = (asked) => [
      response(asked, [a(asked.name, asked.name === www ? `192.0.2.${last}` : '192.0.2.9', 300)]),
    ]
    const names = create()
    names.start()
    names.setSites(sites(www, 'other.example.com'))
    await until(() => watched(names).length === 4, 'the addresses')
    const attacked = parseKey('192.0.2.1') ?? 0
    names.setAttacked(new Set([attacked]))
    await until(() => names.resolvers[0].queries.NOERROR === 3, 'the question at once, and its answer')
    last = 2
    clock.advance(13_000)
    await until(() => watched(names).includes('192.0.2.2'), 'where the name has moved')
    clock.advance(13_000)
    await until(() => server.asked.length === 5, 'a question for the attack that goes on')
    assert.deepEqual(
      server.asked.slice(2).map(({ name }) => name),
      [www, www, www],
    )
    const [match] = names.attribute({ address: attacked, fromMs: clock.now(), toMs: clock.now() })
    assert.equal(match.domain, www)
    names.setAttacked(new Set())
    await until(() => names.schedule.close === 0, 'the end')
    clock.advance(13_000)
    await until(() => server.asked.length === 6, 'the last that was due')
    clock.advance(60_000)
    await new Promise((resolve) => setTimeout(resolve, 300))
    assert.equal(server.asked.length, 6)
  })

  it('asks no more than allowed for what follows from other questions', async () => {
    // Each name needs two questions.
    server.reply = (asked) => [
      response(
        asked,
        asked.name.startsWith('t') ? [a(asked.name, '192.0.2.1')] : [cname(asked.name, `t.${asked.name}`)],
      ),
    ]
    const names = create({ queriesPerSecond: 10 })
    names.setSites(sites(...Array.from({ length: 100 }, (_, i) => `n${i}.example.com`)))
    names.start()
    await until(() => server.asked.length === 20, 'the first questions')
    clock.advance(1_000)
    await new Promise((resolve) => setTimeout(resolve, 300))
    assert.equal(server.asked.length, 20)
    clock.advance(1_000)
    await until(() => server.asked.length === 40, 'those of the third second')
  })

  it('knows after a restart what it knew before', async () => {
    const names = create()
    names.start()
    names.setSites(sites(www))
    await until(() => watched(names).length > 0, 'the address')
    const saved = structuredClone(names.save(startMs))
    assert.deepEqual(names.save(startMs + 1), [])
    names.stop()
    server.reply = () => []
    clock.advance(120 * minute)
    const next = create()
    next.load(saved)
    next.setSites(sites(www))
    assert.deepEqual(watched(next), ['192.0.2.1', '192.0.2.1'])
  })

  it('refuses a resolver that is invalid, and authorities that cannot be read', () => {
    assert.throws(() => create({ resolvers: ['example.com'] }), /names.resolvers: example.com/)
    assert.throws(
      () => create({ authoritiesFile: '/nowhere.pem' }),
      /names.authoritiesFile: .nowhere.pem cannot be read/,
    )
  })

  it('shows its counters', async () => {
    const metrics = new Metrics()
    const histogram = metrics.histogram(queryDuration)
    const names = create({}, { onQueryDuration: (seconds) => histogram.observe(seconds) })
    metrics.register(namesMetrics, names)
    names.start()
    names.setSites(sites(www))
    await until(() => watched(names).length > 0, 'the address')
    const text = await metrics.text()
    assert.match(text, new RegExp(`floodgauge_dns_queries_total\\{resolver="${server.address}",rcode="NOERROR"\\} 1`))
    assert.match(text, /floodgauge_dns_query_duration_seconds_count 1/)
    assert.match(text, /floodgauge_dns_bindings 1/)
    assert.match(text, /floodgauge_dns_stale_sites 0/)
  })
})

// Names that several users have: whoever comes later is answered as if nobody had asked before, and learns nothing from questions for others.
import assert from 'node:assert/strict'
import { afterEach, beforeEach, describe, it } from 'node:test'
import { Value } from 'typebox/value'
import { a, DnsServer, response } from '../../test/helpers/servers/dns-server.ts'
import { siteOf } from '../../test/helpers/sites.ts'
import { until as waitUntil } from '../../test/helpers/until.ts'
import { requireHostRecord } from '../access/host-record.ts'
import { ManualClock } from '../clock.ts'
import { createLogger } from '../log.ts'
import { parseKey } from '../net/address.ts'
import { Names } from './names.ts'
import { namesSettings } from './settings.ts'

const www = 'www.example.com'
const startMs = 60_000_000
const until = (holds: () => boolean) => waitUntil('the resolution', async () => holds() || null)
const address = parseKey('192.0.2.1') ?? 0

describe('a name that several have', () => {
  let server: DnsServer
  let clock: ManualClock
  let names: Names

  beforeEach(async () => {
    server = await new DnsServer((asked) => [response(asked, [a(asked.name, '192.0.2.1', 300)])]).start()
    clock = new ManualClock(startMs)
    const settings = { ...Value.Create(namesSettings), resolvers: [server.address], attempts: 1 }
    names = new Names({ settings, clock, log: createLogger('silent'), random: () => 0.5 })
    names.start()
    names.setSites([siteOf('ann', www, startMs)])
    await until(() => names.bindings.size === 1)
  })
  afterEach(() => {
    names.stop()
    server.stop()
  })

  const times = { createdMs: 0, watchedMs: 0 }
  const ledTo = (user: string) =>
    names.addressesOf(user, requireHostRecord(www), times).addresses.map(({ sinceMs }) => sinceMs)
  const ownersOf = () =>
    names.attribute({ address, fromMs: clock.now(), toMs: clock.now() }).map(({ userId, sinceMs }) => [userId, sinceMs])

  it('is asked again at once for who is new to it, and known to them from the answer on', async () => {
    await until(() => names.outcomeOf('ann', www) === 'answered')
    clock.advance(60_000)
    server.reply = () => []
    const laterMs = clock.now()
    names.setSites([siteOf('ann', www, startMs), siteOf('bob', www, laterMs)])
    await until(() => server.asked.length === 2)
    assert.deepEqual([names.outcomeOf('ann', www), names.outcomeOf('bob', www)], ['answered', 'waiting'])
    assert.deepEqual([ledTo('ann'), ledTo('bob')], [[startMs], []])
    assert.deepEqual(ownersOf(), [['ann', startMs]])
    await until(() => names.outcomeOf('bob', www) === 'failing')
    assert.deepEqual(ledTo('bob'), [])
    server.reply = (asked) => [response(asked, [a(asked.name, '192.0.2.1', 300)])]
    clock.advance(6_000)
    await until(() => names.outcomeOf('bob', www) === 'answered')
    assert.deepEqual([ledTo('ann'), ledTo('bob')], [[startMs], [clock.now()]])
    assert.deepEqual(ownersOf(), [
      ['ann', startMs],
      ['bob', clock.now()],
    ])
  })

  it('is no observation when a sensor reports a question of our own', async () => {
    names.setSites([siteOf('ann', www, startMs), siteOf('bob', '*.example.com', startMs)])
    const told = { name: www, chain: [], addresses: [address], ttlSeconds: 300, sensor: 'ns1' }
    // The zone and the name are asked for the other.
    await until(() => server.asked.length === 3)
    for (let asked = 0; asked < 2; asked++) assert.equal(names.observe({ ...told, source: 'dnstap' }), 0)
    assert.deepEqual([names.echoes, names.observed.size], [2, 0])
    // Others ask for it, too, a moment after our questions.
    assert.equal(names.observe({ ...told, source: 'dnstap' }), 1)
    assert.deepEqual([names.echoes, names.observed.size], [2, 1])
  })
})

import assert from 'node:assert/strict'
import { after, before, beforeEach, describe, it } from 'node:test'
import { a, cname } from '../../../test/helpers/servers/dns-server.ts'
import {
  signed,
  soa,
  type ZoneAsked,
  type ZoneReply,
  ZoneServer,
  zoneMessage,
} from '../../../test/helpers/servers/zone-server.ts'
import { parseKey } from '../../net/address.ts'
import { type TransferOptions, type TransferOutcome, transferZone } from './transfer.ts'
import type { TsigKey } from './tsig.ts'

const zone = 'example.com'
const now = 1_800_000_000
const key: TsigKey = { name: 'transfer.key', algorithm: 'hmac-sha256', secret: Buffer.from('a secret of some length') }
const records = [
  a('www.example.com', '192.0.2.1'),
  cname('shop.example.com', 'edge.example.net'),
  a('*.pool.example.com', '192.0.2.2'),
  a('www.example.net', '192.0.2.3'),
  { type: 'TXT', class: 'IN', name: zone, ttl: 60, data: 'text' } as const,
  a('a b.example.com', '192.0.2.4'),
]
const leading = [
  { name: 'www.example.com', value: parseKey('192.0.2.1') },
  { name: 'shop.example.com', value: 'edge.example.net' },
  { name: '*.pool.example.com', value: parseKey('192.0.2.2') },
]

/** The zone in as many messages as there are groups. */
const zoneReply =
  (groups = [records], change: { serial?: number; endSerial?: number } = {}): ZoneReply =>
  (asked) => {
    const { serial = 7, endSerial = serial } = change
    if (asked.type === 'SOA') return [zoneMessage(asked, [soa(zone, serial)])]
    return groups.map((group, i) =>
      zoneMessage(asked, [
        ...(i === 0 ? [soa(zone, serial)] : []),
        ...group,
        ...(i + 1 === groups.length ? [soa(zone, endSerial)] : []),
      ]),
    )
  }

describe('a zone transfer', () => {
  let server: ZoneServer

  before(async () => {
    server = await new ZoneServer(() => []).start()
  })
  after(() => server.stop())
  beforeEach(() => server.asked.splice(0))

  const transfer = (reply: ZoneReply, more: Partial<TransferOptions> = {}): Promise<TransferOutcome> => {
    server.reply = reply
    return transferZone({
      ...{ server: { address: '127.0.0.1', port: server.port, family: 4 }, zone, key: null, knownSerial: null },
      ...{ now: () => now, signal: new AbortController().signal, limits: { silentMs: 10_000 }, ...more },
    })
  }
  const reasonOf = async (reply: ZoneReply, more: Partial<TransferOptions> = {}) => {
    const outcome = await transfer(reply, more)
    return outcome.kind === 'failed' ? outcome.reason : outcome.kind
  }

  it('is the records that say where names of the zone lead', async () => {
    assert.deepEqual(await transfer(zoneReply()), { kind: 'zone', serial: 7, refreshSeconds: 3_600, leading })
    const groups = [records.slice(0, 1), records.slice(1, 2), records.slice(2)]
    assert.deepEqual(await transfer(zoneReply(groups)), { kind: 'zone', serial: 7, refreshSeconds: 3_600, leading })
    assert.deepEqual(await transfer(zoneReply([[]])), { kind: 'zone', serial: 7, refreshSeconds: 3_600, leading: [] })
  })

  it('is not made again while the serial number is the same', async () => {
    assert.deepEqual(await transfer(zoneReply(), { knownSerial: 7 }), { kind: 'unchanged', refreshSeconds: 3_600 })
    assert.deepEqual(
      server.asked.map(({ type }) => type),
      ['SOA'],
    )
    assert.equal((await transfer(zoneReply(), { knownSerial: 8 })).kind, 'zone')
  })

  it('fails, with the reason, where the answer is not a transfer', async () => {
    const refused = (asked: ZoneAsked) => [zoneMessage(asked, [], { flags: 5 })]
    const silent = { limits: { silentMs: 300 } }
    const begin = (asked: ZoneAsked) => (asked.type === 'SOA' ? zoneReply()(asked) : null)
    assert.equal(await reasonOf(refused), 'refused')
    assert.equal(await reasonOf((asked) => begin(asked) ?? refused(asked)), 'refused')
    assert.equal(await reasonOf((asked) => [zoneMessage({ ...asked, id: asked.id ^ 1 }, [])]), 'broken')
    assert.equal(await reasonOf(() => [Buffer.from('nonsense of some length')]), 'broken')
    assert.equal(await reasonOf((asked) => begin(asked) ?? [zoneMessage(asked, [...records, soa(zone, 7)])]), 'broken')
    assert.equal(await reasonOf((asked) => begin(asked) ?? [zoneMessage(asked, [])]), 'broken')
    assert.equal(await reasonOf(zoneReply([records], { endSerial: 8 })), 'broken')
    assert.equal(await reasonOf((asked) => begin(asked) ?? [zoneMessage(asked, [soa(zone, 7)])], silent), 'timeout')
    assert.equal(await reasonOf(() => [], silent), 'timeout')
    assert.equal(await reasonOf(zoneReply(), { server: { address: '127.0.0.1', port: 1, family: 4 } }), 'unreachable')
    const stopped = new AbortController()
    setTimeout(() => stopped.abort(), 50)
    assert.equal(await reasonOf(() => [], { signal: stopped.signal, limits: {} }), 'timeout')
  })

  it('is bounded in records, in octets and in time', async () => {
    const endless: ZoneReply = (asked) => {
      if (asked.type === 'SOA') return zoneReply()(asked)
      return [zoneMessage(asked, [soa(zone, 7)]), ...Array.from({ length: 200 }, () => zoneMessage(asked, records))]
    }
    assert.equal(await reasonOf(endless, { limits: { recordsMax: 100 } }), 'large')
    assert.equal(await reasonOf(endless, { limits: { bytesMax: 10_000 } }), 'large')
    assert.equal(await reasonOf(endless, { limits: { wholeMs: 300 } }), 'timeout')
  })

  describe('with a key', () => {
    const groups = Array.from({ length: 110 }, (_, i) => [a(`h${i}.example.com`, '192.0.2.1')])
    interface Signing {
      signs?: (place: number) => boolean
      timeSigned?: number
      key?: TsigKey
      change?: (messages: Buffer[]) => Buffer[]
    }
    const signing =
      ({ signs, timeSigned = now, key: by = key, change = (messages) => messages }: Signing = {}): ZoneReply =>
      (asked) => {
        const messages = signed(asked.message, zoneReply(groups)(asked), {
          key: by,
          timeSigned,
          ...(signs && { signs }),
        })
        return asked.type === 'SOA' ? messages : change(messages)
      }
    const outcome = (given: Signing, more: Partial<TransferOptions> = {}) => reasonOf(signing(given), { key, ...more })

    it('is checked, whichever the algorithm, also where not every message is signed', async () => {
      for (const algorithm of ['hmac-sha256', 'hmac-sha384', 'hmac-sha512'] as const)
        assert.equal(await outcome({ key: { ...key, algorithm } }, { key: { ...key, algorithm } }), 'zone', algorithm)
      assert.equal(await outcome({ signs: (i) => i === 0 || i === 100 || i === 109 }), 'zone')
      assert.equal(await outcome({ timeSigned: now + 300 }), 'zone')
    })

    it('fails where a signature is wrong, late or missing, or a message was changed', async () => {
      const cases: [what: string, given: Signing][] = [
        ['another secret', { key: { ...key, secret: Buffer.from('another') } }],
        ['another algorithm', { key: { ...key, algorithm: 'hmac-sha512' } }],
        ['another name', { key: { ...key, name: 'other.key' } }],
        ['too old', { timeSigned: now - 301 }],
        ['the first not signed', { signs: (i) => i > 0 }],
        ['the last not signed', { signs: (i) => i < 109 }],
        ['too many not signed', { signs: (i) => i === 0 || i === 101 || i === 109 }],
        ['one left out', { change: (messages) => messages.toSpliced(50, 1) }],
        [
          'one that was not signed left out',
          { signs: (i) => i % 10 === 0 || i === 109, change: (messages) => messages.toSpliced(55, 1) },
        ],
        [
          'an octet changed',
          {
            signs: (i) => i % 10 === 0 || i === 109,
            change: (messages) =>
              messages.map((each, i) => (i === 55 ? Buffer.from(each.fill(9, each.length - 1)) : each)),
          },
        ],
      ]
      for (const [what, given] of cases) assert.equal(await outcome(given), 'signature', what)
    })

    it('fails where the server refuses the key', async () => {
      const refusing: ZoneReply = (asked) =>
        signed(asked.message, [zoneMessage(asked, [], { flags: 9 })], { key, timeSigned: now, error: 17 })
      assert.equal(await reasonOf(refusing, { key }), 'signature')
    })
  })
})

import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, it, type TestContext } from 'node:test'
import { setImmediate } from 'node:timers/promises'
import { ManualClock } from '../../clock.ts'
import { createLogger } from '../../log.ts'
import type { SavedObservation } from '../bindings/bindings.ts'
import { zoneSources } from './settings.ts'
import type { TransferOutcome } from './transfer.ts'
import { Zones } from './zones.ts'

const minute = 60_000
const startMs = 1_800_000_000_000
const sources = zoneSources([{ zone: 'Example.com.', server: '192.0.2.53' }])
const www = { name: 'www.example.com', value: 1 }
const zoneOf = (serial: number, ...leading: { name: string; value: number | string }[]): TransferOutcome => ({
  ...{ kind: 'zone', serial, refreshSeconds: 300, leading },
})
const unchanged: TransferOutcome = { kind: 'unchanged', refreshSeconds: 300 }
const failed: TransferOutcome = { kind: 'failed', reason: 'timeout', detail: '' }

function create(t: TestContext, outcomes: TransferOutcome[]) {
  t.mock.timers.enable({ apis: ['setInterval'] })
  const clock = new ManualClock(startMs)
  const told: string[] = []
  const held: string[] = []
  const serials: (number | null)[] = []
  const now = { scope: { names: new Set<string>(), zones: new Set<string>() } }
  const zones = new Zones({
    ...{ sources, clock, log: createLogger('silent'), staleSeconds: 3_600 },
    names: {
      include: (observations: readonly SavedObservation[]) => {
        for (const { name, address, chain, firstMs, fromMs, confirmedMs, ttlSeconds } of observations) {
          const times = [firstMs, fromMs, confirmedMs].map((ms) => (ms - startMs) / minute)
          told.push(`${[name, ...chain, address].join(' ')} ${times.join(' ')} ${ttlSeconds}`)
        }
      },
      hold: (name) => held.push(name),
      scope: () => now.scope,
    },
    transfer: async ({ knownSerial }) => {
      serials.push(knownSerial)
      return outcomes.shift() ?? failed
    },
  })
  t.after(() => zones.stop())
  const pass = async (minutes: number) => {
    clock.advance(minutes * minute)
    t.mock.timers.tick(1_000)
    for (let i = 0; i < 10; i++) await setImmediate()
    return { told: told.splice(0), held: held.splice(0) }
  }
  return { zones, pass, serials, now }
}

describe('zones', () => {
  it('are transferred at once and when they have changed, and reported for as long as they hold', async (t) => {
    const shop = { name: 'shop.example.com', value: 'www.example.com' }
    const { zones, pass, serials } = create(t, [zoneOf(1, www), unchanged, zoneOf(2, www, shop)])
    zones.start()
    const first = await pass(0)
    assert.deepEqual(first.told[0], 'www.example.com 1 -1 0 0 600')
    assert.deepEqual((await pass(1)).told, ['www.example.com 1 -1 0 0 600'])
    assert.deepEqual([...new Set((await pass(4)).told)], ['www.example.com 1 0 0 5 600'])
    const changed = [...new Set((await pass(5)).told)]
    assert.deepEqual(changed, ['www.example.com 1 0 0 10 600', 'shop.example.com www.example.com 1 9 10 10 600'])
    assert.deepEqual(serials, [null, 1, 1])
    assert.deepEqual([zones.zones[0].results.unchanged, zones.zones[0].results.transferred], [1, 2])
  })

  it('are told at once to sites that are added, as far as they are at or below these', async (t) => {
    const deep = { name: 'a.shop.example.com', value: 2 }
    const { zones, pass, now } = create(t, [zoneOf(1, www, deep)])
    zones.start()
    await pass(0)
    const toldTo = async (names: string[], wildcards: string[]) => {
      now.scope = { names: new Set(names), zones: new Set(wildcards) }
      return (await pass(0)).told.map((each) => each.split(' ')[0])
    }
    assert.deepEqual(await toldTo([], ['shop.example.com']), ['a.shop.example.com'])
    assert.deepEqual(await toldTo([], ['shop.example.com']), [], 'it was told')
    assert.deepEqual(await toldTo(['www.example.com', 'www.example.org'], ['shop.example.com']), ['www.example.com'])
    assert.deepEqual(await toldTo([], ['com']), ['www.example.com', 'a.shop.example.com'])
    assert.deepEqual(await toldTo([], ['example.org']), [])
  })

  it('are held while their server does not answer, up to a bound', async (t) => {
    const { zones, pass, serials } = create(t, [failed, zoneOf(1, www)])
    zones.start()
    assert.deepEqual((await pass(0)).told, [])
    assert.ok((await pass(1)).told.length > 0)
    const late = await pass(6)
    assert.deepEqual([late.told[0], late.held[0]], ['www.example.com 1 0 1 1 600', 'www.example.com'])
    assert.deepEqual(await pass(60), { told: [], held: [] })
    assert.equal(serials.length, 4)
    assert.equal(zones.zones[0].results.timeout, 3)
  })
})

describe('the settings of zones', () => {
  const folder = mkdtempSync(join(tmpdir(), 'floodgauge-zones-'))
  const secretFile = join(folder, 'secret')

  it('name a server, and a key whose secret is in a file', (t) => {
    t.after(() => rmSync(folder, { recursive: true }))
    const tsig = { name: 'Transfer.Key.', algorithm: 'hmac-sha256', secretFile } as const
    writeFileSync(secretFile, 'c2VjcmV0\n')
    const [{ zone, server, key }] = zoneSources([{ zone: 'Example.com.', server: '192.0.2.53:5353', tsig }])
    assert.deepEqual([zone, server.port], ['example.com', 5353])
    assert.deepEqual(key, { name: 'transfer.key', algorithm: 'hmac-sha256', secret: Buffer.from('secret') })
    const wrong = (change: object, reason: RegExp) =>
      assert.throws(() => zoneSources([{ zone: 'example.com', server: '192.0.2.53', tsig, ...change }]), {
        code: 'BAD_CONFIG',
        message: reason,
      })
    wrong({ zone: 'a b' }, /zones\[0\]\.zone/)
    wrong({ server: 'ns.example.com' }, /zones\[0\]\.server/)
    wrong({ server: 'tls://192.0.2.53' }, /zones\[0\]\.server/)
    wrong({ tsig: { ...tsig, name: 'a b' } }, /tsig\.name/)
    wrong({ tsig: { ...tsig, secretFile: join(folder, 'missing') } }, /cannot be read/)
    for (const text of ['', 'no base 64!']) {
      writeFileSync(secretFile, text)
      wrong({}, /base64/)
    }
  })
})

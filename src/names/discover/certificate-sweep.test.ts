import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { ManualClock } from '../../clock.ts'
import { formatKey, parseKey } from '../../net/address.ts'
import { CertificateSweep } from './certificate-sweep.ts'

const day = 86_400_000
const startMs = 1_800_000_000_000
const settled = 600_000

function create(zones: Record<string, string[]>, allowPrivate = false) {
  const clock = new ManualClock(startMs)
  const sweep = new CertificateSweep({
    zones: () => Object.keys(zones),
    addressesOf: (zone) => zones[zone].map((text) => parseKey(text) ?? -1),
    ...{ allowPrivate, clock, port: 9 },
  })
  /** Who is asked until nothing is due any more; nobody is asked in truth. */
  const asked = () => {
    const turns: string[] = []
    for (let idle = 0; idle < 3; clock.advance(100)) {
      const turn = sweep.next(clock.now())
      if (turn === null) idle++
      else {
        idle = 0
        turns.push(`${turn.zone} ${formatKey(turn.address)}`)
      }
    }
    return turns.toSorted()
  }
  return { zones, clock, sweep, asked }
}

describe('servers are asked for their certificates', () => {
  it('once a day for each zone, and first when its names are known', () => {
    const { clock, asked, zones } = create({ 'example.com': ['192.0.2.1', '192.0.2.2'], 'example.net': ['192.0.2.1'] })
    assert.deepEqual(asked(), [])
    clock.advance(settled)
    assert.deepEqual(asked(), ['example.com 192.0.2.1', 'example.com 192.0.2.2', 'example.net 192.0.2.1'])
    assert.deepEqual(asked(), [])
    delete zones['example.com']
    clock.advance(day)
    assert.deepEqual(asked(), ['example.net 192.0.2.1'])
  })

  it('not at private addresses, unless names may lead there', () => {
    const addresses = ['127.0.0.1', '10.0.0.1', '169.254.169.254', '192.168.1.1', '224.0.0.1', '192.0.2.1']
    for (const [allowPrivate, expected] of [
      [false, 1],
      [true, 5],
    ] as const) {
      const { clock, asked } = create({ 'example.com': addresses }, allowPrivate)
      asked()
      clock.advance(settled)
      assert.equal(asked().length, expected)
    }
  })

  it('of 64 addresses of a zone, five a second', () => {
    const addresses = Array.from({ length: 100 }, (_, i) => `192.0.2.${i}`)
    const { clock, asked, sweep } = create({ 'example.com': addresses })
    asked()
    clock.advance(settled)
    const beganMs = clock.now()
    assert.deepEqual([asked().length, sweep.counts.addressesOmitted], [64, 36])
    assert.ok(clock.now() - beganMs >= 63 * 200)
  })

  it('four at a time', async () => {
    const { clock, sweep, asked } = create(
      { 'example.com': ['127.0.0.1', '127.0.0.2', '127.0.0.3', '127.0.0.4', '127.0.0.5'] },
      true,
    )
    asked()
    clock.advance(settled)
    const turns = Array.from({ length: 4 }, () => {
      clock.advance(200)
      return sweep.next(clock.now())
    })
    const read = turns.map((turn) => turn?.read())
    clock.advance(200)
    assert.equal(sweep.next(clock.now()), null)
    assert.deepEqual(await Promise.all(read), [[], [], [], []])
    assert.ok(sweep.next(clock.now()) !== null)
    assert.equal(sweep.counts.failed, 4)
  })
})

// A million names below a wildcard record, each asked for once, as a flood of random subdomains makes them: what is real stays known, and
// memory is bounded.
import assert from 'node:assert/strict'
import { it } from 'node:test'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { attribute } from '../../../src/names/bindings/attribution.ts'
import { compileSites } from '../../../src/names/bindings/site-index.ts'
import { type ObservedAnswer, ObservedNames } from '../../../src/names/observe/observed-names.ts'
import { scopeOf } from '../../../src/names/observe/scope.ts'
import { siteOf } from '../../helpers/sites.ts'

const minute = 60_000
const startMs = 1_800_000_000_000
const names = 1_000_000
const address = 0xc0000201

setFlagsFromString('--expose-gc')
const collectGarbage: () => void = runInNewContext('gc')
function heapMegabytes(): number {
  collectGarbage()
  return process.memoryUsage().heapUsed / 1e6
}

it('a million random names push out no real one, and take no memory', () => {
  const index = compileSites([siteOf('u', '*.example.com'), siteOf('v', '*.example.net')])
  const observed = new ObservedNames({ graceMs: 30 * minute, staleMs: 24 * 60 * minute })
  observed.setScope(scopeOf(index))
  const tell = (name: string, nowMs: number) => {
    const told: ObservedAnswer = {
      name,
      chain: [],
      addresses: [address],
      ttlSeconds: 60,
      source: 'dnstap',
      sensor: 's',
    }
    return observed.take(told, nowMs)
  }
  const real = Array.from({ length: 1_000 }, (_, i) => `real${i}.example.${i % 2 === 0 ? 'com' : 'net'}`)
  for (const nowMs of [startMs, startMs + minute]) for (const name of real) tell(name, nowMs)

  // The first tenth fills the room that there is.
  const flood = (from: number, to: number) => {
    for (let i = from; i < to; i++)
      tell(`${((i * 2_654_435_761) >>> 0).toString(36)}-${i}.example.com`, startMs + minute + i / 100)
  }
  flood(0, names / 10)
  const beforeMegabytes = heapMegabytes()
  flood(names / 10, names)
  const grownMegabytes = heapMegabytes() - beforeMegabytes

  assert.deepEqual([observed.size, observed.bindings.size], [5_500, 5_500])
  assert.equal(observed.evicted.zone, names + 500 - 5_000)
  for (const name of real) assert.equal(observed.bindings.sizeOf(name), 1, name)
  assert.ok(grownMegabytes < 5, `${grownMegabytes} MB`)

  const attack = { address, fromMs: startMs + 2 * minute, toMs: startMs + 3 * minute }
  const matches = attribute(attack, index, { asked: [], observed: observed.bindings.at(address) })
  assert.deepEqual(
    matches.map(({ userId, domain, dns }) => [userId, domain, dns.length]),
    [
      ['u', 'real0.example.com', 50],
      ['v', 'real1.example.net', 50],
    ],
  )
})

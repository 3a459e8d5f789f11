import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { parseAddress } from './address.ts'
import { isHostless, isLocal } from './special.ts'

/** Both ends of every network, and the addresses just outside. */
const cases: [text: string, kind: 'hostless' | 'local' | 'public'][] = [
  ['0.0.0.0', 'hostless'],
  ['0.255.255.255', 'hostless'],
  ['1.0.0.0', 'public'],
  ['9.255.255.255', 'public'],
  ['10.0.0.0', 'local'],
  ['10.255.255.255', 'local'],
  ['11.0.0.0', 'public'],
  ['100.63.255.255', 'public'],
  ['100.64.0.0', 'local'],
  ['100.127.255.255', 'local'],
  ['100.128.0.0', 'public'],
  ['126.255.255.255', 'public'],
  ['127.0.0.1', 'local'],
  ['128.0.0.0', 'public'],
  ['169.254.169.254', 'local'],
  ['172.15.255.255', 'public'],
  ['172.16.0.0', 'local'],
  ['172.31.255.255', 'local'],
  ['172.32.0.0', 'public'],
  ['192.167.255.255', 'public'],
  ['192.168.0.0', 'local'],
  ['192.169.0.0', 'public'],
  ['223.255.255.255', 'public'],
  ['224.0.0.0', 'hostless'],
  ['255.255.255.255', 'hostless'],
]

describe('special networks', () => {
  for (const [text, kind] of cases) {
    it(`${text} is ${kind}`, () => {
      const address = parseAddress(text)
      assert.ok(address !== null)
      assert.deepEqual([isHostless(address), isLocal(address)], [kind === 'hostless', kind === 'local'])
    })
  }
})

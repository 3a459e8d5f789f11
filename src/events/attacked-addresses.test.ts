import assert from 'node:assert/strict'
import { test } from 'node:test'
import { reportOf } from '../../test/helpers/reports.ts'
import { AttackedAddresses } from './attacked-addresses.ts'

const victim = (address: number) => ({ address, packetsPerSecond: 1, bytesPerSecond: 1 })

test('an address is under attack from the first report of an attack until it is over, and again when it comes back', () => {
  const attacked = new AttackedAddresses()
  const addresses: number[][] = []
  for (const phase of ['opened', 'updated', 'ended', 'reopened', 'closed'] as const) {
    attacked.take([reportOf({ phase, address: 7 })])
    addresses.push([...attacked.addresses()])
  }
  assert.deepEqual(addresses, [[7], [7], [], [7], []])
})

test('the victims of an attack on a network are, as they are hit, and those of every attack', () => {
  const attacked = new AttackedAddresses()
  attacked.take([reportOf({ address: 1, victims: [victim(1), victim(2)] }), reportOf({ incident: 'i2', address: 2 })])
  assert.deepEqual([...attacked.addresses()], [1, 2])
  attacked.take([reportOf({ phase: 'updated', address: 1, victims: [victim(3)] })])
  assert.deepEqual([...attacked.addresses()].toSorted(), [2, 3])
})

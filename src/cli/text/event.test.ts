import assert from 'node:assert/strict'
import { test } from 'node:test'
import { reportExample } from '../../contract/events/examples.ts'
import { renderReport } from './event.ts'

const rates = { packetsPerSecond: 1_000, bytesPerSecond: 60_000 }
const lines = (hosts: number, networks: number) => {
  const victims = Array.from({ length: hosts }, (_, i) => ({ address: `198.51.100.${hosts - 1 - i}`, ...rates }))
  const rows = Array.from({ length: networks }, (_, i) => ({
    network: `198.51.${100 + i}.0/24`,
    addresses: hosts,
    ...rates,
  }))
  const text = renderReport({ ...reportExample, victims, networks: rows }, 5)
  return text.split('\n').filter((line) => /^(network|networks|victims) /.test(line))
}

test('of an attack on a network the networks come first, then the hardest hit addresses in their order', () => {
  assert.deepEqual(lines(3, 1), [
    'network   198.51.100.0/24, 3 addresses (480 kbps, 1 kpps)',
    'victims   198.51.100.0, 198.51.100.1, 198.51.100.2',
  ])
})

test('of very many no more than twenty are printed, and how many more there are', () => {
  const printed = lines(256, 23)
  assert.equal(printed.filter((line) => line.startsWith('network ')).length, 20)
  assert.equal(printed[20], 'networks  and 3 more')
  assert.match(printed[21], /^victims {3}198\.51\.100\.236, 198\.51\.100\.237, .*198\.51\.100\.255, and 5868 more$/)
  assert.deepEqual(lines(0, 0), [])
})

test('a number that has a line of its own has it in its unit, and none where it is not known', () => {
  const normally = (normalBytesPerSecond: number | null) =>
    renderReport({ ...reportExample, normalBytesPerSecond }, 5)
      .split('\n')
      .filter((line) => line.startsWith('normally'))
  assert.deepEqual([normally(125_000), normally(null)], [['normally  1 Mbps'], []])
})

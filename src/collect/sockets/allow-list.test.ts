import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { sendersMax } from '../health/reception.ts'
import { AllowList } from './allow-list.ts'

const admitted = (list: AllowList, ...addresses: string[]) => addresses.filter((address) => list.admits(address, 1))

describe('the list of allowed exporters', () => {
  it('lets everybody when it is empty, and counts nobody', () => {
    const list = new AllowList({ entries: [], leftOut: [] })
    assert.deepEqual(admitted(list, '192.0.2.1', '2001:db8::1'), ['192.0.2.1', '2001:db8::1'])
    assert.deepEqual([list.isOpen, list.refused, list.refusedSenders()], [true, 0, []])
  })

  it('lets addresses and prefixes of both versions, however they are spelt, and nobody else', () => {
    const list = new AllowList({
      entries: ['192.0.2.7', '198.51.100.0/25', '2001:DB8:0::1', '2001:db8:1::/48', 'fe80::/10'],
      leftOut: [],
    })
    const allowed = [
      ...['192.0.2.7', '198.51.100.0', '198.51.100.127', '::ffff:192.0.2.7', '::ffff:198.51.100.1'],
      ...['2001:db8::1', '2001:db8:1:ffff::9', 'fe80::1%eth0'],
    ]
    const others = [
      '192.0.2.8',
      '198.51.100.128',
      '::ffff:192.0.2.8',
      '2001:db8::2',
      '2001:db8:2::9',
      '::1',
      '127.0.0.1',
    ]
    for (let round = 0; round < 2; round++) assert.deepEqual(admitted(list, ...allowed, ...others), allowed)
    assert.equal(list.refused, 2 * others.length)
  })

  it('knows whom it refused, those who send most first', () => {
    const list = new AllowList({ entries: ['192.0.2.7'], leftOut: [] })
    for (const address of ['10.0.0.1', '10.0.0.2', '192.0.2.7', '10.0.0.2']) list.admits(address, 5)
    assert.deepEqual(list.refusedSenders(), [
      { address: '10.0.0.2', datagrams: 2, lastMs: 5, workedBefore: false },
      { address: '10.0.0.1', datagrams: 1, lastMs: 5, workedBefore: false },
    ])
  })

  it('keeps who sends much in fixed room, whatever else comes', () => {
    const list = new AllowList({ entries: ['192.0.2.7'], leftOut: [] })
    for (let i = 0; i < 20_000; i++) {
      list.admits(`10.${i >> 16}.${(i >> 8) & 255}.${i & 255}`, i)
      if (i % 10 === 0) list.admits('203.0.113.9', i)
      list.admits('192.0.2.7', i)
    }
    const senders = list.refusedSenders()
    assert.equal(senders.length, sendersMax)
    assert.equal(senders[0].address, '203.0.113.9')
    assert.ok(senders[0].datagrams >= 2_000)
    assert.equal(list.refused, 22_000)
  })

  it('can be changed at once, and goes on counting', () => {
    const list = new AllowList({ entries: [], leftOut: [] })
    assert.deepEqual(admitted(list, '192.0.2.7', '192.0.2.8'), ['192.0.2.7', '192.0.2.8'])
    list.set({ entries: ['192.0.2.7'], leftOut: [] })
    assert.deepEqual(admitted(list, '192.0.2.7', '192.0.2.8'), ['192.0.2.7'])
    list.set({ entries: ['192.0.2.8'], leftOut: [] })
    assert.deepEqual(admitted(list, '192.0.2.7', '192.0.2.8'), ['192.0.2.8'])
    assert.equal(list.refused, 2)
  })

  it('names whoever worked before and is left out, amid a flood of others', () => {
    const list = new AllowList({ entries: ['192.0.2.7'], leftOut: ['192.0.2.8', 'fe80::1'] })
    for (let i = 0; i < 1_000; i++) for (let each = 0; each < 3; each++) list.admits(`10.0.${i >> 8}.${i & 255}`, i)
    list.admits('192.0.2.8', 5)
    list.admits('fe80::1%eth0', 6)
    list.admits('fe80::1%eth0', 7)
    assert.deepEqual(list.refusedSenders().slice(0, 2), [
      { address: 'fe80::1', datagrams: 2, lastMs: 7, workedBefore: true },
      { address: '192.0.2.8', datagrams: 1, lastMs: 5, workedBefore: true },
    ])
    assert.equal(list.refusedSenders()[2].workedBefore, false)
  })
})

import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { createRecordColumns, type SealedSlot } from '../../aggregate/sealed-slot.ts'
import type { AttackIndex } from './attack-index.ts'
import { RecentRecords } from './recent-records.ts'

function slotAt(sealedMs: number, rows: number): Pick<SealedSlot, 'sealedMs' | 'records'> {
  return { sealedMs, records: { ...createRecordColumns(rows), rows } }
}

/** When the slots were sealed that a new attack is given. */
function given(recent: RecentRecords): number[] {
  const times: number[] = []
  const index: Pick<AttackIndex, 'addRecords'> = { addRecords: (_, sealedMs) => times.push(sealedMs) }
  recent.addTo(index)
  return times
}

describe('recent records', () => {
  it('are kept for half a minute', () => {
    const recent = new RecentRecords(1_000)
    for (let ms = 0; ms <= 100_000; ms += 10_000) recent.keep(slotAt(ms, 1))
    assert.deepEqual(given(recent), [70_000, 80_000, 90_000, 100_000])
    assert.equal(recent.dropped, 0)
  })

  it('are bounded in number; the oldest make room, and are counted', () => {
    const recent = new RecentRecords(100)
    for (let ms = 1_000; ms <= 5_000; ms += 1_000) recent.keep(slotAt(ms, 40))
    assert.deepEqual(given(recent), [4_000, 5_000])
    assert.equal(recent.dropped, 120)
  })

  it('of a slot that is larger than all room are kept until the next comes', () => {
    const recent = new RecentRecords(100)
    recent.keep(slotAt(1_000, 1_000))
    assert.deepEqual(given(recent), [1_000])
    recent.keep(slotAt(2_000, 10))
    assert.deepEqual(given(recent), [2_000])
    assert.equal(recent.dropped, 1_000)
  })

  it('are copies: the memory of the slot may be used again', () => {
    const recent = new RecentRecords(100)
    const slot = slotAt(1_000, 2)
    slot.records.srcPort.set([53, 123])
    recent.keep(slot)
    slot.records.srcPort.fill(0)
    const ports: number[] = []
    recent.addTo({ addRecords: ({ srcPort, rows }) => ports.push(...srcPort.subarray(0, rows)) })
    assert.deepEqual(ports, [53, 123])
  })

  it('of another time are not kept when the clock is set', () => {
    for (const ms of [1_000_000 - 86_400_000, 1_000_000 + 86_400_000]) {
      const recent = new RecentRecords(1_000)
      recent.keep(slotAt(1_000_000, 1))
      recent.keep(slotAt(ms, 1))
      assert.deepEqual(given(recent), [ms])
    }
  })
})

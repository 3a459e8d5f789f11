import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { ManualClock } from '../../clock.ts'
import type { ExporterNotice, Happening } from '../../collect/health/notice.ts'
import { createLogger } from '../../log.ts'
import { ExporterNotices } from './notices.ts'

function newNotices(saved: ExporterNotice[] = []) {
  const clock = new ManualClock(1_000_000)
  const kept = { notices: saved, saves: 0 }
  const store = {
    loadExporterNotices: async () => kept.notices,
    saveExporterNotices: async (notices: ExporterNotice[]) => {
      kept.notices = notices
      kept.saves++
    },
  }
  return { clock, kept, notices: new ExporterNotices({ store, clock, log: createLogger('silent') }) }
}

const happening = (kind: Happening['kind'], text = 'x'): Happening => ({ kind, text, details: {} })

describe('what happened to exporters', () => {
  it('is told with its times, each kind once for an address, the latest first', () => {
    const { clock, notices } = newNotices()
    notices.note(happening('restart', 'one'), '192.0.2.1', true)
    clock.advance(5)
    notices.note(happening('new-sender'), '192.0.2.2', false)
    clock.advance(5)
    notices.note(happening('restart', 'two'), '192.0.2.1', true)
    assert.deepEqual(notices.list(), [
      { kind: 'restart', address: '192.0.2.1', firstMs: 1_000_000, lastMs: 1_000_010, count: 2, text: 'two' },
      { kind: 'new-sender', address: '192.0.2.2', firstMs: 1_000_005, lastMs: 1_000_005, count: 1, text: 'x' },
    ])
    assert.deepEqual(notices.counts, { 'new-sender': 1, restart: 2, 'sampling-jump': 0, refused: 0 })
  })

  it('is bounded, and a flood of strangers pushes out nothing of exporters that worked, nor of other kinds', () => {
    const { notices } = newNotices()
    notices.note(happening('sampling-jump'), '192.0.2.1', true)
    notices.note(happening('new-sender'), '192.0.2.2', true)
    for (let i = 0; i < 1_000; i++) {
      notices.note(happening('new-sender'), `10.0.${i >> 8}.${i & 255}`, false)
      notices.note(happening('sampling-jump'), `10.0.${i >> 8}.${i & 255}`, false)
    }
    const list = notices.list()
    assert.equal(list.length, 128)
    assert.ok(list.some(({ kind, address }) => kind === 'sampling-jump' && address === '192.0.2.1'))
    assert.ok(list.some(({ kind, address }) => kind === 'new-sender' && address === '192.0.2.2'))
    assert.equal(notices.counts['new-sender'], 1_001)
  })

  it('is kept over restarts, and written only when something has happened', async () => {
    const { notices, kept } = newNotices()
    await notices.start()
    notices.note(happening('restart'), '192.0.2.1', true)
    await notices.stop()
    assert.equal(kept.saves, 1)
    const again = newNotices(kept.notices)
    await again.notices.start()
    assert.deepEqual(again.notices.list(), notices.list())
    await again.notices.stop()
    assert.equal(again.kept.saves, 0)
  })
})

import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { pino } from 'pino'
import { ManualClock } from '../clock.ts'
import type { Crowding } from '../fair-table.ts'
import { CrowdedTables } from './crowded-tables.ts'

const calm: Crowding = { size: 5, max: 100, gaveWay: 0, provenGaveWay: 0, holder: '192.0.2.1', holds: 3 }
const harmMs = 1_800_000

function tables() {
  const clock = new ManualClock(1_000_000)
  const lines: Record<string, unknown>[] = []
  const log = pino({}, { write: (line: string) => lines.push(JSON.parse(line)) })
  const crowded = new CrowdedTables({ clock, log })
  const tell = (told: Partial<Crowding>, thread = 'collector-0') => {
    crowded.take(thread, { templates: { ...calm, ...told } })
    crowded.look()
  }
  return { clock, crowded, lines, tell }
}

describe('the bounded tables', () => {
  it('of all threads are one, and who holds most of one of them crowds it', () => {
    const { crowded, tell } = tables()
    tell({ size: 7, holds: 7 })
    tell({ size: 2, holder: '192.0.2.2', holds: 2 }, 'collector-1')
    crowded.watch('bindings', () => calm)
    crowded.look()
    const [templates, bindings] = crowded.list()
    assert.deepEqual([templates.size, templates.max, templates.holder], [9, 200, '192.0.2.1'])
    assert.deepEqual([bindings.name, bindings.size], ['bindings', 5])
  })

  it('have room while nothing gives way; then the log says who crowds them, once a minute', () => {
    const { clock, crowded, lines, tell } = tables()
    tell({})
    assert.deepEqual([crowded.check(), lines], [{ ok: true, detail: 'have room' }, []])
    for (const gaveWay of [4, 8]) tell({ gaveWay })
    assert.deepEqual(crowded.check(), { ok: true, detail: 'crowded: templates' })
    assert.equal(lines.length, 1)
    assert.equal(lines[0].crowdedBy, '192.0.2.1')
    clock.advance(harmMs)
    tell({ gaveWay: 8 })
    assert.deepEqual(crowded.check(), { ok: true, detail: 'have room' })
  })

  it('make the service not ready when what had worked lost its place, until exporters have sent their templates again', () => {
    const { clock, crowded, tell } = tables()
    tell({ gaveWay: 1, provenGaveWay: 1 })
    assert.deepEqual(crowded.check(), { ok: false, detail: 'what worked lost its place: templates' })
    clock.advance(harmMs - 1)
    assert.equal(crowded.check().ok, false)
    clock.advance(1)
    assert.equal(crowded.check().ok, true)
  })
})

import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { viewOf } from '../../test/helpers/decoded.ts'
import { defaultSettings, startMs, victim } from '../../test/helpers/detection.ts'
import {
  copyCounters,
  copyRecords,
  createCounterColumns,
  createRecordColumns,
  lentMemory,
  type SealedSlot,
} from '../aggregate/sealed-slot.ts'
import { SlotReader } from '../aggregate/slot-reader.ts'
import { compileWatchList } from '../aggregate/watch-list.ts'
import { ManualClock } from '../clock.ts'
import type { IncidentReport } from '../detect/incidents/incident-report.ts'
import { vectors } from '../vectors/vectors.ts'
import { Detection } from './detection.ts'
import { Ingest } from './ingest.ts'
import { SimulatedExporter } from './simulate/exporter.ts'
import { simulatedVectors } from './simulate/vectors.ts'

/** Slots of 12 seconds of an attack. */
function attackSlots(): SealedSlot[] {
  const clock = new ManualClock(startMs)
  const ingest = new Ingest({ clock })
  ingest.setWatchList(compileWatchList(new Uint32Array([victim, victim])))
  const exporter = new SimulatedExporter(
    { vector: simulatedVectors.ntp, address: victim, packetsPerSecond: 100_000 },
    1,
  )
  return Array.from({ length: 12 }, () => {
    const fromMs = clock.now()
    clock.advance(1_000)
    const from = { address: '127.0.0.1', port: 9, receivedMs: clock.now() }
    for (const datagram of exporter.datagrams(fromMs, clock.now())) ingest.receive(viewOf(datagram), from)
    return ingest.seal(clock.now())
  })
}

function reportsOf(slots: readonly (SealedSlot | null)[]): { reports: IncidentReport[]; counts: unknown } {
  const detection = new Detection({ settings: defaultSettings() })
  const reports = slots.flatMap((slot, second) => {
    if (slot !== null) {
      detection.accept(slot)
      // The memory of a slot that has been taken is used for another.
      for (const memory of lentMemory(slot.counters, slot.records)) new Uint8Array(memory).fill(0xff)
    }
    return detection.pass(startMs + (second + 1) * 1_000)
  })
  const counts = detection.samples().flatMap(({ name, labels, value }) => {
    return name.startsWith('floodgauge_slots_') ? [[labels.reason ?? 'translated', value]] : []
  })
  return { reports, counts: Object.fromEntries(counts) }
}

/** The same in memory that nobody uses again. */
function copyOf(slot: SealedSlot): SealedSlot {
  const { counters, records } = slot
  return {
    ...slot,
    counters: copyCounters(counters, createCounterColumns(counters.rows)),
    records: copyRecords(records, createRecordColumns(records.rows)),
  }
}

describe('detection', () => {
  it('finds the same in the slots of a version that numbers its classes otherwise', () => {
    const theirs = new SlotReader(vectors.toReversed())
    const { reports, counts } = reportsOf(attackSlots().map((slot) => theirs.read(slot)))
    assert.deepEqual(counts, { translated: 12, layout: 0, classes: 0, unknownClass: 0 })
    const ours = reportsOf(attackSlots())
    assert.deepEqual(ours.counts, { translated: 0, layout: 0, classes: 0, unknownClass: 0 })
    assert.ok(reports.some(({ label }) => label === 'udp@attack@amp_flood_target-NTP'))
    assert.deepEqual(reports, ours.reports)
  })

  it('needs nothing of a slot that it has taken', () => {
    const kept = attackSlots()
    const memory = kept.map(({ counters, records }) => lentMemory(counters, records))
    assert.ok(memory.every((buffers) => buffers.length === 2))
    const copies = kept.map(copyOf)
    assert.deepEqual(reportsOf(kept).reports, reportsOf(copies).reports)
  })

  it('counts slots that it cannot understand, and judges nothing of them', () => {
    const { reports, counts } = reportsOf(attackSlots().map((slot) => ({ ...slot, layout: slot.layout + 1 })))
    assert.deepEqual(reports, [])
    assert.deepEqual(counts, { translated: 0, layout: 12, classes: 0, unknownClass: 0 })
  })
})

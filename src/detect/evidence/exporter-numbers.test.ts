import assert from 'node:assert/strict'
import { it } from 'node:test'
import { DetectionLab, startMs, udpFrom } from '../../../test/helpers/detection.ts'
import { createCounterColumns, createRecordColumns, slotLayout } from '../../aggregate/sealed-slot.ts'
import { ExporterNumbers } from './exporter-numbers.ts'

const slot = (exporters: string[], sealedMs: number) => ({ exporters, sealedMs, records: createRecordColumns(0) })
const forged = Array.from({ length: 5_000 }, (_, i) => `10.0.${i >> 8}.${i & 255}`)

it('exporters that nothing has any more make room for others, and the others keep their numbers', () => {
  const numbers = new ExporterNumbers((used) => used.fill(1, 1, 3))
  numbers.apply(slot(forged, startMs))
  assert.equal(numbers.refused, 5_000 - 4_095)
  assert.equal(numbers.numberOf('198.51.100.1'), 0)
  numbers.apply(slot(['198.51.100.1'], startMs + 30_000))
  const number = numbers.numberOf('198.51.100.1')
  assert.ok(number > 2)
  assert.equal(numbers.addressOf(number), '198.51.100.1')
  assert.deepEqual(
    [1, 2].map((each) => numbers.addressOf(each)),
    forged.slice(0, 2),
  )
  assert.deepEqual(
    forged.slice(0, 2).map((each) => numbers.numberOf(each)),
    [1, 2],
  )
})

it('an attack keeps the names of its exporters while others make room', () => {
  const ntp = { recordsPerSecond: 1_000, row: udpFrom(123, 468) }
  const lab = new DetectionLab({ quietSeconds: 120 }).run(10, ntp).run(40)
  for (const secondsLater of [0, 31]) {
    lab.detector.accept({
      ...slot(secondsLater === 0 ? forged : forged.map((each) => `1${each}`), lab.nowMs + secondsLater * 1_000),
      layout: slotLayout,
      classKeys: new Uint32Array(0),
      counters: createCounterColumns(0),
    })
  }
  lab.run(200)
  assert.deepEqual(
    lab.details('ended').statistics.exporter.map(({ address, flows }) => [address, flows]),
    [['198.51.100.0', 10_000]],
  )
})

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { defaultSettings, startMs, victim } from '../../test/helpers/detection.ts'
import { Folder } from '../aggregate/folder.ts'
import { ManualClock } from '../clock.ts'
import { simulationVectorNames, simulationVectors } from '../contract/simulation-vectors.ts'
import { Decoder } from '../decode/decoder.ts'
import { Detector } from '../detect/detector.ts'
import type { IncidentReport } from '../detect/incident-report.ts'
import type { DetectSettings } from '../detect/settings.ts'
import { compileWatchList } from '../targets/watch-list.ts'
import { vectors } from '../vectors/vectors.ts'
import { SimulatedExporter } from './exporter.ts'
import { type SimulatedVector, simulatedVectors } from './vectors.ts'

/** What is reported of so many seconds of it, by the second. */
function reportsOf(
  vector: SimulatedVector,
  given: { packetsPerSecond: number; seconds: number; settings?: Partial<DetectSettings> },
): IncidentReport[] {
  const clock = new ManualClock(startMs)
  const folder = new Folder({ clock })
  folder.setWatchList(compileWatchList(new Uint32Array([victim, victim])))
  const decoder = new Decoder({ sink: (batch) => folder.fold(batch) })
  const detector = new Detector({ settings: { ...defaultSettings(), ...given.settings } })
  const exporter = new SimulatedExporter(
    { vector, address: victim, packetsPerSecond: given.packetsPerSecond },
    0xfedc_ba98,
  )
  const reports: IncidentReport[] = []
  for (let second = 0; second < given.seconds; second++) {
    for (let quarter = 0; quarter < 4; quarter++) {
      const fromMs = clock.now()
      clock.advance(250)
      for (const datagram of exporter.datagrams(fromMs, clock.now())) {
        const view = new DataView(datagram.buffer, datagram.byteOffset, datagram.byteLength)
        decoder.decode(view, { address: '127.0.0.1', port: 9, receivedMs: clock.now() })
      }
    }
    decoder.flush()
    detector.accept(folder.seal(clock.now()))
    reports.push(...detector.pass(clock.now()))
  }
  reports.push(...detector.end(clock.now()))
  return reports
}

/** The limits of an operator who wants none. */
const withoutLimits = { packetsPerSecond: 0, bytesPerSecond: 0, flowsPerSecond: 0 }

test('what is offered has labels that there are', () => {
  for (const label of Object.values(simulationVectors)) assert.ok(vectors.some((vector) => vector.label === label))
})

for (const name of simulationVectorNames) {
  const label = simulationVectors[name]
  test(`${name} is one event of its label, by any settings, and over when it is`, () => {
    for (const [settings, packetsPerSecond, seconds] of [
      [{}, 100_000, 10],
      [{ ...withoutLimits, sensitivity: 'low' }, 200_000, 12],
      [{ ...withoutLimits, sensitivity: 0.1 }, 1_000_000, 12],
      [{ sensitivity: 10 }, 100_000, 10],
    ] as const) {
      const reports = reportsOf(simulatedVectors[name], { packetsPerSecond, seconds, settings })
      assert.deepEqual(new Set(reports.map(({ incident }) => incident)).size, 1, JSON.stringify(settings))
      const last = reports.at(-1)
      assert.deepEqual([last?.phase, last?.label], ['closed', label])
      assert.deepEqual(
        last?.vectors.map(({ label }) => label),
        [label],
      )
      assert.equal(last?.endMs, startMs + seconds * 1000)
      const told = (last?.packetsPerSecond ?? 0) * seconds
      assert.ok(Math.abs(told / (packetsPerSecond * seconds) - 1) < 0.2, `${told} packets`)
    }
  })
}

test('its records come from a network that is kept free for tests, by a known sampling rate', () => {
  const [opened] = reportsOf(simulatedVectors.dns, { packetsPerSecond: 100_000, seconds: 10 }).slice(-1)
  const statistics = opened.details?.statistics
  assert.ok(statistics)
  assert.equal(statistics.sources.distinct, 240)
  for (const { item } of statistics.srcip) assert.equal(item & 0xfffe_0000, 0xc612_0000 | 0)
  for (const { samplingRate } of statistics.samples) assert.equal(samplingRate, 1)
})

test('few packets are few records, each of one at least', () => {
  const exporter = new SimulatedExporter({ vector: simulatedVectors.ntp, address: victim, packetsPerSecond: 100 }, 1)
  assert.equal(exporter.datagrams(0, 250).length, 2)
  assert.deepEqual(exporter.datagrams(0, 0), [])
})

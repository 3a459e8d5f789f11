import assert from 'node:assert/strict'
import { test } from 'node:test'
import { viewOf } from '../../../test/helpers/decoded.ts'
import { defaultSettings, startMs, victim } from '../../../test/helpers/detection.ts'
import { ManualClock } from '../../clock.ts'
import { simulationVectorNames, simulationVectors } from '../../contract/simulation-vectors.ts'
import type { IncidentReport } from '../../detect/incidents/incident-report.ts'
import type { DetectSettings } from '../../detect/settings.ts'
import { vectors } from '../../vectors/vectors.ts'
import { SingleThreadPipeline } from '../single-thread.ts'
import { SimulatedExporter } from './exporter.ts'
import { type SimulatedVector, simulatedVectors } from './vectors.ts'

/** The reports of an attack of `seconds`, judged once a second. */
function reportsOf(
  vector: SimulatedVector,
  given: { packetsPerSecond: number; seconds: number; settings?: Partial<DetectSettings> },
): IncidentReport[] {
  const clock = new ManualClock(startMs)
  const settings = { ...defaultSettings(), ...given.settings }
  const pipeline = new SingleThreadPipeline({ clock, settings, watched: new Uint32Array([victim, victim]) })
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
        pipeline.receive(viewOf(datagram), { address: '127.0.0.1', port: 9 })
      }
    }
    reports.push(...pipeline.step())
  }
  reports.push(...pipeline.detection.detector.end(clock.now()))
  return reports
}

/** Settings without limits. */
const withoutLimits = { packetsPerSecond: 0, bytesPerSecond: 0, flowsPerSecond: 0 }

test('every simulated attack has the label of a vector', () => {
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
      const reported = (last?.packetsPerSecond ?? 0) * seconds
      assert.ok(Math.abs(reported / (packetsPerSecond * seconds) - 1) < 0.2, `${reported} packets`)
    }
  })
}

test('its records come from a network that is reserved for tests, with a known sampling rate', () => {
  const [opened] = reportsOf(simulatedVectors.dns, { packetsPerSecond: 100_000, seconds: 10 }).slice(-1)
  const statistics = opened.details?.statistics
  assert.ok(statistics)
  assert.equal(statistics.sources.distinct, 240)
  for (const { item } of statistics.sourceAddress) assert.equal(item & 0xfffe_0000, 0xc612_0000 | 0)
  for (const { samplingRate } of statistics.samples) assert.equal(samplingRate, 1)
})

test('few packets are few records, each of one at least', () => {
  const exporter = new SimulatedExporter({ vector: simulatedVectors.ntp, address: victim, packetsPerSecond: 100 }, 1)
  assert.equal(exporter.datagrams(0, 250).length, 2)
  assert.deepEqual(exporter.datagrams(0, 0), [])
})

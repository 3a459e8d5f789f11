import assert from 'node:assert/strict'
import { it } from 'node:test'
import { viewOf } from '../../../test/helpers/decoded.ts'
import { defaultSettings, startMs, victim } from '../../../test/helpers/detection.ts'
import { compileWatchList } from '../../aggregate/watch-list.ts'
import { ManualClock } from '../../clock.ts'
import { SimulatedDetection } from './detection.ts'
import { SimulatedExporter } from './exporter.ts'
import { SimulatedTraffic } from './traffic.ts'
import { simulatedVectors } from './vectors.ts'

/** Whether an attack of a second is found, with settings under which nothing is judged. */
function isFound(isProbe: boolean): boolean {
  const settings = { ...defaultSettings(), prefixes: [{ prefix: '0.0.0.0/0', enabled: false }] }
  const clock = new ManualClock(startMs)
  const traffic = new SimulatedTraffic(clock)
  const detection = new SimulatedDetection(settings)
  traffic.setWatchList(compileWatchList(new Uint32Array([victim, victim])))
  const tag = { simulation: 'one', address: '127.0.0.1', port: 9, domain: 1, probe: isProbe ? victim : null }
  traffic.begin(tag)
  detection.begin('one', { isProbe })
  const attack = { vector: simulatedVectors.ntp, address: victim, packetsPerSecond: 100_000 }
  const exporter = new SimulatedExporter(attack, 1)
  for (let quarter = 0; quarter < 4; quarter++) {
    clock.advance(250)
    for (const datagram of exporter.datagrams(clock.now() - 250, clock.now())) {
      traffic.take(viewOf(datagram), tag, clock.now())
    }
    for (const slot of traffic.seal(clock.now())) detection.accept(slot)
  }
  return detection.pass(clock.now()).length > 0
}

it('a probe is found whatever the operator has set, a simulation of a user by those settings', () => {
  assert.equal(isFound(true), true)
  assert.equal(isFound(false), false)
})

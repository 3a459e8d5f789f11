import assert from 'node:assert/strict'
import { beforeEach, describe, it } from 'node:test'
import { defaultSettings, startMs, victim } from '../../../test/helpers/detection.ts'
import { compileWatchList } from '../../aggregate/watch-list.ts'
import { ManualClock } from '../../clock.ts'
import { SettingsTable } from '../../detect/targets/target-settings.ts'
import { SimulatedExporter } from './exporter.ts'
import { SimulatedTraffic } from './traffic.ts'
import { simulatedVectors } from './vectors.ts'

const tag = { simulation: 'one', address: '127.0.0.1', port: 40_000, domain: 0xdead_beef, probe: null }
const sender = { address: tag.address, port: tag.port }

let traffic: SimulatedTraffic
let datagram: DataView

beforeEach(() => {
  traffic = new SimulatedTraffic(new ManualClock(startMs))
  traffic.setWatchList(compileWatchList(new Uint32Array([victim, victim])))
  traffic.begin(tag)
  datagram = datagramOf(tag.domain)
})

function datagramOf(domain: number): DataView {
  const attack = { vector: simulatedVectors.ntp, address: victim, packetsPerSecond: 100_000 }
  const [first] = new SimulatedExporter(attack, domain).datagrams(startMs - 250, startMs)
  return new DataView(first.buffer, first.byteOffset, first.byteLength)
}

const take = (view = datagram, from = sender) => traffic.take(view, from, startMs)
/** Records of each simulation since the last seal. */
const sealed = () => traffic.seal(startMs).map(({ simulation, slot }) => [simulation, slot.records.rows])
const counts = () => traffic.samples().map(({ value }) => value)

describe('the traffic of simulated attacks', () => {
  it('is counted apart, by the watch list and the exclusions of the time', () => {
    assert.equal(take(), true)
    assert.deepEqual(sealed(), [['one', 20]])
    assert.deepEqual(sealed(), [['one', 0]])
    traffic.setExclusions(new SettingsTable({ ...defaultSettings(), excludePorts: ['udp/src/123'] }).exclusions())
    assert.equal(take(), true)
    assert.deepEqual(sealed(), [['one', 0]])
    traffic.setExclusions(null)
    traffic.setWatchList(compileWatchList(new Uint32Array([victim + 1, victim + 1])))
    assert.equal(take(), true)
    assert.deepEqual(sealed(), [['one', 0]])
  })

  it('comes from the very socket, with the number of the simulation', () => {
    assert.equal(take(datagram, { ...sender, port: tag.port + 1 }), false)
    assert.equal(take(datagram, { ...sender, address: '127.0.0.2' }), false)
    assert.equal(take(datagramOf(tag.domain - 1)), false)
    assert.equal(take(new DataView(new ArrayBuffer(15))), false)
    assert.deepEqual(sealed(), [['one', 0]])
    assert.deepEqual(counts(), [0, 0])
  })

  it('of two sockets with one port, at two addresses, is told apart', () => {
    const other = { ...tag, simulation: 'two', address: '127.0.0.2' }
    traffic.begin(other)
    assert.equal(take(), true)
    assert.deepEqual(sealed(), [
      ['one', 20],
      ['two', 0],
    ])
    traffic.end('two')
    assert.equal(take(), true)
    assert.deepEqual(sealed(), [['one', 20]])
  })

  it('is dropped after the simulation, rather than taken for that of an exporter', () => {
    traffic.end('one')
    assert.equal(take(), true)
    assert.deepEqual(sealed(), [])
    assert.deepEqual(counts(), [0, 1])
  })

  it('of a probe is for an address that nobody else watches, by no exclusions, and is not seen without the list of the sites', () => {
    const probe = { ...tag, simulation: 'probe', port: tag.port + 1, probe: victim }
    const from = { ...sender, port: probe.port }
    traffic.setExclusions(new SettingsTable({ ...defaultSettings(), excludePorts: ['udp/src/123'] }).exclusions())
    traffic.setWatchList(compileWatchList(new Uint32Array([victim + 1, victim + 1])))
    traffic.begin(probe)
    traffic.setWatchList(compileWatchList(new Uint32Array([victim + 2, victim + 2])))
    assert.equal(take(datagram, from), true)
    assert.deepEqual(sealed(), [
      ['one', 0],
      ['probe', 20],
    ])
    const blind = new SimulatedTraffic(new ManualClock(startMs))
    blind.begin(probe)
    assert.equal(blind.take(datagram, from, startMs), true)
    assert.deepEqual(
      blind.seal(startMs).map(({ slot }) => slot.records.rows),
      [0],
    )
  })

  it('is known for the last 64 simulations that ended, and for those that go on', () => {
    for (let i = 1; i <= 70; i++) {
      traffic.begin({ ...tag, simulation: `s${i}`, port: tag.port + i })
      traffic.end(`s${i}`)
    }
    const isKnown = (i: number) => take(datagram, { ...sender, port: tag.port + i })
    assert.deepEqual([0, 6, 7, 70].map(isKnown), [true, false, true, true])
  })
})

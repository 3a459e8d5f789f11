// Traces: what is kept near a line, that it is read back as it was, and that the judge finds in it what it found live.
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { DetectionLab, defaultSettings, startMs, tcp, victim } from '../../../test/helpers/detection.ts'
import { address } from '../../../test/helpers/flow-rows.ts'
import { ClassKeys } from '../../vectors/class-keys.ts'
import { vectors } from '../../vectors/vectors.ts'
import { traces as lines } from '../lines/traces.ts'
import { lookAt } from './look.ts'
import { difference, Replay, type ReplaySettings } from './replay.ts'
import { type Trace, traceSeconds } from './trace.ts'
import { decodeTrace, encodeTrace, type SavedTrace } from './trace-code.ts'

const keys = new ClassKeys(vectors)
const syn = tcp(2)
const visitors = { recordsPerSecond: 40, sources: 30, row: { ...tcp(24, 700), dstPort: 443 } }
const settleSeconds = 400

const decoded = (saved: readonly SavedTrace[]) => saved.flatMap((each) => decodeTrace(each, keys) ?? [])
const ofVictim = (traces: readonly Trace[]) =>
  traces.filter((each) => each.address === victim && each.length === 32).sort((a, b) => a.second - b.second)

/** Visitors until normal is learnt, then two minutes with SYN packets, then visitors until all is settled. */
function day(synPerSecond: number, settings = {}): { lab: DetectionLab; traces: Trace[] } {
  const lab = new DetectionLab({ learnSeconds: 300, ...settings })
  lab.run(900, visitors).run(120, visitors, { recordsPerSecond: synPerSecond, row: syn }).run(settleSeconds, visitors)
  return { lab, traces: decoded(lab.detector.takeTraces({ all: false })) }
}

const attackSecond = startMs / 1000 + 900
const middle = Math.floor((attackSecond + 60) / traceSeconds) * traceSeconds

function replayed(traces: readonly Trace[], given: Partial<ReplaySettings> = {}) {
  const [first] = traces
  const replay = new Replay(first, { limits: first.limits, enabled: true, detect: defaultSettings(), ...given })
  for (const each of traces) replay.add(each, each.learnt)
  return replay.end()
}

describe('traces', () => {
  it('are kept of an attack just below a line, with how far it came', () => {
    const { lab, traces } = day(140)
    assert.equal(lab.reports.length, 0)
    const own = ofVictim(traces)
    assert.ok(own.length >= 3, `${own.length} traces`)
    const look = lookAt(own, middle, true)
    assert.ok(look !== null)
    assert.deepEqual(look.found, [])
    const nearest = look.classes.find(({ label }) => label === 'tcp@attack@syn_flood_target')?.nearest
    assert.ok(nearest)
    assert.ok(Math.abs(nearest.line - 150) < 1, `line ${nearest.line}`)
    assert.ok(nearest.rate > 130 && nearest.rate < 150, `rate ${nearest.rate}`)
    assert.deepEqual([nearest.metric, nearest.isNormal, nearest.whole], ['packets', false, true])
    assert.equal(look.classes[1].label, 'tcp@attack@syn_flood_target')
  })

  it('are kept of an attack just above it, with the attack', () => {
    const { lab, traces } = day(170)
    assert.deepEqual(lab.life(), ['opened', 'ended'])
    const [opened] = lab.phases('opened')
    const own = ofVictim(traces)
    const look = lookAt(own, middle, true)
    assert.deepEqual(look?.found, ['tcp@attack@syn_flood_target'])
    const { attacks } = own.find(({ second }) => second === middle) ?? { attacks: [] }
    assert.deepEqual(
      attacks.map(({ id, label }) => ({ id, label })),
      [{ id: opened.incident, label: opened.label }],
    )
  })

  it('are not kept far below every line', () => {
    const { traces } = day(40)
    assert.deepEqual(ofVictim(traces), [])
  })

  it('are there of the last minutes, however far below every line', () => {
    const { lab } = day(40)
    const own = ofVictim(decoded(lab.detector.latestTraces(victim)))
    assert.ok(own.length >= 12)
    assert.ok(own.every(({ classes }) => classes[0].steps.length === 3))
    assert.deepEqual(lab.detector.latestTraces(address('192.0.2.99')), [])
  })

  it('have the network of an address beside it', () => {
    const { traces } = day(140)
    assert.ok(traces.some(({ length, address: of }) => length === 24 && of === address('192.0.2.0')))
  })

  it('are bounded by their octets in half a minute, those of networks too, and what is refused is counted', () => {
    const lab = new DetectionLab({ learnSeconds: 300, packetsPerSecond: 20 })
    // Traces of nine classes, for twice as many addresses as there is room for.
    const kinds = [1, 2, 4, 16, 17, 18, 20, 41].map((flags) => tcp(flags))
    const first = address('192.0.2.0')
    const hosts = Array.from({ length: 256 }, (_, i) => first + i)
    const all = hosts.flatMap((dstAddr) => kinds.map((row) => ({ recordsPerSecond: 2, row: { ...row, dstAddr } })))
    lab.run(60, ...all).run(settleSeconds)
    const bySecond = Map.groupBy(lab.detector.takeTraces({ all: false }), ({ second }) => second)
    assert.ok(bySecond.size >= 2)
    const sums = [...bySecond.values()].map((of) => of.reduce((sum, { octets }) => sum + octets.length, 0))
    // The last one may go beyond it.
    const octetsOfOne = 2_000
    for (const sum of sums) assert.ok(sum < lines.octetsMax + octetsOfOne, `${sum} octets`)
    assert.ok(Math.max(...sums) > lines.holderPart * lines.octetsMax, `${sums} octets`)
    assert.ok([...bySecond.values()].some((of) => of.some(({ length }) => length === 24)))
    assert.ok(lab.detector.counted.tracesRefused >= hosts.length / 4)
  })

  it('are made of what is not due yet when the service ends', () => {
    const lab = new DetectionLab({ learnSeconds: 300 })
    lab.run(900, visitors).run(60, visitors, { recordsPerSecond: 140, row: syn })
    assert.deepEqual(lab.detector.takeTraces({ all: false }), [])
    const last = ofVictim(decoded(lab.detector.takeTraces({ all: true })))
    assert.ok(last.some(({ second }) => second === startMs / 1000 + 900))
  })

  it('judged again find what was found live, and with other limits more or less', () => {
    const { lab, traces } = day(170)
    const own = ofVictim(traces)
    const { limits } = own[0]
    const [ended] = lab.phases('ended')
    const [same, ...others] = replayed(own)
    assert.deepEqual(others, [])
    assert.equal(same.label, ended.label)
    assert.ok(Math.abs(same.startMs - ended.startMs) <= 10_000, `${same.startMs - ended.startMs}`)
    assert.ok(Math.abs(same.endMs - ended.endMs) <= 10_000, `${same.endMs - ended.endMs}`)
    const lower = replayed(own, { limits: { ...limits, sensitivity: 0.5 } })
    assert.deepEqual(lower, [])
    assert.deepEqual(replayed(own, { enabled: false }), [])
    assert.deepEqual(difference([same], lower), { lost: [same], won: [] })
  })

  it('judged again with a lower line win the attack that was just below', () => {
    const own = ofVictim(day(140).traces)
    assert.deepEqual(replayed(own), [])
    const [won, ...others] = replayed(own, { limits: { ...own[0].limits, sensitivity: 1.5 } })
    assert.deepEqual([won.label, others], ['tcp@attack@syn_flood_target', []])
    assert.deepEqual(difference([], [won]), { lost: [], won: [won] })
  })

  it('judged again by an absolute limit', () => {
    const lab = new DetectionLab({ learnSeconds: 300 })
    lab.run(900, visitors).run(60, { recordsPerSecond: 9_000, sources: 5, row: { ...tcp(24, 700), dstPort: 443 } })
    lab.run(settleSeconds, visitors)
    const own = ofVictim(decoded(lab.detector.takeTraces({ all: false })))
    const limits = { ...own[0].limits, sensitivity: 0.1 }
    assert.deepEqual(replayed(own, { limits }), [])
    const [found, ...others] = replayed(own, { limits: { ...limits, packets: 8_000 } })
    assert.deepEqual([found.metric, found.line, others], ['packets', 8_000, []])
  })

  it('are read as they were written, and refused when damaged', () => {
    const [trace] = ofVictim(day(170).traces)
    const saved = encodeTrace(trace, keys)
    assert.deepEqual(decodeTrace(saved, keys), trace)
    for (let length = 0; length < saved.octets.length; length++)
      assert.equal(decodeTrace({ ...saved, octets: saved.octets.slice(0, length) }, keys), null, `${length} octets`)
    assert.equal(decodeTrace({ ...saved, octets: saved.octets.map((octet, i) => (i === 0 ? 9 : octet)) }, keys), null)
  })
})

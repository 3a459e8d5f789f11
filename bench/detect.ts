// What a second of detection costs, and what a followed address holds in memory, by the number of busy addresses. Every address has
// several classes of traffic in every second; together that is a carpet on each network, which goes on. Run: node --expose-gc bench/detect.ts
import { setTimeout } from 'node:timers/promises'
import { Value } from 'typebox/value'
import { createCounterColumns, createRecordColumns, type SealedSlot } from '../src/aggregate/sealed-slot.ts'
import { Detector } from '../src/detect/detector.ts'
import { detectSettings } from '../src/detect/settings.ts'
import { MinuteSeries } from '../src/history/minute-series.ts'
import { TCP, UDP } from '../src/net/protocols.ts'
import { classOf, compileVectors } from '../src/vectors/compile.ts'
import { vectors } from '../src/vectors/vectors.ts'

const startSecond = 1_800_000_000
const network = 0x0a00_0000
/** By then rings are full, and there is something to learn. */
const measuredFrom = startSecond + 400
const measuredSeconds = 35
/** A record reaches so far into the past. */
const spanSeconds = 20

/** Of a record, in each of its seconds; twenty such records overlap. */
const packets = 0.5

const classes = compileVectors(vectors)
/** Connections, opening packets, datagrams. */
const busyClasses = [
  classOf(classes, TCP, 40_000, 443, 0x1b, 0),
  classOf(classes, TCP, 40_000, 443, 2, 0),
  classOf(classes, UDP, 40_000, 443, 0, 0),
].sort((a, b) => a - b)

/** Each address gets ten packets a second of each class, in records that began some seconds before `second`. */
function slotAt(second: number, targets: number): SealedSlot {
  const counters = createCounterColumns(targets * busyClasses.length * 2)
  for (let target = 0; target < targets; target++) {
    for (const trafficClass of busyClasses) {
      for (const [at, sign] of [
        [second - spanSeconds, 1],
        [second, -1],
      ]) {
        const row = counters.rows++
        counters.address[row] = network + target
        counters.trafficClass[row] = trafficClass
        counters.second[row] = at
        counters.packets[row] = sign * packets
        counters.bytes[row] = sign * packets * 100
        counters.flows[row] = sign * 0.5
        counters.observed[row] = sign * packets
        counters.sources[row] = sign > 0 ? Math.imul(second + target, 0x9e3779b1) : 0
        counters.ports[row] = sign > 0 ? 1 : 0
      }
    }
  }
  return { sealedMs: second * 1000, counters, records: createRecordColumns(0), exporters: [''] }
}

async function memoryBytes(): Promise<number> {
  // Buffers are given back some time after what held them.
  for (let i = 0; i < 3; i++) {
    globalThis.gc?.()
    await setTimeout(100)
  }
  const { heapUsed, arrayBuffers } = process.memoryUsage()
  return heapUsed + arrayBuffers
}

/** Median and most, in milliseconds. */
function timesOf(values: number[]): string {
  const sorted = values.toSorted((a, b) => a - b)
  return `${sorted[sorted.length >> 1].toFixed(0)} ms (most ${sorted[sorted.length - 1].toFixed(0)})`
}

async function measure(targets: number): Promise<string> {
  const before = await memoryBytes()
  const detector = new Detector({ settings: Value.Create(detectSettings), history: new MinuteSeries() })
  const acceptMs: number[] = []
  const passMs: number[] = []
  for (let second = startSecond; second < measuredFrom + measuredSeconds; second += second < measuredFrom ? 10 : 1) {
    const slot = slotAt(second, targets)
    const startMs = performance.now()
    detector.accept(slot)
    const acceptedMs = performance.now()
    detector.pass(second * 1000)
    const passedMs = performance.now()
    detector.takeSeries()
    if (second < measuredFrom) continue
    acceptMs.push(acceptedMs - startMs)
    passMs.push(passedMs - acceptedMs)
  }
  const kibibytes = ((await memoryBytes()) - before) / targets / 1024
  return `accept ${timesOf(acceptMs)}, pass ${timesOf(passMs)}, ${kibibytes.toFixed(1)} KiB an address, ${detector.openIncidents} incidents`
}

for (const targets of [1_000, 10_000, 20_000]) console.log(`${targets} busy addresses: ${await measure(targets)}`)

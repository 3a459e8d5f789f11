// What it costs to explain the past: an explanation and a trial of settings over a store with many active addresses, and the traces that the detector makes.
// Run: node bench/load/explain.ts [--addresses N] [--hours N] [--near N]
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { Value } from 'typebox/value'
import { explain } from '../../src/api/targets/explain.ts'
import { whatIf } from '../../src/api/targets/what-if.ts'
import { ManualClock } from '../../src/clock.ts'
import { detectSettings } from '../../src/detect/settings.ts'
import { SettingsTable } from '../../src/detect/targets/target-settings.ts'
import { traceSeconds } from '../../src/detect/trace/trace.ts'
import type { SavedTrace } from '../../src/detect/trace/trace-code.ts'
import { openSqliteStore } from '../../src/store/sqlite/index.ts'
import { DetectionLab, startMs, tcp, victim } from '../../test/helpers/detection.ts'

const { values } = parseArgs({
  options: {
    addresses: { type: 'string', default: '10000' },
    hours: { type: 'string', default: '24' },
    /** Addresses near a line in each half minute; the most is 200. */
    near: { type: 'string', default: '200' },
  },
})
const [addresses, hours, near] = [Number(values.addresses), Number(values.hours), Number(values.near)]
const detect = Value.Create(detectSettings)
const startSecond = startMs / 1000

/** A trace with five classes, of an address just below a line. */
function sampleTrace(): SavedTrace {
  const lab = new DetectionLab({ learnSeconds: 300 })
  const visitors = { recordsPerSecond: 40, sources: 30, row: { ...tcp(24, 700), dstPort: 443 } }
  const others = [0x11, 4, 0x10].map((flags) => ({ recordsPerSecond: 5, sources: 20, row: tcp(flags) }))
  lab.run(900, visitors, ...others).run(120, visitors, ...others, { recordsPerSecond: 140, row: tcp(2) })
  lab.run(400, visitors, ...others)
  const found = lab.detector.takeTraces({ all: false }).find((each) => each.address === victim && each.length === 32)
  if (found === undefined) throw new Error('nothing was traced')
  return found
}

const folder = await mkdtemp(join(tmpdir(), 'floodgauge-explain-'))
const store = await openSqliteStore(join(folder, 'store.db'), { clock: new ManualClock(startMs) })
const sample = sampleTrace()
const amounts = { bytes: 600_000, packets: 6_000, flows: 300 }
const busiest = { bytes: 20_000, packets: 200, flows: 10 }
const filledMs = performance.now()
for (let minute = startSecond; minute < startSecond + hours * 3_600; minute += 60) {
  const points = Array.from({ length: addresses }, (_, i) => ({ address: victim + i, minute, ...amounts, busiest }))
  for (let at = 0; at < addresses; at += 1_000) await store.appendSeries(points.slice(at, at + 1_000))
  for (const second of [minute, minute + traceSeconds])
    await store.appendTraces(Array.from({ length: near }, (_, i) => ({ ...sample, address: victim + i, second })))
  await store.appendSights([{ minute, kind: 'watched', exporter: '', amount: 1 }])
}
console.log(`${addresses} addresses, ${hours} h, ${near} near a line: filled in ${seconds(filledMs)} s`)
console.log(`store ${mib(await store.sizeBytes())} MiB, a trace ${sample.octets.length} octets of its own`)

const nowMs = startMs + hours * 3_600_000
const { limits, values: own, sources } = new SettingsTable(detect).of(victim)
const state = { settings: { limits, values: own, sources }, learning: null, ageSeconds: 0, classes: [], incidents: [] }
const targets = { stateOf: async () => state, latestTraces: async () => [], detect }
const parts = { store, targets, nowMs, keptFromMs: startMs }
const asked = { userId: 'a', knownFromMs: 0, isAdmin: true }

/** Minutes all over the time, but for the last ten. */
const momentOf = (i: number) => nowMs - (10 + ((i * 7) % (hours * 60 - 20))) * 60_000
await timed('explain, near a line', 200, (i) =>
  explain(parts, { ...asked, address: victim + (i % near), atMs: momentOf(i) }),
)
await timed('explain, by the minute', 200, (i) =>
  explain(parts, { ...asked, address: victim + near + i, atMs: momentOf(i) }),
)
const none = { packetsPerSecond: null, bytesPerSecond: null, flowsPerSecond: null, enabled: null }
const changes = { ...none, sensitivity: 2, quietSeconds: null, reopenSeconds: null }
await timed(`what if, ${hours} h all near a line`, 3, () =>
  whatIf(parts, { ...asked, address: victim, fromMs: startMs, toMs: nowMs, changes }, () => true),
)
await store.close()
await rm(folder, { recursive: true })

/** Prints how long it takes, how much CPU time, and how long others wait at most meanwhile. */
async function timed(name: string, times: number, work: (i: number) => Promise<unknown>): Promise<void> {
  const took: number[] = []
  const cpuBefore = process.threadCpuUsage()
  let [goesOn, longest] = [true, 0]
  const watch = (async () => {
    for (let last = performance.now(); goesOn; ) {
      await nextTurn()
      const now = performance.now()
      longest = Math.max(longest, now - last)
      last = now
    }
  })()
  for (let i = 0; i < times; i++) {
    const before = performance.now()
    await work(i)
    took.push(performance.now() - before)
  }
  const { user, system } = process.threadCpuUsage(cpuBefore)
  goesOn = false
  await watch
  took.sort((a, b) => a - b)
  const [median, most] = [took[Math.floor(times / 2)], took[times - 1]].map((ms) => ms.toFixed(1))
  const cpu = ((user + system) / 1000 / times).toFixed(1)
  console.log(
    `${name}: median ${median} ms, most ${most} ms, ${cpu} ms of CPU; others waited ${longest.toFixed(1)} ms at most`,
  )
}

function seconds(sinceMs: number): string {
  return ((performance.now() - sinceMs) / 1000).toFixed(1)
}

function mib(bytes: number): string {
  return (bytes / 2 ** 20).toFixed(0)
}

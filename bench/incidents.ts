// What a second costs while many attacks go on at the same time: to take the records in, to judge and report, and to hand the reports to another
// thread and write them to a store. Run: node --expose-gc bench/incidents.ts [INCIDENTS]
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { deserialize, serialize } from 'node:v8'
import { Value } from 'typebox/value'
import { createCounterColumns, createRecordColumns, type SealedSlot, slotLayout } from '../src/aggregate/sealed-slot.ts'
import { systemClock } from '../src/clock.ts'
import { Detector } from '../src/detect/detector.ts'
import type { IncidentReport } from '../src/detect/incidents/incident-report.ts'
import { detectSettings } from '../src/detect/settings.ts'
import { eventId } from '../src/events/event.ts'
import { Recorder } from '../src/events/recorder.ts'
import { createLogger } from '../src/log.ts'
import { UDP } from '../src/net/protocols.ts'
import { openSqliteStore } from '../src/store/sqlite/index.ts'
import { ClassKeys } from '../src/vectors/class-keys.ts'
import { classOf, compileVectors } from '../src/vectors/compile.ts'
import { vectors } from '../src/vectors/vectors.ts'
import { createRandom } from '../test/helpers/random.ts'

const incidents = Number(process.argv[2] ?? 10_000)
const startSecond = 1_800_000_000
/** Each address in a /24 of its own. */
const addressOf = (target: number) => 0x0a00_0000 + target * 256
const recordsPerSecond = 10
const packetsPerRecord = 60
const seconds = 40
const random = createRandom(1)
const { list: classKeys } = new ClassKeys(vectors)
const trafficClass = classOf(compileVectors(vectors), UDP, 123, 40_000, 0, 0)

/** Answers of time servers from everywhere, to every address. */
function slotAt(second: number): SealedSlot {
  const counters = createCounterColumns(incidents * 2)
  const records = createRecordColumns(incidents * recordsPerSecond)
  for (let target = 0; target < incidents; target++) {
    for (const [at, sign] of [
      [second, 1],
      [second + 1, -1],
    ]) {
      const row = counters.rows++
      counters.address[row] = addressOf(target)
      counters.trafficClass[row] = trafficClass
      counters.second[row] = at
      counters.packets[row] = sign * recordsPerSecond * packetsPerRecord
      counters.bytes[row] = counters.packets[row] * 468
      counters.flows[row] = sign * recordsPerSecond
      counters.observed[row] = counters.packets[row]
      counters.sources[row] = sign > 0 ? 0xffff_ffff : 0
    }
    for (let i = 0; i < recordsPerSecond; i++) {
      const row = records.rows++
      records.address[row] = addressOf(target)
      records.srcAddr[row] = random(2 ** 32)
      records.srcPort[row] = 123
      records.dstPort[row] = random(65_536)
      records.ipProto[row] = UDP
      records.packets[row] = packetsPerRecord
      records.bytes[row] = packetsPerRecord * 468
      records.second[row] = second
    }
  }
  return { layout: slotLayout, classKeys, sealedMs: (second + 1) * 1000, counters, records, exporters: [''] }
}

/** Median and most, in milliseconds. */
function timesOf(values: number[]): string {
  const sorted = values.toSorted((a, b) => a - b)
  return `${sorted[sorted.length >> 1].toFixed(0)} ms (most ${sorted[sorted.length - 1].toFixed(0)})`
}

function memoryMegabytes(): number {
  globalThis.gc?.()
  const { heapUsed, arrayBuffers } = process.memoryUsage()
  return (heapUsed + arrayBuffers) / 1e6
}

const folder = mkdtempSync(join(tmpdir(), 'floodgauge-bench-'))
const store = await openSqliteStore(join(folder, 'bench.db'), { clock: systemClock })
const user = await store.addUser({ email: 'ann@example.net', siteQuota: 10, allowed: null })
let made = 0
const recorder = new Recorder({
  onRecorded: () => {},
  onTests: () => {},
  store,
  clock: systemClock,
  log: createLogger('silent'),
  incidentsMax: incidents,
  learnSeconds: 900,
  isColleague: () => false,
  mayKnowSources: () => true,
  match: () => [{ userId: user.id, site: '10.0.0.0/8', sites: ['10.0.0.0/8'], domain: '', dns: [], sinceMs: 0 }],
  newEventId: (createdMs) => eventId(createdMs, new Uint8Array(new BigUint64Array([BigInt(++made)]).buffer)),
})

const detector = new Detector({ settings: { ...Value.Create(detectSettings), incidentsMax: incidents } })
const before = memoryMegabytes()
const times = { accept: [] as number[], pass: [] as number[], post: [] as number[], write: [] as number[] }
const reported = { reports: 0, megabytes: 0 }
let at = performance.now()
const lap = (name: keyof typeof times, isMeasured: boolean) => {
  const now = performance.now()
  if (isMeasured) times[name].push(now - at)
  at = now
}
for (let second = startSecond; second < startSecond + seconds; second++) {
  const slot = slotAt(second)
  // Attacks are opened in the first seconds.
  const isMeasured = second >= startSecond + 10
  at = performance.now()
  detector.accept(slot)
  lap('accept', isMeasured)
  const reports = detector.pass((second + 1) * 1000)
  lap('pass', isMeasured)
  const posted = serialize(reports)
  const received: IncidentReport[] = deserialize(posted)
  lap('post', isMeasured)
  recorder.take(received)
  await recorder.write()
  lap('write', isMeasured)
  if (isMeasured) {
    reported.reports += reports.length
    reported.megabytes += posted.byteLength / 1e6
  }
}
const measured = seconds - 10
console.log(`${detector.openIncidents} incidents, ${incidents * recordsPerSecond} records/s`)
for (const [name, values] of Object.entries(times)) console.log(`${name.padEnd(8)} ${timesOf(values)}`)
console.log(
  `${(reported.reports / measured).toFixed(0)} reports/s of ${(reported.megabytes / measured).toFixed(1)} MB/s, ${(memoryMegabytes() - before).toFixed(0)} MB held`,
)
await recorder.stop()
await store.close()
rmSync(folder, { recursive: true })

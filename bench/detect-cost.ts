// What detection costs: CPU time of the detector and memory by the number of busy addresses, what a record of a flood from everywhere costs. Many attacks
// at a time: incidents.ts. Run: node --expose-gc --max-old-space-size=8000 bench/detect-cost.ts [--addresses N,N] [--classes N,N] [--no-floods]
// [--json]: the numbers by name, in place of tables.
import { setTimeout } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { Value } from 'typebox/value'
import { Folder } from '../src/aggregate/folder.ts'
import { portMark, sourceMark } from '../src/aggregate/marks.ts'
import { createCounterColumns, createRecordColumns, type SealedSlot, slotLayout } from '../src/aggregate/sealed-slot.ts'
import { compileWatchList } from '../src/aggregate/watch-list.ts'
import { ManualClock } from '../src/clock.ts'
import { Detector } from '../src/detect/detector.ts'
import { detectSettings } from '../src/detect/settings.ts'
import { type Batch, createBatch } from '../src/flow/batch.ts'
import { presentBit } from '../src/flow/columns.ts'
import { MinuteSeries } from '../src/history/minute-series.ts'
import { ICMP, TCP, UDP } from '../src/net/protocols.ts'
import { ClassKeys } from '../src/vectors/class-keys.ts'
import { classOf, compileVectors } from '../src/vectors/compile.ts'
import { vectors } from '../src/vectors/vectors.ts'
import { createRandom } from '../test/helpers/random.ts'

const { values } = parseArgs({
  allowNegative: true,
  options: {
    addresses: { type: 'string', default: '1000,10000,100000' },
    classes: { type: 'string', default: '1,5' },
    floods: { type: 'boolean', default: true },
    json: { type: 'boolean', default: false },
  },
})
const numbers = (text: string) => text.split(',').filter(Boolean).map(Number)

const startSecond = 1_800_000_000
const network = 0x0a00_0000
/** Sources are hosts of ordinary networks: from others, which no packet can come from, all of it would be an attack. */
const firstSource = 0x0b00_0000
/** By then rings are full, and there is something to learn. */
const warmSeconds = 600
/** While it warms up, traffic comes as ever and is judged this often, in seconds. */
const warmStep = 10
/** Normal is learnt when it measures, as it is nearly always. */
const learnSeconds = 300
/** Each address learns some times in it, and what is compiled on the way counts for little. */
const measuredSeconds = 601

const classes = compileVectors(vectors)
const { list: classKeys } = new ClassKeys(vectors)
/** Packets of connections, datagrams, opening packets, answers of name servers, pings. */
const busyClasses = [
  classOf(classes, TCP, 40_000, 443, 0x10, 0),
  classOf(classes, UDP, 40_000, 9_000, 0, 0),
  classOf(classes, TCP, 40_000, 443, 2, 0),
  classOf(classes, UDP, 53, 9_000, 0, 0),
  classOf(classes, ICMP, 0, 2_048, 0, 0),
]

/** Records of an address and class. */
interface Traffic {
  name: string
  /** Seconds between two records of an address; addresses take turns. */
  everySeconds: number
  /** How many past seconds each record covers. */
  spanSeconds: number
  /** In each of its seconds. */
  packets: number
  samplingRate: number
}

const traffics: Traffic[] = [
  {
    name: 'a record of 20 s each second, 10 packets/s',
    everySeconds: 1,
    spanSeconds: 20,
    packets: 0.5,
    samplingRate: 1,
  },
  { name: 'one packet of 100 in ten seconds', everySeconds: 10, spanSeconds: 1, packets: 1, samplingRate: 100 },
]

function slotAt(second: number, targets: number, classCount: number, traffic: Traffic): SealedSlot {
  const { everySeconds, spanSeconds, packets, samplingRate } = traffic
  const chosen = busyClasses.slice(0, classCount).sort((a, b) => a - b)
  const counters = createCounterColumns(targets * classCount * 2)
  for (let target = 0; target < targets; target++) {
    for (const trafficClass of chosen) {
      if ((second + target + trafficClass) % everySeconds !== 0) continue
      for (const sign of [1, -1]) {
        const row = counters.rows++
        counters.address[row] = network + target
        counters.trafficClass[row] = trafficClass
        counters.second[row] = sign > 0 ? second - spanSeconds : second
        counters.packets[row] = sign * packets * samplingRate
        counters.bytes[row] = sign * packets * samplingRate * 600
        counters.flows[row] = sign / spanSeconds
        counters.observed[row] = sign * packets
        counters.sources[row] = sign > 0 ? sourceMark(firstSource + ((second + target) & 255)) : 0
        counters.ports[row] = sign > 0 ? portMark(40_000, 443) : 0
      }
    }
  }
  const records = createRecordColumns(0)
  return { layout: slotLayout, classKeys, sealedMs: second * 1000, counters, records, exporters: [''] }
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

/** CPU time of this thread, in milliseconds. */
function cpuOf(work: () => void): number {
  const before = process.threadCpuUsage()
  work()
  const { user, system } = process.threadCpuUsage(before)
  return (user + system) / 1000
}

const mean = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / values.length
const mib = (bytes: number) => `${(bytes / 2 ** 20).toFixed(0)} MiB`
const row = (...cells: readonly (string | number)[]) => {
  if (!values.json) console.log(`| ${cells.join(' | ')} |`)
}
/** By name, for `--json`. */
const numbersByName: Record<string, number> = {}

async function addresses(): Promise<void> {
  row('addresses', 'classes', 'traffic of each', 'CPU, ms a second', 'most', 'memory', 'KiB an address')
  row(...new Array(7).fill('---'))
  for (const traffic of traffics) {
    for (const classCount of numbers(values.classes)) {
      for (const targets of numbers(values.addresses)) {
        const before = await memoryBytes()
        const settings = { ...Value.Create(detectSettings), targetsMax: targets, learnSeconds }
        const history = new MinuteSeries()
        const detector = new Detector({ settings, history })
        const cpuMs: number[] = []
        for (let at = 0; at < warmSeconds + measuredSeconds; at++) {
          const second = startSecond + at
          const slot = slotAt(second, targets, classCount, traffic)
          const isMeasured = at >= warmSeconds
          const spentMs = cpuOf(() => {
            detector.accept(slot)
            if (!isMeasured && at % warmStep !== 0) return
            detector.pass(second * 1000)
            if (second % 10 === 0) history.take((address, minute) => detector.busiestOf(address, minute))
          })
          if (isMeasured) cpuMs.push(spentMs)
        }
        const bytes = (await memoryBytes()) - before
        const kibibytes = (bytes / targets / 1024).toFixed(1)
        const [usual, most] = [mean(cpuMs).toFixed(1), Math.max(...cpuMs).toFixed(0)]
        row(targets, classCount, traffic.name, usual, most, mib(bytes), kibibytes)
        const name = `detector, ${targets} addresses of ${classCount} classes, ${traffic.name}`
        numbersByName[`${name}, ms of CPU a second`] = Number(usual)
        numbersByName[`${name}, KiB an address`] = Number(kibibytes)
        // What it knows is in use until here.
        detector.samples()
      }
    }
  }
}

const presentBits = presentBit('tcpFlags') | presentBit('srcPort') | presentBit('dstPort')

/** Opening packets of random sources, to targets in turn. */
function floodBatch(rows: number, targets: number, nowMs: number, random: (below: number) => number): Batch {
  const batch = createBatch(rows)
  const { columns } = batch
  for (let at = 0; at < rows; at++) {
    columns.ipVersion[at] = 4
    columns.srcAddr[at] = random(2 ** 32)
    columns.dstAddr[at] = network + (at % targets)
    columns.srcPort[at] = random(65_536)
    columns.dstPort[at] = 443
    columns.ipProto[at] = TCP
    columns.tcpFlags[at] = 2
    columns.present[at] = presentBits
    columns.packets[at] = 100
    columns.bytes[at] = 6_000
    columns.endMs[at] = nowMs - 500
    columns.startMs[at] = nowMs - 500
    columns.samplingRate[at] = 1
  }
  batch.rows = rows
  return batch
}

const batchRows = 1 << 14

/** What a flood of one second costs, in as many folders as hold all of it. */
async function flood(name: string, targets: number, recordsPerSecond: number, folderCount: number): Promise<void> {
  const before = await memoryBytes()
  const clock = new ManualClock(startSecond * 1000)
  const list = compileWatchList(Uint32Array.of(network, network + Math.max(255, targets - 1)))
  const folders = Array.from({ length: folderCount }, () => new Folder({ clock }))
  for (const folder of folders) folder.setWatchList(list)
  const settings = { ...Value.Create(detectSettings) }
  const history = new MinuteSeries()
  const detector = new Detector({ settings, history })
  const random = createRandom(1)
  const foldMs: number[] = []
  const detectMs: number[] = []
  let folded = 0
  const seconds = 20
  for (let second = 0; second < seconds; second++) {
    clock.advance(1000)
    const nowMs = clock.now()
    let spentMs = 0
    for (let sent = 0; sent < recordsPerSecond; sent += batchRows) {
      const batch = floodBatch(Math.min(batchRows, recordsPerSecond - sent), targets, nowMs, random)
      const folder = folders[(sent / batchRows) % folderCount]
      spentMs += cpuOf(() => folder.fold(batch))
    }
    const slots: SealedSlot[] = []
    spentMs += cpuOf(() => {
      for (const folder of folders) slots.push(folder.seal(nowMs))
    })
    const passMs = cpuOf(() => {
      for (const slot of slots) detector.accept(slot)
      detector.pass(nowMs)
      if (second % 10 === 0) history.take((address, minute) => detector.busiestOf(address, minute))
    })
    if (second >= seconds / 2) {
      foldMs.push(spentMs)
      detectMs.push(passMs)
      for (const slot of slots) folded += slot.records.rows
    }
  }
  const perRecord = (ms: number) => ((ms * 1e6) / recordsPerSecond).toFixed(0)
  const [fold, detect] = [mean(foldMs), mean(detectMs)]
  const kept = ((folded / (recordsPerSecond * (seconds / 2))) * 100).toFixed(0)
  const bytes = (await memoryBytes()) - before
  row(name, detector.openIncidents, perRecord(fold), perRecord(detect), detect.toFixed(0), `${kept} %`, mib(bytes))
}

await addresses()
if (values.floods) {
  row('flood', 'attacks', 'folder, ns a record', 'detector, ns a record', 'detector, ms a second', 'in lists', 'memory')
  row(...new Array(7).fill('---'))
  await flood('1,000,000 records/s of random sources at one address', 1, 1_000_000, 2)
}
if (values.json) console.log(JSON.stringify(numbersByName))

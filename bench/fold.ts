// What a flow record costs between the batch and the sealed slot, against the obvious way: an object a target and class in a Map.
// Run: node bench/fold.ts
import { compileExclusions, type ExclusionRow } from '../src/aggregate/exclusions.ts'
import { Folder } from '../src/aggregate/folder.ts'
import { compileWatchList } from '../src/aggregate/watch-list.ts'
import { ManualClock } from '../src/clock.ts'
import { type Batch, createBatch } from '../src/flow/batch.ts'
import { presentBit } from '../src/flow/columns.ts'
import { formatIpv4 } from '../src/net/ipv4.ts'
import { createRandom } from '../test/helpers/random.ts'

const rows = 1 << 14
const batches = 16
const nowMs = 1_800_000_000_000
const network = 0xc0000200
const presentBits = presentBit('tcpFlags') | presentBit('srcPort') | presentBit('dstPort')

interface Mix {
  name: string
  /** How many of 100 records are for a watched address. */
  watched: number
  targets: number
  /** Sources and ports; a flood has all. */
  items: number
  /** Addresses with exclusions of their own, none of which applies. */
  exclusions?: number
}

const mixes: Mix[] = [
  { name: 'a network of which 5 % is watched', watched: 5, targets: 256, items: 5_000 },
  { name: 'all watched, 256 targets', watched: 100, targets: 256, items: 5_000 },
  { name: 'the same, with exclusions for all of them', watched: 100, targets: 256, items: 5_000, exclusions: 256 },
  { name: 'a flood of one target from everywhere', watched: 100, targets: 1, items: 2 ** 32 },
]

function batchOf({ watched, targets, items }: Mix, seed: number): Batch {
  const batch = createBatch(rows)
  const { columns } = batch
  const random = createRandom(seed)
  for (let row = 0; row < rows; row++) {
    columns.ipVersion[row] = 4
    columns.srcAddr[row] = random(items)
    columns.dstAddr[row] = random(100) < watched ? network + random(targets) : random(2 ** 31)
    columns.srcPort[row] = random(Math.min(items, 65_536))
    columns.dstPort[row] = 443
    columns.ipProto[row] = random(4) === 0 ? 17 : 6
    columns.tcpFlags[row] = [2, 16, 24, 27][random(4)]
    columns.present[row] = presentBits
    columns.packets[row] = 1 + random(10)
    columns.bytes[row] = 60 + random(1_400)
    columns.endMs[row] = nowMs - random(5_000)
    columns.startMs[row] = columns.endMs[row] - random(20_000)
    columns.samplingRate[row] = 1
  }
  batch.rows = rows
  return batch
}

function exclusionRows({ exclusions = 0 }: Mix): ExclusionRow[] {
  const nothing = { first: 0, ports: [], sources: [] }
  const rows = Array.from({ length: exclusions }, (_, i) => {
    return { first: network + i, ports: ['udp/53'], sources: [`198.51.100.${i}`, '203.0.113.0/24'] }
  })
  return [nothing, ...rows]
}

/** The same counters and lists, as one would write them first. */
class MapFolder {
  readonly #watched = new Set(Array.from({ length: 256 }, (_, i) => formatIpv4(network + i)))
  #targets = new Map<
    string,
    { counters: Map<string, { packets: number; bytes: number }>; lists: Map<string, { flows: number }>[] }
  >()

  fold({ columns, rows: count }: Batch): void {
    for (let row = 0; row < count; row++) {
      const address = formatIpv4(columns.dstAddr[row])
      if (!this.#watched.has(address)) continue
      let target = this.#targets.get(address)
      if (target === undefined) {
        target = { counters: new Map(), lists: Array.from({ length: 5 }, () => new Map()) }
        this.#targets.set(address, target)
      }
      const first = Math.floor(columns.startMs[row] / 1000)
      const last = Math.floor(columns.endMs[row] / 1000)
      for (let second = first; second <= last; second++) {
        const key = `${columns.ipProto[row]}/${columns.tcpFlags[row]}/${second}`
        const counter = target.counters.get(key) ?? { packets: 0, bytes: 0 }
        counter.packets += columns.packets[row] / (last - first + 1)
        counter.bytes += columns.bytes[row] / (last - first + 1)
        target.counters.set(key, counter)
      }
      const items = [
        String(columns.dstPort[row]),
        String(columns.srcPort[row]),
        formatIpv4(columns.srcAddr[row]),
        String(columns.ipProto[row]),
        String(columns.tcpFlags[row]),
      ]
      items.forEach((item, at) => {
        const list = target.lists[at]
        const entry = list.get(item) ?? { flows: 0 }
        entry.flows++
        list.set(item, entry)
      })
    }
  }

  seal(): void {
    this.#targets = new Map()
  }
}

/** Best of several seconds' worth of batches, each folded and sealed. */
function flowsPerSecond(fold: (batch: Batch) => void, seal: () => void, work: Batch[]): number {
  let best = 0
  for (let run = 0; run < 5; run++) {
    const startMs = performance.now()
    for (const batch of work) fold(batch)
    seal()
    best = Math.max(best, (work.length * rows) / ((performance.now() - startMs) / 1000))
  }
  return best
}

const millions = (value: number) => `${(value / 1e6).toFixed(2)} M flows/s`.padStart(18)

for (const mix of mixes) {
  const work = Array.from({ length: batches }, (_, i) => batchOf(mix, i + 1))
  const folder = new Folder({ clock: new ManualClock(nowMs) })
  folder.setWatchList(compileWatchList(new Uint32Array([network, network + 255])))
  folder.setExclusions(compileExclusions(exclusionRows(mix)))
  const maps = new MapFolder()
  const ours = flowsPerSecond(
    (batch) => folder.fold(batch),
    () => folder.seal(nowMs + 1000),
    work,
  )
  const theirs = flowsPerSecond(
    (batch) => maps.fold(batch),
    () => maps.seal(),
    work,
  )
  console.log(
    `${mix.name.padEnd(40)} ${millions(ours)}, Map of objects ${millions(theirs)}, ratio ${(ours / theirs).toFixed(1)}`,
  )
}

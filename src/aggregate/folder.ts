// Folds batches of flow records into the counters of watched targets, keeps those records, and seals both into a slot when asked. The loop over
// the rows allocates nothing; every table that it feeds is bounded, and counts what it refuses.
import type { Clock } from '../clock.ts'
import type { Batch } from '../flow/batch.ts'
import { directions, presentBit } from '../flow/columns.ts'
import { type Sample, samplesOf } from '../metrics.ts'
import { ClassKeys } from '../vectors/class-keys.ts'
import { type Classes, classOf, compileVectors, flagsUnknown, portsUnknown } from '../vectors/compile.ts'
import { vectors } from '../vectors/vectors.ts'
import { ContinuedFlows, flowKey, longSeconds } from './continued-flows.ts'
import { CounterLog } from './counter-log.ts'
import { type Exclusions, isExcluded } from './exclusions.ts'
import { ExporterPlaces } from './exporter-places.ts'
import { portMark, sourceMark } from './marks.ts'
import { type FolderCounters, foldMetrics } from './metrics.ts'
import { RecordLog } from './record-log.ts'
import { type SealedSlot, slotLayout } from './sealed-slot.ts'
import { SlotMemory } from './slot-memory.ts'
import { chooseWatched, isWatched, type WatchList } from './watch-list.ts'

/** Seconds before its receipt that a record may reach back: the longest usual active timeout (5 minutes) and some delay. */
export const pastSeconds = 330
/** Seconds after its receipt that a record may end: clocks differ. */
export const futureSeconds = 5
/** Seconds that a record covers at most, as no router holds one back longer: one that lasts longer is dated from its session, whose earlier part came before. */
const lastedMax = 3_600
/** Seconds that the counters of a slot reach back from its beginning; more than `pastSeconds`. */
const slotReachSeconds = 512

export interface FolderOptions {
  clock: Clock
  /** Rows of a slot's counters at most: records, or sums of them by (address, class, second). */
  counterRowsMax: number
  /** Records of a slot at most. */
  recordsMax: number
  /** Lends memory for slots. Whoever has taken one gives it back, or leaves it to the garbage collector. */
  memory: SlotMemory
  /** The address of the exporter whose stream has this place in the table, as text. */
  exporterAt: (stream: number) => string
}

const defaults: Omit<FolderOptions, 'clock' | 'memory'> = {
  counterRowsMax: 1 << 19,
  recordsMax: 1 << 19,
  exporterAt: () => '',
}

const flagsBit = presentBit('tcpFlags')
const portBits = presentBit('srcPort') | presentBit('dstPort')

export class Folder {
  readonly counted: FolderCounters = { folded: 0, excluded: 0, timeClipped: 0 }
  readonly #clock: Clock
  readonly #classes: Classes = compileVectors(vectors)
  readonly #keys = new ClassKeys(vectors)
  readonly #counters: CounterLog
  readonly #records: RecordLog
  readonly #exporters: ExporterPlaces
  readonly #continued = new ContinuedFlows()
  /** Rows of a batch that are counted, and the first second that each counts for. */
  #chosen = new Uint32Array(0)
  #firsts = new Float64Array(0)
  /** Places in `#chosen` of long records, and the keys of their flows. */
  #long = new Uint32Array(0)
  #flowKeys = new Uint32Array(0)
  #list: WatchList | null = null
  #exclusions: Exclusions | null = null

  constructor(options: Partial<FolderOptions> & { clock: Clock }) {
    const { clock, counterRowsMax, recordsMax, exporterAt, memory = new SlotMemory() } = { ...defaults, ...options }
    this.#clock = clock
    this.#counters = new CounterLog(counterRowsMax, memory)
    this.#records = new RecordLog(recordsMax, memory)
    this.#exporters = new ExporterPlaces(exporterAt)
    this.#begin(clock.now())
  }

  /** Records refused: by full counters, and by a full log (these are counted, and in no list). */
  get refused(): { counters: number; records: number } {
    return { counters: this.#counters.refused, records: this.#records.refused }
  }

  /** Records since the last seal. */
  get heldRecords(): number {
    return this.#records.rows
  }

  samples(): Sample[] {
    return samplesOf(foldMetrics, {
      counted: this.counted,
      refused: this.refused,
      replaced: this.#continued.replaced,
    })
  }

  setWatchList(list: WatchList): void {
    this.#list = list
  }

  /** The traffic to watched addresses that is left out; null: none. */
  setExclusions(exclusions: Exclusions | null): void {
    this.#exclusions = exclusions
  }

  /** Which records are counted, by their destinations: see `chooseWatched`. */
  choose(from: DataView, offset: number, starts: Uint32Array, count: number): number {
    return this.#list === null ? 0 : chooseWatched(this.#list, from, offset, starts, count)
  }

  /** Reads the rows of a batch; keeps nothing of it. */
  fold(batch: Batch): void {
    const list = this.#list
    const exclusions = this.#exclusions
    if (list === null) return
    const { srcAddr, dstAddr, srcPort, dstPort, ipProto, tcpFlags, fragment } = batch.columns
    const { bytes, packets, endMs, samplingRate, present, exporter } = batch.columns
    const { ingressInterface, egressInterface, sourceAs } = batch.columns
    const latest = this.#latest()
    const earliest = Math.max(latest - futureSeconds - pastSeconds, this.#counters.firstSecond)
    let stream = -1
    let place = 0
    const watched = this.#chosenOf(batch, list)
    this.counted.folded += watched
    const chosen = exclusions === null ? watched : this.#keepIncluded(batch, watched, exclusions)
    this.#date(batch, chosen)
    for (let i = 0; i < chosen; i++) {
      const row = this.#chosen[i]
      const address = dstAddr[row]
      const protocol = ipProto[row] & 255
      const source = srcAddr[row]
      const port = dstPort[row]
      let first = this.#firsts[i]
      let last = Math.floor(endMs[row] / 1000)
      let part = 1
      if (!(first >= earliest && first <= last && last <= latest)) {
        this.counted.timeClipped++
        const lasted = last > first ? last - first : 0
        last = within(last < earliest ? earliest + lasted : last, earliest, latest)
        first = within(last - lasted, earliest, last)
        part = Math.min(1, (last - first + 1) / (Math.min(lasted, lastedMax) + 1))
      }

      const flags = tcpFlags[row] & 255
      const classFlags = (present[row] & flagsBit) === 0 ? flagsUnknown : flags
      const classPort = (present[row] & portBits) === 0 ? portsUnknown : srcPort[row]
      const trafficClass = classOf(this.#classes, protocol, classPort, port, classFlags, fragment[row])
      const rate = samplingRate[row] || 1
      const observed = Math.ceil(packets[row] * part)
      const scaledPackets = observed * rate
      const scaledBytes = Math.ceil(bytes[row] * part) * rate
      const sources = sourceMark(source)
      const ports = portMark(srcPort[row], port)
      this.#counters.add(address, trafficClass, first, last, scaledPackets, scaledBytes, observed, sources, ports)
      if (exporter[row] !== stream) {
        stream = exporter[row]
        place = this.#exporters.placeOf(stream)
      }
      this.#records.add(
        address,
        source,
        srcPort[row],
        port,
        protocol,
        flags,
        scaledPackets,
        scaledBytes,
        samplingRate[row],
        first,
        last - first,
        place,
        ingressInterface[row],
        egressInterface[row],
        sourceAs[row],
      )
    }
  }

  /** Puts the rows that are counted into `#chosen`, and gives how many they are. Most rows are not: they cost this loop only. */
  #chosenOf({ columns, rows }: Batch, list: WatchList): number {
    const { ipVersion, dstAddr, direction } = columns
    if (this.#chosen.length < rows) {
      this.#chosen = new Uint32Array(dstAddr.length)
      this.#firsts = new Float64Array(dstAddr.length)
      this.#long = new Uint32Array(dstAddr.length)
      this.#flowKeys = new Uint32Array(dstAddr.length)
    }
    const to = this.#chosen
    let chosen = 0
    for (let row = 0; row < rows; row++) {
      if (!isWatched(list, dstAddr[row]) || ipVersion[row] !== 4 || direction[row] === directions.again) continue
      to[chosen++] = row
    }
    return chosen
  }

  /** Leaves out of `#chosen` what is excluded, before it takes a place among the flows that go on. */
  #keepIncluded({ columns }: Batch, watched: number, exclusions: Exclusions): number {
    const { srcAddr, dstAddr, srcPort, dstPort, ipProto } = columns
    const to = this.#chosen
    let chosen = 0
    for (let i = 0; i < watched; i++) {
      const row = to[i]
      if (isExcluded(exclusions, dstAddr[row], ipProto[row] & 255, srcPort[row], dstPort[row], srcAddr[row])) continue
      to[chosen++] = row
    }
    this.counted.excluded += watched - chosen
    return chosen
  }

  /** Finds the first second that each row counts for. */
  #date({ columns }: Batch, chosen: number): void {
    const { startMs, endMs, exporter, ingressInterface, srcAddr, dstAddr, srcPort, dstPort, ipProto } = columns
    let long = 0
    for (let i = 0; i < chosen; i++) {
      const row = this.#chosen[i]
      const first = Math.floor(startMs[row] / 1000)
      this.#firsts[i] = first
      if (!(Math.floor(endMs[row] / 1000) - first > longSeconds)) continue
      const stream = exporter[row]
      const ingress = ingressInterface[row]
      const protocol = ipProto[row] & 255
      this.#flowKeys[long] = flowKey(stream, ingress, srcAddr[row], dstAddr[row], srcPort[row], dstPort[row], protocol)
      this.#long[long++] = i
    }
    this.#continued.fetch(this.#flowKeys, long)
    for (let j = 0; j < long; j++) {
      const i = this.#long[j]
      const last = Math.floor(endMs[this.#chosen[i]] / 1000)
      this.#firsts[i] = this.#continued.since(this.#flowKeys[j], this.#firsts[i], last)
    }
  }

  /** Seals what was folded since the last seal. The slot is the caller's. */
  seal(nowMs: number): SealedSlot {
    const counters = this.#counters.summed()
    this.#begin(nowMs)
    const { list: classKeys } = this.#keys
    const exporters = this.#exporters.take()
    return { layout: slotLayout, classKeys, sealedMs: nowMs, counters, records: this.#records.seal(), exporters }
  }

  /** The last second in which a record may end. When the clock is set while a slot is open, the slot stays where it began, near its counters. */
  #latest(): number {
    const { firstSecond, lastSecond } = this.#counters
    const latest = Math.floor(this.#clock.now() / 1000) + futureSeconds
    return latest > firstSecond && latest <= lastSecond ? latest : firstSecond + slotReachSeconds
  }

  #begin(nowMs: number): void {
    this.#counters.begin(Math.floor(nowMs / 1000) - slotReachSeconds)
  }
}

/** The value within the bounds; `low` when it is not a number. */
function within(value: number, low: number, high: number): number {
  return value > low ? Math.min(value, high) : low
}

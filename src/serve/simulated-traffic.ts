// The traffic of simulated attacks in a collector: what comes from one of the service's own sockets is read by a decoder and folded by a folder of
// its own, so that it meets real traffic nowhere. By whom a datagram is, is known by the socket and by a number that the service alone knows:
// nobody can have what a router tells taken for a simulation.
import type { Exclusions } from '../aggregate/exclusions.ts'
import { Folder } from '../aggregate/folder.ts'
import type { SealedSlot } from '../aggregate/sealed-slot.ts'
import type { Clock } from '../clock.ts'
import type { Sender } from '../collect/udp-listener.ts'
import { Decoder } from '../decode/decoder.ts'
import { ipfixHeaderLength } from '../decode/ipfix.ts'
import type { Sample } from '../metrics.ts'
import type { WatchList } from '../targets/watch-list.ts'
import { serviceMetrics } from './metrics.ts'

/** How the datagrams of a simulation are known. */
export interface SimulationTag {
  simulation: string
  /** Of the socket, as those who receive see it. */
  address: string
  port: number
  /** Observation domain: 32 bits that nobody else is told. */
  domain: number
}

/** What was counted of a simulation since it was last sealed. */
export interface SimulatedSlot {
  simulation: string
  slot: SealedSlot
}

/** What exporters' lists call it. */
const exporterName = 'simulator'
/** Rows of counters and records of a slot: some hundred come in a second. */
const rowsMax = 1 << 12
/** Simulations that are over and still known, so that what the kernel held back of them is not taken for an exporter's. */
const overMax = 64

interface Lane {
  tag: SimulationTag
  /** Null: the simulation is over, and what comes of it late is dropped. */
  counting: { decoder: Decoder; folder: Folder } | null
}

export class SimulatedTraffic {
  readonly #clock: Clock
  /** By port. */
  readonly #lanes = new Map<number, Lane>()
  #list: WatchList | null = null
  #exclusions: Exclusions | null = null
  #datagrams = 0
  #late = 0

  constructor(clock: Clock) {
    this.#clock = clock
  }

  begin(tag: SimulationTag): void {
    const folder = new Folder({
      clock: this.#clock,
      counterRowsMax: rowsMax,
      recordsMax: rowsMax,
      exporterAt: () => exporterName,
    })
    if (this.#list !== null) folder.setWatchList(this.#list)
    folder.setExclusions(this.#exclusions)
    const decoder = new Decoder({
      sink: (batch) => folder.fold(batch),
      choose: (from, offset, starts, count) => folder.choose(from, offset, starts, count),
    })
    this.#lanes.delete(tag.port)
    this.#lanes.set(tag.port, { tag, counting: { decoder, folder } })
  }

  end(simulation: string): void {
    for (const lane of this.#lanes.values()) if (lane.tag.simulation === simulation) lane.counting = null
    const over = [...this.#lanes].filter(([, { counting }]) => counting === null)
    for (const [port] of over.slice(0, Math.max(0, over.length - overMax))) this.#lanes.delete(port)
  }

  setWatchList(list: WatchList): void {
    this.#list = list
    for (const { folder } of this.#counting()) folder.setWatchList(list)
  }

  setExclusions(exclusions: Exclusions | null): void {
    this.#exclusions = exclusions
    for (const { folder } of this.#counting()) folder.setExclusions(exclusions)
  }

  /** True: the datagram is of a simulation, and dealt with. Keeps nothing of the view. */
  take(datagram: DataView, { address, port }: Sender, receivedMs: number): boolean {
    const lane = this.#lanes.get(port)
    if (lane === undefined || lane.tag.address !== address || domainOf(datagram) !== lane.tag.domain) return false
    if (lane.counting === null) this.#late++
    else {
      this.#datagrams++
      lane.counting.decoder.decode(datagram, { address, port, receivedMs })
    }
    return true
  }

  /** What was counted of each since the last seal; the slots are the caller's. */
  seal(nowMs: number): SimulatedSlot[] {
    return [...this.#lanes.values()].flatMap(({ tag, counting }) => {
      if (counting === null) return []
      counting.decoder.flush()
      return { simulation: tag.simulation, slot: counting.folder.seal(nowMs) }
    })
  }

  samples(): Sample[] {
    const { name } = serviceMetrics.simulatedDatagrams
    return [
      { name, labels: { result: 'counted' }, value: this.#datagrams },
      { name, labels: { result: 'late' }, value: this.#late },
    ]
  }

  #counting() {
    return [...this.#lanes.values()].flatMap(({ counting }) => counting ?? [])
  }
}

/** RFC 7011 section 3.1; -1: it is too short to have one. */
function domainOf(datagram: DataView): number {
  return datagram.byteLength < ipfixHeaderLength ? -1 : datagram.getUint32(12)
}

// The traffic of simulated attacks in a collector. Datagrams from one of the service's own sockets are decoded and counted by an ingest of their own,
// so that they meet real traffic nowhere. They are known by their socket and by a number that the service alone knows: nobody can have the exports
// of a router taken for a simulation.
import type { Exclusions } from '../../aggregate/exclusions.ts'
import type { SealedSlot } from '../../aggregate/sealed-slot.ts'
import { SlotMemory } from '../../aggregate/slot-memory.ts'
import { compileWatchList, type WatchList } from '../../aggregate/watch-list.ts'
import type { Clock } from '../../clock.ts'
import type { Sender } from '../../collect/sockets/udp-listener.ts'
import { ipfixHeaderLength } from '../../decode/formats/ipfix.ts'
import type { Sample } from '../../metrics.ts'
import { Ingest } from '../ingest.ts'
import { pipelineMetrics } from '../metrics.ts'

/** How the datagrams of a simulation are known. */
export interface SimulationTag {
  simulation: string
  /** The socket's, as those who receive see it. */
  address: string
  port: number
  /** Observation domain: 32 random bits. */
  domain: number
  /**
   * The victim of a probe, by which the service tests itself: nobody watches the address but the probe itself, by no settings of the operator. Null: the
   * simulation attacks an address of a site.
   */
  probe: number | null
}

/** What was counted of a simulation since the last seal. */
export interface SimulatedSlot {
  simulation: string
  slot: SealedSlot
}

/** What the lists of an attack call its exporter. */
const exporterName = 'simulator'
/** Rows of counters and records of a slot: some hundred come in a second. */
const rowsMax = 1 << 12
/** Ended simulations that are still known, so that datagrams which the kernel held back are not taken for an exporter's. */
const endedMax = 64

interface Lane {
  tag: SimulationTag
  /** Null: the simulation has ended, and its late datagrams are dropped. */
  ingest: Ingest | null
}

export class SimulatedTraffic {
  readonly #clock: Clock
  readonly #memory: SlotMemory
  /** The one that began first, first. */
  #lanes: Lane[] = []
  /** The same by port: a datagram of a router costs one look. Sockets of two addresses may have one port. */
  #ofPort = new Map<number, Lane[]>()
  #list: WatchList | null = null
  #exclusions: Exclusions | null = null
  #datagrams = 0
  #late = 0

  /** `memory`: of its slots, which are small. */
  constructor(clock: Clock, memory = new SlotMemory()) {
    this.#clock = clock
    this.#memory = memory
  }

  begin(tag: SimulationTag): void {
    const bounds = { counterRowsMax: rowsMax, recordsMax: rowsMax }
    const folder = { ...bounds, memory: this.#memory, exporterAt: () => exporterName }
    const ingest = new Ingest({ clock: this.#clock, folder })
    // Without the list of the sites a probe is not seen, either: the collector is blind.
    if (this.#list !== null) ingest.setWatchList(tag.probe === null ? this.#list : listOf(tag.probe))
    if (tag.probe === null) ingest.setExclusions(this.#exclusions)
    this.#keep([...this.#lanes.filter((lane) => !isOf(lane.tag, tag)), { tag, ingest }])
  }

  end(simulation: string): void {
    for (const lane of this.#lanes) if (lane.tag.simulation === simulation) lane.ingest = null
    const ended = this.#lanes.filter(({ ingest }) => ingest === null)
    const forgotten = new Set(ended.slice(0, Math.max(0, ended.length - endedMax)))
    this.#keep(this.#lanes.filter((lane) => !forgotten.has(lane)))
  }

  setWatchList(list: WatchList): void {
    this.#list = list
    for (const { tag, ingest } of this.#lanes) if (tag.probe === null) ingest?.setWatchList(list)
  }

  setExclusions(exclusions: Exclusions | null): void {
    this.#exclusions = exclusions
    for (const { tag, ingest } of this.#lanes) if (tag.probe === null) ingest?.setExclusions(exclusions)
  }

  /** Returns true when the datagram belongs to a simulation: then it has been dealt with. Keeps nothing of the view. */
  take(datagram: DataView, { address, port }: Sender, receivedMs: number): boolean {
    const lane = this.#ofPort.get(port)?.find(({ tag }) => tag.address === address)
    if (lane === undefined || domainOf(datagram) !== lane.tag.domain) return false
    if (lane.ingest === null) this.#late++
    else {
      this.#datagrams++
      lane.ingest.receive(datagram, { address, port, receivedMs })
    }
    return true
  }

  /** What was counted of each simulation since the last seal; the slots are the caller's. */
  seal(nowMs: number): SimulatedSlot[] {
    return this.#lanes.flatMap(({ tag: { simulation }, ingest }) =>
      ingest === null ? [] : { simulation, slot: ingest.seal(nowMs) },
    )
  }

  #keep(lanes: Lane[]): void {
    this.#lanes = lanes
    this.#ofPort = Map.groupBy(lanes, ({ tag }) => tag.port)
  }

  samples(): Sample[] {
    const { name } = pipelineMetrics.simulatedDatagrams
    return [
      { name, labels: { result: 'counted' }, value: this.#datagrams },
      { name, labels: { result: 'late' }, value: this.#late },
    ]
  }
}

/** Whether both come from one socket. */
function isOf(a: SimulationTag, b: SimulationTag): boolean {
  return a.port === b.port && a.address === b.address
}

function listOf(address: number): WatchList {
  return compileWatchList(new Uint32Array([address, address]))
}

/** RFC 7011 section 3.1; -1: the datagram is too short to have one. */
function domainOf(datagram: DataView): number {
  return datagram.byteLength < ipfixHeaderLength ? -1 : datagram.getUint32(12)
}

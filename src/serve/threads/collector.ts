// Entry of a collector thread: sockets -> decoder -> folder, and sealed slots to the detector. Nothing here waits.
import { type MessagePort, parentPort, workerData } from 'node:worker_threads'
import { Folder } from '../../aggregate/folder.ts'
import { askEveryMs, asksPerSecond, isSealDue } from '../../aggregate/seal-rhythm.ts'
import { systemClock } from '../../clock.ts'
import { AllowList } from '../../collect/allow-list.ts'
import { notExportsOf } from '../../collect/health/reception.ts'
import { StreamWatches } from '../../collect/health/stream-watches.ts'
import { kernelDrops } from '../../collect/kernel-drops.ts'
import { ingestSamples } from '../../collect/metrics.ts'
import { ReadSchedule } from '../../collect/read-schedule.ts'
import { compileOverrides } from '../../collect/sampling-overrides.ts'
import { createListener, type DatagramSocket } from '../../collect/udp-listener.ts'
import type { DecoderCounters } from '../../decode/counters.ts'
import { Decoder } from '../../decode/decoder.ts'
import { StreamChanges } from '../../decode/stream-changes.ts'
import type { Sample } from '../../metrics.ts'
import { watchListSamples } from '../../targets/metrics.ts'
import { compileWatchList } from '../../targets/watch-list.ts'
import { type CollectorData, type FromCollector, type SlotAnswer, slotBuffers, type ToCollector } from '../messages.ts'
import { SimulatedTraffic } from '../simulated-traffic.ts'
import { WaitingSlots } from '../waiting-slots.ts'

/** Before the end what has arrived is read; sockets are looked at more often than this. */
const drainMs = 30
/** Templates and streams to be saved that are passed on at a time. */
const changesPerSecond = 500

/** What is looked at and told of exporters: little of each batch, and of each second. */
const health = {
  recordsPerBatch: 40,
  rateMs: 60_000,
  recentMs: 900_000,
  recordsMs: 3_600_000,
  reportEveryMs: 4_000,
  reportsAtOnce: 100,
}

async function run(parent: MessagePort, data: CollectorData): Promise<void> {
  const folder = new Folder({
    clock: systemClock,
    exporterAt: (stream) => decoder.streams.list[stream]?.address ?? '',
  })
  const overrides = compileOverrides(data.sampling)
  const decoder = new Decoder({
    sink: (batch) => {
      folder.fold(batch)
      watches.sample(batch)
    },
    choose: (from, offset, starts, count) => folder.choose(from, offset, starts, count),
    tunnels: data.tunnels,
    samplingOverrideOf: overrides.rateOf,
    linkBitsPerSecondOf: overrides.linkBitsPerSecondOf,
    waitingBytesMax: data.waiting.megabytes * 2 ** 20,
    waitingBytesPerStreamMax: data.waiting.megabytes * 2 ** 19,
    waitingMs: data.waiting.seconds * 1000,
  })
  decoder.streams.restore(data.known)
  const changes = new StreamChanges(decoder.streams)
  const watches = new StreamWatches({ ...health, streams: decoder.streams, exportedTimes: false })
  const allowed = new AllowList(data.exporters)
  const simulated = new SimulatedTraffic(systemClock)
  let detector: MessagePort | null = null
  const waitingSlots = new WaitingSlots()
  let stop: () => unknown = () => parent.postMessage({ type: 'stopped' } satisfies FromCollector)
  let lastDatagramMs: number | null = null
  let watched: Sample[] = []

  parent.on('message', (message: ToCollector) => {
    if (message.type === 'detector') {
      detector = message.port
      detector.on('message', (_: SlotAnswer) => waitingSlots.taken())
    } else if (message.type === 'stop') stop()
    else if (message.type === 'exclude') {
      folder.setExclusions(message.exclusions)
      simulated.setExclusions(message.exclusions)
    } else if (message.type === 'simulate') {
      simulated.begin(message.tag)
      parent.postMessage({ type: 'simulating', id: message.id } satisfies FromCollector)
    } else if (message.type === 'end-simulation') simulated.end(message.simulation)
    else {
      const list = compileWatchList(message.ranges)
      folder.setWatchList(list)
      simulated.setWatchList(list)
      watched = watchListSamples(list)
    }
  })

  const schedule = new ReadSchedule()
  const listeners = await Promise.all(
    data.listen.map(({ host, port }) =>
      createListener({
        host,
        port,
        receiveBufferBytes: data.receiveBufferBytes,
        reusePort: data.shared,
        clock: systemClock,
        schedule,
        onDatagram: (datagram, sender, receivedMs) => {
          if (simulated.take(datagram, sender, receivedMs)) return
          const { address, port } = sender
          if (!allowed.admits(address, receivedMs)) return
          lastDatagramMs = receivedMs
          decoder.decode(datagram, { address, port, receivedMs })
        },
        onError: (error) => {
          throw error
        },
      }),
    ),
  )
  for (const listener of listeners) await listener.start()
  const say = (message: FromCollector) => parent.postMessage(message)
  say({ type: 'listening', listeners: listeners.map(boundTo) })

  const sayChanges = (max: number) => {
    const changed = changes.take(max)
    if (changed.length > 0) say({ type: 'changes', changes: changed })
  }
  // The kernel tells of ports, not of threads: of those that share a port, one asks.
  const drops = () => (data.first ? kernelDrops(listeners.map(({ bound }) => bound.port)) : 0)
  /** Of streams last reported at `beforeMs` or earlier. */
  const sayHealth = (nowMs: number, socketDrops: number, due: { beforeMs: number; max: number }) => {
    watches.look(nowMs)
    const reception = receptionOf(decoder.counters, { socketDrops, allowed })
    say({ type: 'health', streams: watches.due(nowMs, due), reception })
  }
  const end = () => {
    clearInterval(every)
    const socketDrops = drops()
    for (const listener of listeners) listener.stop()
    decoder.flush()
    const nowMs = systemClock.now()
    seal(nowMs)
    sayChanges(Number.POSITIVE_INFINITY)
    sayHealth(nowMs, socketDrops, { beforeMs: nowMs, max: Number.POSITIVE_INFINITY })
    say({ type: 'stopped' })
  }

  stop = () => setTimeout(end, drainMs)

  const seal = (nowMs: number) => {
    if (detector === null) return
    for (const each of simulated.seal(nowMs)) detector.postMessage(each, slotBuffers(each.slot))
    const slot = folder.seal(nowMs)
    detector.postMessage(slot, slotBuffers(slot))
    waitingSlots.sent()
  }
  const sayAll = (nowMs: number) => {
    const { counters, streams } = decoder
    const socketDrops = drops()
    const received = ingestSamples({ counters, streams, socketDrops, notAllowed: allowed.refused })
    // All collectors watch the same: samples are summed, so one tells.
    const counted = [...received, ...folder.samples(), ...waitingSlots.samples(), ...simulated.samples()]
    const samples = [...counted, ...(data.first ? watched : [])]
    say({ type: 'samples', samples, lastDatagramMs })
    sayChanges(changesPerSecond)
    sayHealth(nowMs, socketDrops, { beforeMs: nowMs - health.reportEveryMs, max: health.reportsAtOnce })
  }

  let asked = 0
  const every = setInterval(() => {
    const isSecondOver = ++asked % asksPerSecond === 0
    schedule.readNow()
    decoder.flush()
    const nowMs = systemClock.now()
    if (waitingSlots.maySeal(isSealDue(isSecondOver, folder.heldRecords))) seal(nowMs)
    if (!isSecondOver) return
    schedule.readNow()
    sayAll(nowMs)
  }, askEveryMs)
}

function receptionOf(counters: DecoderCounters, { socketDrops, allowed }: { socketDrops: number; allowed: AllowList }) {
  const notExports = Object.values(notExportsOf(counters)).reduce((sum, count) => sum + count, 0)
  return { socketDrops, notExports, refused: allowed.refused, refusedSenders: allowed.refusedSenders() }
}

function boundTo(listener: DatagramSocket) {
  const { address, port } = listener.bound
  return { host: address, port, receiveBufferBytes: listener.receiveBufferBytes }
}

if (parentPort !== null) await run(parentPort, workerData)

// Entry of a collector thread: sockets -> decoder -> folder, and once a second a sealed slot to the detector. Nothing here waits.
import { type MessagePort, parentPort, workerData } from 'node:worker_threads'
import { Folder } from '../../aggregate/folder.ts'
import { systemClock } from '../../clock.ts'
import { kernelDrops } from '../../collect/kernel-drops.ts'
import { ingestSamples } from '../../collect/metrics.ts'
import { createListener, type DatagramSocket } from '../../collect/udp-listener.ts'
import { Decoder } from '../../decode/decoder.ts'
import type { Sample } from '../../metrics.ts'
import { watchListSamples } from '../../targets/metrics.ts'
import { compileWatchList } from '../../targets/watch-list.ts'
import { type CollectorData, type FromCollector, slotBuffers, type ToCollector } from '../messages.ts'

const sealEveryMs = 1000

async function run(parent: MessagePort, data: CollectorData): Promise<void> {
  const folder = new Folder({ clock: systemClock })
  const decoder = new Decoder({ sink: (batch) => folder.fold(batch), tunnels: data.tunnels })
  let detector: MessagePort | null = null
  let lastDatagramMs: number | null = null
  let watched: Sample[] = []

  parent.on('message', (message: ToCollector) => {
    if (message.type === 'detector') detector = message.port
    else {
      const list = compileWatchList(message.ranges)
      folder.setWatchList(list)
      watched = watchListSamples(list)
    }
  })

  const listeners = await Promise.all(
    data.listen.map(({ host, port }) =>
      createListener({
        host,
        port,
        receiveBufferBytes: data.receiveBufferBytes,
        reusePort: data.shared,
        onDatagram: (datagram, { address, port }) => {
          lastDatagramMs = systemClock.now()
          decoder.decode(datagram, { address, port, receivedMs: lastDatagramMs })
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

  // The kernel tells of ports, not of threads: of those that share a port, one asks.
  const drops = () => (data.first ? kernelDrops(listeners.map(({ bound }) => bound.port)) : 0)
  setInterval(() => {
    decoder.flush()
    const slot = folder.seal(systemClock.now())
    detector?.postMessage(slot, slotBuffers(slot))
    const { counters, streams } = decoder
    const received = ingestSamples({ counters, streams: streams.list, socketDrops: drops() })
    // All collectors watch the same: samples are summed, so one tells.
    const samples = [...received, ...folder.samples(), ...(data.first ? watched : [])]
    say({ type: 'samples', samples, lastDatagramMs })
  }, sealEveryMs)
}

function boundTo(listener: DatagramSocket) {
  const { address, port } = listener.bound
  return { host: address, port, receiveBufferBytes: listener.receiveBufferBytes }
}

if (parentPort !== null) await run(parentPort, workerData)

// Entry of a collector thread: sockets -> decoder -> folder, and once a second a sealed slot to the detector. Nothing here waits.
import { type MessagePort, parentPort, workerData } from 'node:worker_threads'
import { Folder } from '../../aggregate/folder.ts'
import { systemClock } from '../../clock.ts'
import { UdpListener } from '../../collect/udp-listener.ts'
import { Decoder } from '../../decode/decoder.ts'
import { compileWatchList } from '../../targets/watch-list.ts'
import { type CollectorData, type FromCollector, slotBuffers, type ToCollector } from '../messages.ts'

const sealEveryMs = 1000

async function run(parent: MessagePort, { ingest, shared }: CollectorData): Promise<void> {
  const folder = new Folder()
  const decoder = new Decoder({ sink: (batch) => folder.fold(batch) })
  let detector: MessagePort | null = null

  parent.on('message', (message: ToCollector) => {
    if (message.type === 'watch') folder.setWatchList(compileWatchList(message.ranges))
    else detector = message.port
  })
}

if (parentPort !== null) await run(parentPort, workerData)

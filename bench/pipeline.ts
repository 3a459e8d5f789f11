// What a flow costs from the datagram in memory to the sealed slot: decoding, the watch list, counters, the log of records. What is not in it is
// the kernel's and the system call's part; bench/peers.ts has that. Run: node bench/pipeline.ts [PERCENT OF FLOWS FOR WATCHED ADDRESSES]
import { compileWatchList } from '../src/aggregate/watch-list.ts'
import { ManualClock } from '../src/clock.ts'
import { lastAddress, parsePrefix } from '../src/net/prefix.ts'
import { Ingest } from '../src/pipeline/ingest.ts'
import { type Export, makeExport, protocols, watchedNetworks } from './peers/datagrams.ts'

const watchedPercent = Number(process.argv[2] ?? 10)
/** A slot's worth of flows, sealed again and again. */
const flowsPerSlot = 200_000
const slots = 25

function pipeline() {
  const clock = new ManualClock(Date.now())
  const ingest = new Ingest({ clock })
  const ranges = watchedNetworks.flatMap((network) => {
    const prefix = parsePrefix(network)
    return prefix === null ? [] : [prefix.network, lastAddress(prefix)]
  })
  ingest.setWatchList(compileWatchList(Uint32Array.from(ranges)))
  return { clock, ingest }
}

/** Nanoseconds a flow: the median of the slots after the first ten, in which the loops were compiled. */
function run({ flowsPerDatagram, templates, datagrams, stamp }: Export): { nanoseconds: number; folded: number } {
  const { clock, ingest } = pipeline()
  const from = { address: '127.0.0.1', port: 9_999, receivedMs: clock.now() }
  const viewOf = ({ buffer, byteOffset, byteLength }: Uint8Array) => new DataView(buffer, byteOffset, byteLength)
  if (templates !== null) ingest.receive(viewOf(templates), from)
  const times: number[] = []
  let at = 0
  for (let slot = 0; slot < slots; slot++) {
    const receivedMs = Date.now()
    clock.set(receivedMs)
    const work: DataView[] = []
    for (let flows = 0; flows < flowsPerSlot; flows += flowsPerDatagram, at++) {
      // Each is stamped just once a round: sequence numbers are of no weight here.
      const datagram = datagrams[at % datagrams.length]
      if (slot === 0) stamp(datagram, { at, flows })
      work.push(viewOf(datagram))
    }
    const startMs = performance.now()
    for (const view of work) ingest.receive(view, { ...from, receivedMs })
    ingest.seal(receivedMs + 1_000)
    times.push(((performance.now() - startMs) * 1e6) / (work.length * flowsPerDatagram))
  }
  const settled = times.slice(10).sort((a, b) => a - b)
  return { nanoseconds: settled[settled.length >> 1], folded: ingest.counted.folded }
}

if (!(watchedPercent >= 0 && watchedPercent <= 100)) throw new Error('give a percentage of flows, 0 to 100')
console.log(`${watchedPercent} % of the flows are for watched addresses`)
for (const protocol of protocols) {
  const { nanoseconds, folded } = run(makeExport(protocol, watchedPercent))
  console.log(`${protocol.padEnd(12)} ${nanoseconds.toFixed(0).padStart(5)} ns a flow, ${folded} counted`)
}

// Sends NetFlow v5 to a port of this machine, at a given pace and for a given time: ordinary traffic of many sources to watched and
// unwatched addresses, and a SYN flood of one site. Everything is encoded before; only the header's time and sequence number change.
// Run: node bench/load/flow-sender.ts PORT FLOWS_PER_SECOND SECONDS [ENGINE_ID]
import { createSocket, type Socket } from 'node:dgram'
import { once } from 'node:events'
import { setTimeout as delay } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { formatIpv4 } from '../../src/net/ipv4.ts'
import { type Flow, fullFlow } from '../../test/helpers/encode/flow.ts'
import { encodeNetflow5 } from '../../test/helpers/encode/netflow5.ts'
import { createRandom } from '../../test/helpers/random.ts'
import { paced } from './paced.ts'

export interface Sent {
  datagrams: number
  flows: number
  /** From the first datagram to the last. */
  seconds: number
}

const recordsPerDatagram = 30
const datagramsMade = 1_000
const secondsMax = 600
/** Datagrams that may wait in this process for the kernel. */
const waitingMax = 200

/** RFC 2544's networks: ten /24 and ninety addresses, a hundred sites. */
export const sites: readonly string[] = [
  ...Array.from({ length: 10 }, (_, i) => `198.18.${i}.0/24`),
  ...Array.from({ length: 90 }, (_, i) => `198.19.0.${i + 1}`),
]
const victim = '198.19.0.1'

/** Five flows of a hundred are of the flood, 45 for watched addresses, 50 for others. */
export function makeFlows(count: number, nowMs: number): Flow[] {
  const random = createRandom(1)
  return Array.from({ length: count }, () => {
    const kind = random(100)
    const src = formatIpv4(0x0b00_0000 + random(0x7300_0000))
    if (kind < 5) {
      return { ...fullFlow({ src, dst: victim, ipProto: 6, tcpFlags: 2, bytes: 60 }, nowMs), dstPort: 443 }
    }
    const dst = kind < 50 ? watched(random) : formatIpv4(0x8000_0000 + random(0x4000_0000))
    const endMs = nowMs - random(1_000)
    const isTcp = random(4) > 0
    return {
      src,
      dst,
      srcPort: 1_024 + random(64_000),
      dstPort: isTcp ? 443 : 33_000 + random(1_000),
      ipProto: isTcp ? 6 : 17,
      tcpFlags: isTcp ? 27 : 0,
      packets: 1 + random(20),
      bytes: 60 + random(20_000),
      startMs: endMs - random(20_000),
      endMs,
    }
  })
}

function watched(random: (below: number) => number): string {
  const at = random(100)
  return at < 10 ? formatIpv4(0xc612_0000 + at * 256 + random(256)) : formatIpv4(0xc613_0000 + at - 9)
}

function makeDatagrams(engineId: number): DataView[] {
  const nowMs = Date.now()
  const flows = makeFlows(datagramsMade * recordsPerDatagram, nowMs)
  return encodeNetflow5(flows, { nowMs, engineId }).map(
    ({ buffer, byteOffset, byteLength }) => new DataView(buffer, byteOffset, byteLength),
  )
}

/** As if exported now: the times of the records are relative to the header's. */
function stamp(datagram: DataView, sequence: number): void {
  const nowMs = Date.now()
  datagram.setUint32(8, Math.floor(nowMs / 1000))
  datagram.setUint32(12, (nowMs % 1000) * 1e6)
  datagram.setUint32(16, sequence % 2 ** 32)
}

async function connectTo(port: number): Promise<Socket> {
  const socket = createSocket({ type: 'udp4', sendBufferSize: 4 * 2 ** 20 })
  socket.connect(port, '127.0.0.1')
  await once(socket, 'connect')
  return socket
}

async function send(to: { port: number; flowsPerSecond: number; seconds: number; engineId: number }): Promise<Sent> {
  const socket = await connectTo(to.port)
  const datagrams = makeDatagrams(to.engineId)
  let waiting = 0
  const { sent, seconds } = await paced(
    { perSecond: to.flowsPerSecond / recordsPerDatagram, seconds: to.seconds },
    (index) => {
      const datagram = datagrams[index % datagrams.length]
      stamp(datagram, index * recordsPerDatagram)
      waiting++
      socket.send(datagram, (error) => {
        if (error) throw error
        waiting--
      })
    },
    () => waiting >= waitingMax,
  )
  while (waiting > 0) await delay(1)
  socket.close()
  return { datagrams: sent, flows: sent * recordsPerDatagram, seconds }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const [port, flowsPerSecond, seconds, engineId = 1] = process.argv.slice(2).map(Number)
  const sent = await send({ port, flowsPerSecond, seconds: Math.min(seconds, secondsMax), engineId })
  if (process.send) process.send(sent)
  else console.log(sent)
  process.disconnect?.()
}

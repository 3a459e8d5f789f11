// Flows sent to a running service, as NetFlow v5.
import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import { setTimeout as delay } from 'node:timers/promises'
import { formatIpv4 } from '../../src/net/ipv4.ts'
import type { Flow } from './encode/flow.ts'
import { Exporter } from './exporter.ts'

export interface FlowSender {
  send(flows: readonly Flow[]): Promise<void>
  /** Octets as they are. */
  sendRaw(datagram: Uint8Array): Promise<void>
  close(): Promise<void>
}

export interface SenderOptions {
  /** The sender's clock. */
  now?: () => number
  /** Its address. */
  from?: string
  /** 1 of how many packets; 0: it does not say. */
  samplingRate?: number
}

/** A service that is gone is no failure: to a router it makes no difference. */
export async function flowSender(
  to: { host: string; port: number },
  { now = Date.now, from = '127.0.0.1', samplingRate = 0 }: SenderOptions = {},
): Promise<FlowSender> {
  const socket = createSocket('udp4')
  socket.bind(0, from)
  await once(socket, 'listening')
  socket.connect(to.port, to.host)
  await once(socket, 'connect')
  socket.on('error', () => {})
  const exporter = new Exporter({ protocol: 'netflow5', samplingRate })
  const sendRaw = (datagram: Uint8Array) => new Promise<void>((resolve) => socket.send(datagram, () => resolve()))
  return {
    sendRaw,
    send: async (flows) => {
      for (const datagram of exporter.datagrams(flows, now())) await sendRaw(datagram)
    },
    close: async () => {
      socket.close()
      await once(socket, 'close')
    },
  }
}

/** SYNs of as many sources as there are records. */
export function synFlood(victim: string, records: number, packets = 1): Flow[] {
  return Array.from({ length: records }, (_, i) => ({
    src: formatIpv4(0x0b00_0000 + ((i * 2_654_435) % 0x0100_0000)),
    dst: victim,
    srcPort: 1_024 + i,
    dstPort: 443,
    ipProto: 6,
    tcpFlags: 2,
    packets,
    bytes: packets * 60,
  }))
}

/** Attacks the victim, with new flows every 200 ms, until `isDone` says so. */
export async function attackUntil(sender: FlowSender, victim: string, isDone: () => Promise<boolean>): Promise<void> {
  for (let round = 0; !(await isDone()); round++) {
    if (round > 150) throw new Error(`the attack on ${victim} has no effect`)
    await sender.send(synFlood(victim, 150, 10))
    await delay(200)
  }
}

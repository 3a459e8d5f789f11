// The one process that sends to every collector in turn; told by messages what to send (see bench/peers.ts).
import { createSocket, type Socket } from 'node:dgram'
import { once } from 'node:events'
import { paced } from '../load/paced.ts'
import { type Export, makeExport, type Protocol } from './datagrams.ts'

export type ToSender =
  | { type: 'open'; protocol: Protocol; port: number; watchedPercent: number }
  | { type: 'send'; flowsPerSecond: number; seconds: number }
  | { type: 'close' }

export interface FromSender {
  flows: number
  seconds: number
}

/** Octets that may wait in this process for the kernel. */
const waitingMax = 1_000_000

class Exporting {
  readonly #export: Export
  readonly #socket: Socket
  /** Datagrams, and records, so far. */
  #at = 0
  #flows = 0

  constructor(made: Export, socket: Socket) {
    this.#export = made
    this.#socket = socket
  }

  async send(flowsPerSecond: number, seconds: number): Promise<FromSender> {
    const { flowsPerDatagram, templates, datagrams } = this.#export
    const before = this.#flows
    const perSecond = flowsPerSecond / flowsPerDatagram
    if (templates !== null) this.#sendOne(templates, 1)
    const everySecond = Math.ceil(perSecond)
    const done = await paced(
      { perSecond, seconds },
      (index) => {
        if (templates !== null && index % everySecond === everySecond - 1) this.#sendOne(templates, 1)
        this.#sendOne(datagrams[index % datagrams.length], flowsPerDatagram)
      },
      () => this.#socket.getSendQueueSize() > waitingMax,
    )
    while (this.#socket.getSendQueueSize() > 0) await new Promise(setImmediate)
    const optionRecords = templates === null ? 0 : this.#flows - before - done.sent * flowsPerDatagram
    return { flows: this.#flows - before - optionRecords, seconds: done.seconds }
  }

  #sendOne(datagram: Uint8Array, records: number): void {
    this.#export.stamp(datagram, { at: this.#at++, flows: this.#flows })
    this.#flows += records
    this.#socket.send(datagram)
  }

  close(): void {
    this.#socket.close()
  }
}

async function connectTo(port: number): Promise<Socket> {
  const socket = createSocket({ type: 'udp4', sendBufferSize: 4 * 2 ** 20 })
  // A collector that ended refuses datagrams: what it counted tells.
  socket.on('error', () => {})
  socket.connect(port, '127.0.0.1')
  await once(socket, 'connect')
  return socket
}

const made = new Map<string, Export>()
let exporting: Exporting | null = null

async function take(message: ToSender): Promise<FromSender> {
  if (message.type === 'send') {
    if (exporting === null) throw new Error('nowhere to send to')
    return exporting.send(message.flowsPerSecond, message.seconds)
  }
  exporting?.close()
  exporting = null
  if (message.type === 'open') {
    const key = `${message.protocol} ${message.watchedPercent}`
    const known = made.get(key) ?? makeExport(message.protocol, message.watchedPercent)
    made.set(key, known)
    exporting = new Exporting(known, await connectTo(message.port))
  }
  return { flows: 0, seconds: 0 }
}

process.on('message', async (message: ToSender) => process.send?.(await take(message)))
process.on('disconnect', () => process.exit())

// Receives the datagrams of one UDP port without a copy, in the way that is cheapest on this system. It does not look into them.
import type { Clock } from '../../clock.ts'
import { BatchSocket } from './batch-socket.ts'
import { EventSocket } from './event-socket.ts'
import { loadLibc } from './libc.ts'
import type { ReadSchedule } from './read-schedule.ts'

export interface Sender {
  address: string
  port: number
}

export interface SocketOptions {
  host: string
  port: number
  receiveBufferBytes: number
  /** Whether several sockets, one a thread, share the port. */
  reusePort: boolean
  clock: Clock
  /** The schedule of the thread's sockets, where these are read by schedule. */
  schedule: ReadSchedule
  /** Is given each datagram. `receivedMs`: the time of reading, Unix milliseconds. The view is valid until this returns. */
  onDatagram: (datagram: DataView, from: Sender, receivedMs: number) => void
  /** The socket failed while it was open. */
  onError: (error: Error) => void
}

export interface DatagramSocket {
  /** Resolves when the port is bound; rejects when it can't be. */
  start(): Promise<void>
  stop(): void
  readonly bound: Sender
  /** Size of the receive buffer as granted, bytes: Linux grants twice what was requested, its own bookkeeping included. */
  readonly receiveBufferBytes: number
}

/** A socket that is not open yet. */
export async function createListener(options: SocketOptions): Promise<DatagramSocket> {
  const libc = await loadLibc()
  return libc === null ? new EventSocket(options) : new BatchSocket(libc, options)
}

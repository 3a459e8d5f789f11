// Loaded into every thread of a service that is to be broken: when the file of the environment names a fault, the thread that it is about has it for good.
import { existsSync, readdirSync, readFileSync, readlinkSync } from 'node:fs'
import { parentPort, threadName } from 'node:worker_threads'
import koffi from 'koffi'

export type Fault = 'detector-stuck' | 'collector-stuck' | 'socket-dead' | 'list-lost'

const lookEveryMs = 50

/** Which thread has which fault, and how. */
const faults: Readonly<Record<Fault, { thread: string; strike: () => void }>> = {
  'detector-stuck': { thread: 'detector', strike: stick },
  'collector-stuck': { thread: 'collector-0', strike: stick },
  'socket-dead': { thread: 'collector-0', strike: deafen },
  'list-lost': { thread: 'collector-0', strike: dropLists },
}

/** The thread never goes on, once what it has written is out. */
function stick(): void {
  setTimeout(() => Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0), 200)
}

/** Connects one of the sockets for flows to an address that nobody sends from: the kernel passes nothing else to it, and nothing tells the service. */
function deafen(): void {
  const connect = koffi.load('libc.so.6').func('int connect(int fd, void *address, uint length)')
  // struct sockaddr_in: AF_INET, port 9, 127.0.0.9.
  const address = Buffer.from([2, 0, 0, 9, 127, 0, 0, 9, 0, 0, 0, 0, 0, 0, 0, 0])
  const [, ...udp] = readFileSync('/proc/self/net/udp', 'utf8').trim().split('\n')
  const inodes = new Set(udp.map((line) => line.trim().split(/\s+/)[9]))
  const sockets = readdirSync('/proc/self/fd').filter((fd) => {
    const inode = /^socket:\[(\d+)\]$/.exec(linkOf(fd))?.[1]
    return inode !== undefined && inodes.has(inode)
  })
  const status = connect(Number(sockets.at(-1)), address, address.length)
  if (status !== 0) throw new Error(`connect: ${status}`)
}

function linkOf(fd: string): string {
  try {
    return readlinkSync(`/proc/self/fd/${fd}`)
  } catch {
    return ''
  }
}

/** Lists of addresses do not arrive any more: what the collector listens with is given the other messages alone. */
function dropLists(): void {
  dropped.lists = true
}

const dropped = { lists: false }
const isList = (message: unknown) =>
  typeof message === 'object' && message !== null && 'type' in message && message.type === 'watch'

if (parentPort !== null && threadName === 'collector-0') {
  const port = parentPort
  const on = port.on.bind(port)
  port.on = ((name: string, listener: (message: unknown) => void) =>
    on(name, (message: unknown) => {
      if (!isList(message) || !dropped.lists) listener(message)
    })) as typeof port.on
}

function faultNow(): string {
  const file = process.env.FAULT_FILE
  return file !== undefined && existsSync(file) ? readFileSync(file, 'utf8') : ''
}

const timer = setInterval(() => {
  const name = faultNow()
  const fault = Object.entries(faults).find(([known, { thread }]) => known === name && thread === threadName)?.[1]
  if (fault === undefined) return
  clearInterval(timer)
  fault.strike()
  process.stderr.write(`fault: ${name}\n`)
}, lookEveryMs).unref()

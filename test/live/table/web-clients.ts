// Clients of a web server, in the attacker's namespace: visitors, a flood of requests, and connections that are hardly used. Real connections, which
// packets that are only replayed can't be. Run: node web-clients.ts JSON, with the target, the time and what they do.
import { connect, type Socket } from 'node:net'
import { fileURLToPath } from 'node:url'

export type Clients =
  /** One request for each connection, at a rate. */
  | { clients: 'requests'; perSecond: number }
  /** A number of connections that stay open, each with a piece of a request at an interval. */
  | { clients: 'held'; connections: number; everySeconds: number }
  /** A number of connections, each given up after a time, and then made again. */
  | { clients: 'reconnecting'; connections: number; everySeconds: number }

export interface Visit {
  target: string
  seconds: number
  /** The first three octets of their addresses. */
  network: string
  sources: number
  what: Clients
}

export const clientsFile = fileURLToPath(import.meta.url)
const port = 80
/** As long as those of browsers are. */
const headers = `User-Agent: ${'Mozilla/5.0 '.repeat(10)}\r\nAccept: ${'text/html,'.repeat(12)}\r\nCookie: s=${'0'.repeat(200)}\r\n`

/** What is due is made in small steps. Where the machine was busy it does not come in a burst afterwards: it is not made at all. */
const stepMs = 20
const stepsAtOnce = 4

class Pace {
  readonly #perSecond: number
  readonly #most: number
  #made = 0
  #atMs = Date.now()
  /** The part of the next one that is due. */
  #part = 0

  constructor(perSecond: number, most: number) {
    this.#perSecond = perSecond
    this.#most = most
  }

  /** How many are to be made now. */
  step(): number {
    const passedMs = Math.min(Date.now() - this.#atMs, stepsAtOnce * stepMs)
    this.#atMs = Date.now()
    this.#part += (passedMs * this.#perSecond) / 1_000
    const due = Math.min(Math.floor(this.#part), this.#most - this.#made)
    this.#part -= Math.floor(this.#part)
    this.#made += due
    return due
  }
}

function perSecondOf(what: Clients): number {
  if (what.clients === 'requests') return what.perSecond
  return what.connections / (what.clients === 'held' ? 10 : what.everySeconds)
}

function visit({ target, seconds, network, sources, what }: Visit): void {
  const endMs = Date.now() + seconds * 1_000
  const open = new Set<Socket>()
  let made = 0
  const dial = (onOpen: (socket: Socket) => void) => {
    const localAddress = `${network}.${1 + (made++ % sources)}`
    const socket = connect({ host: target, port, localAddress })
    open.add(socket)
    socket.on('connect', () => onOpen(socket))
    socket.on('error', () => socket.destroy())
    socket.on('close', () => open.delete(socket))
    socket.on('data', () => {})
    return socket
  }
  const request = () =>
    dial((socket) => socket.write(`GET /?${made} HTTP/1.1\r\nHost: www.example\r\nConnection: close\r\n${headers}\r\n`))
  /** A line of a header now, and another one each time. */
  const slow = (everySeconds: number) =>
    dial((socket) => {
      socket.write('GET / HTTP/1.1\r\nHost: www.example\r\n')
      const timer = setInterval(() => socket.write(`X-${made}: ${Date.now()}\r\n`), everySeconds * 1_000)
      socket.on('close', () => clearInterval(timer))
    })
  const pace = new Pace(perSecondOf(what), what.clients === 'held' ? what.connections : Number.POSITIVE_INFINITY)
  const timer = setInterval(() => {
    if (Date.now() >= endMs) {
      clearInterval(timer)
      for (const socket of open) socket.destroy()
      return
    }
    for (let due = pace.step(); due > 0; due--) {
      if (what.clients === 'requests') request()
      else if (what.clients === 'held') slow(what.everySeconds)
      else {
        const socket = slow(what.everySeconds)
        setTimeout(() => socket.destroy(), what.everySeconds * 1_000).unref()
      }
    }
  }, stepMs)
}

if (process.argv[1] === clientsFile) visit(JSON.parse(process.argv[2]))

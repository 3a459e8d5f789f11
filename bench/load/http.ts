// Load on an HTTP server, as fast as it answers or at a given pace, over connections that are kept.
import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { setTimeout as delay } from 'node:timers/promises'

export interface Load {
  port: number
  /** The whole request, as it goes over the wire; of several, one after the other. */
  request: string | readonly string[]
  connections: number
  seconds: number
  /** The pace of all connections together. Without it each connection sends when the answer to the request before is complete. */
  requestsPerSecond?: number
}

export interface LoadOutcome {
  /** Ascending. Of a request that had to wait for a free connection: from when it was due. */
  latenciesMs: number[]
  /** Answers by status. */
  statuses: Map<number, number>
}

export async function httpLoad({ port, request, connections, seconds, requestsPerSecond }: Load): Promise<LoadOutcome> {
  const latenciesMs: number[] = []
  const statuses = new Map<number, number>()
  const beganMs = performance.now()
  const endMs = beganMs + seconds * 1000
  let requests = 0
  const nextDueMs = () => {
    const number = requests++
    return requestsPerSecond === undefined ? performance.now() : beganMs + (number * 1000) / requestsPerSecond
  }
  const wires = [request].flat()
  const drive = async () => {
    const connection = await Connection.open(port)
    for (let dueMs = nextDueMs(); dueMs < endMs; dueMs = nextDueMs()) {
      const wire = wires[(requests - 1) % wires.length]
      const waitMs = dueMs - performance.now()
      if (waitMs > 0) await delay(waitMs)
      // Timers are late by up to a millisecond or two: that is not the server's.
      const sinceMs = waitMs > 0 ? performance.now() : dueMs
      const status = await connection.exchange(wire)
      latenciesMs.push(performance.now() - sinceMs)
      statuses.set(status, (statuses.get(status) ?? 0) + 1)
    }
    connection.close()
  }
  await Promise.all(Array.from({ length: connections }, drive))
  return { latenciesMs: latenciesMs.sort((a, b) => a - b), statuses }
}

/** `share`: 0.99 for the 99th percentile. */
export function percentile(ascending: readonly number[], share: number): number {
  return ascending[Math.floor((ascending.length - 1) * share)] ?? Number.NaN
}

class Connection {
  readonly #socket: Socket
  readonly #answer = new AnswerEnd()
  #waiting = Promise.withResolvers<number>()

  private constructor(socket: Socket) {
    this.#socket = socket
    socket.setNoDelay(true)
    socket.on('data', (chunk) => {
      if (this.#answer.isComplete(chunk)) this.#waiting.resolve(this.#answer.status)
    })
    socket.on('error', (error) => this.#waiting.reject(error))
    socket.on('close', () => this.#waiting.reject(new Error('the server closed the connection')))
  }

  static async open(port: number): Promise<Connection> {
    const socket = connect(port, '127.0.0.1')
    await once(socket, 'connect')
    return new Connection(socket)
  }

  /** The status of the answer. */
  exchange(request: string): Promise<number> {
    this.#waiting = Promise.withResolvers()
    this.#socket.write(request)
    return this.#waiting.promise
  }

  close(): void {
    this.#waiting.promise.catch(() => {})
    this.#socket.destroy()
  }
}

/** Finds the end of an answer, by its length or by the last chunk. */
class AnswerEnd {
  #left: number | null = null
  #isChunked = false
  status = 0

  isComplete(chunk: Buffer): boolean {
    if (this.#left === null && !this.#isChunked) this.#readHead(chunk)
    if (this.#isChunked) {
      const isLast = chunk.subarray(-5).toString('latin1') === '0\r\n\r\n'
      if (isLast) this.#isChunked = false
      return isLast
    }
    this.#left = (this.#left ?? 0) - chunk.length
    if (this.#left > 0) return false
    this.#left = null
    return true
  }

  #readHead(chunk: Buffer): void {
    const end = chunk.indexOf('\r\n\r\n')
    const head = chunk.toString('latin1', 0, end)
    this.status = Number(head.slice(9, 12))
    const length = /content-length: (\d+)/i.exec(head)
    if (length === null) this.#isChunked = true
    else this.#left = Number(length[1]) + end + 4
  }
}

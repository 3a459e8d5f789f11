// Where dnstap comes in: unix sockets and TCP, a bounded number of connections, and what is counted of them and of their frames.
import { chmodSync, lstatSync, unlinkSync } from 'node:fs'
import { BlockList, connect, Server, type Socket } from 'node:net'
import type { Clock } from '../../clock.ts'
import { AppError } from '../../errors.ts'
import { type Logger, LogThrottle } from '../../log.ts'
import { parseAddressRange } from '../../net/address-range.ts'
import { formatListen, parseListen } from '../../net/listen.ts'
import type { ObservedAnswer } from '../observe/observed-names.ts'
import { readTold } from './answers.ts'
import { DnstapConnection } from './connection.ts'
import { readDnstap } from './message.ts'
import { Sensors } from './sensors.ts'
import type { DnstapSettings } from './settings.ts'

/** Who is told what names lead to: see `Names`. */
export interface Observer {
  wants(name: string): boolean
  /** Gives how many addresses were taken. */
  observe(told: ObservedAnswer): number
}

export interface DnstapOptions {
  settings: DnstapSettings
  clock: Clock
  log: Logger
  observer: Observer
  handshakeMs?: number
  idleMs?: number
}

const connectionsMax = 64
/** Read in a second, of all senders: they share a thread with the interface. A frame costs two or three microseconds, an answer about ten. */
const framesPerSecondMax = 50_000
const answersPerSecondMax = 10_000
const handshakeMs = 10_000
const idleMs = 3_600_000
/** Its user and group may send. */
const socketMode = 0o660

export class DnstapListener {
  readonly sensors = new Sensors()
  readonly counts = {
    frames: 0,
    /** Answers about names of sites. */
    answers: 0,
    /** Addresses that answers confirmed. */
    addresses: 0,
  }
  /** Connections and frames turned away. */
  readonly refused = {
    sender: 0,
    connections: 0,
    handshake: 0,
    idle: 0,
    protocol: 0,
    frame_length: 0,
    frames: 0,
    answers: 0,
    broken: 0,
    sensors: 0,
  }
  readonly #options: DnstapOptions
  readonly #throttle = new LogThrottle()
  readonly #senders: BlockList
  readonly #servers: Server[] = []
  readonly #connections = new Set<DnstapConnection>()
  readonly #frameBudget = new Budget(framesPerSecondMax)
  readonly #answerBudget = new Budget(answersPerSecondMax)

  constructor(options: DnstapOptions) {
    this.#options = options
    this.#senders = blockListOf(options.settings.senders)
  }

  get connections(): number {
    return this.#connections.size
  }

  /** Where it listens, as bound. */
  get listeners(): string[] {
    return this.#servers.map((server) => {
      const bound = server.address()
      if (bound === null || typeof bound === 'string') return bound ?? ''
      return formatListen({ host: bound.address, port: bound.port })
    })
  }

  /** Rejects when a place can't be had. */
  async start(): Promise<void> {
    for (const place of this.#options.settings.listen) await this.#listen(place)
  }

  /** The servers take their unix sockets away. */
  async stop(): Promise<void> {
    const closed = this.#servers.map((server) => new Promise((resolve) => server.close(resolve)))
    for (const connection of this.#connections) connection.close()
    await Promise.all(closed)
  }

  async #listen(place: string): Promise<void> {
    const isPath = place.startsWith('/')
    if (isPath) await removeLeftover(place)
    const server = new Server((socket) => this.#accept(socket, isPath ? place : null))
    await new Promise<void>((resolve, reject) => {
      server.on('error', (error) => {
        // One that listens goes on: it could not accept a connection.
        if (server.listening) this.#options.log.error({ err: error, place }, 'a dnstap connection failed')
        else reject(isPath ? pathError(place, error) : error)
      })
      server.listen(isPath ? { path: place } : parseListen(place), resolve)
    })
    this.#servers.push(server)
    if (isPath) chmodSync(place, socketMode)
  }

  /** `path`: of the unix socket; null: TCP. */
  #accept(socket: Socket, path: string | null): void {
    const peer = path ?? socket.remoteAddress ?? ''
    const reason =
      path === null && !this.#maySend(peer) ? 'sender' : this.#connections.size >= connectionsMax ? 'connections' : null
    if (reason !== null) {
      socket.on('error', () => {})
      socket.destroy()
      this.#refuse(reason, peer)
      return
    }
    const connection = new DnstapConnection(socket, {
      handshakeMs: this.#options.handshakeMs ?? handshakeMs,
      idleMs: this.#options.idleMs ?? idleMs,
      onFrame: (frame) => this.#take(frame, peer),
      onClose: (closed) => {
        this.#connections.delete(connection)
        if (closed !== null) this.#refuse(closed, peer)
      },
    })
    this.#connections.add(connection)
  }

  #maySend(address: string): boolean {
    const bare = address.replace(/%.*$/, '')
    return this.#senders.check(bare, bare.includes(':') ? 'ipv6' : 'ipv4')
  }

  #take(frame: Buffer, peer: string): void {
    const { clock, observer } = this.#options
    const nowMs = clock.now()
    this.counts.frames++
    if (!this.#frameBudget.take(nowMs)) {
      this.refused.frames++
      return
    }
    const message = readDnstap(frame)
    if (message.kind === 'broken') this.#refuse('broken', peer)
    if (message.kind !== 'response') return
    const sensor = message.identity === '' ? peer : message.identity
    if (!this.sensors.note(sensor, nowMs)) this.refused.sensors++
    const isWanted = (name: string) => {
      if (!observer.wants(name)) return false
      if (this.#answerBudget.take(nowMs)) return true
      this.refused.answers++
      return false
    }
    const answer = readTold(message, isWanted)
    if (answer.kind === 'broken') this.#refuse('broken', peer)
    if (answer.kind !== 'told') return
    this.counts.answers++
    this.counts.addresses += observer.observe({ ...answer.told, source: 'dnstap', sensor })
  }

  #refuse(reason: keyof DnstapListener['refused'], peer: string): void {
    this.refused[reason]++
    const heldBack = this.#throttle.pass(reason, this.#options.clock.now())
    if (heldBack !== null) this.#options.log.warn({ reason, peer, heldBack }, 'dnstap was turned away')
  }
}

/** Lets at most `perSecondMax` pass in each second of the clock. */
class Budget {
  readonly #perSecondMax: number
  #second = 0
  #taken = 0

  constructor(perSecondMax: number) {
    this.#perSecondMax = perSecondMax
  }

  take(nowMs: number): boolean {
    const second = Math.floor(nowMs / 1_000)
    if (second !== this.#second) {
      this.#second = second
      this.#taken = 0
    }
    return ++this.#taken <= this.#perSecondMax
  }
}

/** A socket that an earlier process left behind is in the way; one that somebody listens at stays. */
async function removeLeftover(path: string): Promise<void> {
  const code = await new Promise<string>((resolve) => {
    const socket = connect(path, () => {
      socket.destroy()
      resolve('')
    })
    socket.on('error', (error: NodeJS.ErrnoException) => resolve(error.code ?? ''))
  })
  if (code === '') throw new AppError('CONFLICT', `dnstap cannot listen at ${path}: somebody does already`)
  if (code === 'ECONNREFUSED' && lstatSync(path).isSocket()) unlinkSync(path)
}

function pathError(path: string, error: NodeJS.ErrnoException): Error {
  const reasons: Readonly<Record<string, string>> = {
    // Also where the directory is not there.
    EACCES: 'its directory is not there, or not writable',
    EADDRINUSE: 'a file is in the way',
  }
  const reason = reasons[error.code ?? '']
  if (reason === undefined) return error
  return new AppError('CONFLICT', `dnstap cannot listen at ${path}: ${reason}`, { cause: error })
}

/** The settings' schema has checked the entries. */
function blockListOf(entries: readonly string[]): BlockList {
  const list = new BlockList()
  for (const entry of entries.map(parseAddressRange)) {
    if (entry === null) continue
    if (entry.length === null) list.addAddress(entry.address, entry.family)
    else list.addSubnet(entry.address, entry.length, entry.family)
  }
  return list
}

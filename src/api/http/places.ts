// How many connections there may be, and which gives way when there are as many: one of the address that has most, idle ones first. What callers who are
// known have asked over, and what comes from a trusted proxy, gives way to no stranger; for this machine some are kept free.
import { BlockList, isIPv6, type Socket } from 'node:net'
import type { Clock } from '../../clock.ts'
import { type Crowding, FairTable, type Place } from '../../fair-table.ts'
import { addressBlock, isLoopback, partyBlocks } from '../../net/address-block.ts'
import type { HttpSettings } from '../settings.ts'

/** Connections for this machine alone, when all others are taken: for who looks after the service. */
const reserved = 16
/** Beyond all places: those that gave way are still being closed. */
export const surplus = 1_024
/** The part of all places that strangers can't have taken. */
const knownShare = 0.5
/** Without a request for as long, a connection of a known caller is not missed, milliseconds. */
const idleMs = 60_000

interface Held {
  socket: Socket
  table: FairTable<Held>
  place: Place<Held> | null
}

export class ConnectionPlaces {
  readonly #clock: Clock
  readonly #proxies: BlockList
  readonly #max: number
  readonly #places: FairTable<Held>
  readonly #reserve: FairTable<Held>
  readonly #held = new WeakMap<Socket, Held>()
  gaveWay = 0

  constructor({ settings, clock }: { settings: HttpSettings; clock: Clock }) {
    this.#clock = clock
    this.#max = settings.connectionsMax
    this.#proxies = proxiesOf(settings.trustedProxies)
    const onGiveWay = ({ socket }: Held) => {
      this.gaveWay++
      socket.destroy()
    }
    const provenMax = Math.floor(settings.connectionsMax * knownShare)
    this.#places = new FairTable({ max: settings.connectionsMax, provenMax, idleMs, onGiveWay })
    this.#reserve = new FairTable({ max: reserved, onGiveWay })
  }

  /** A connection that was made. */
  take(socket: Socket): void {
    const address = socket.remoteAddress ?? ''
    const table = isLoopback(address) && this.#places.size >= this.#max ? this.#reserve : this.#places
    const held: Held = { socket, table, place: null }
    held.place = table.take(held, { holder: addressBlock(address, partyBlocks), nowMs: this.#clock.now() })
    if (held.place === null) {
      this.gaveWay++
      socket.destroy()
      return
    }
    this.#held.set(socket, held)
    if (this.#proxies.check(address, isIPv6(address) ? 'ipv6' : 'ipv4')) table.prove(held.place, this.#clock.now())
    socket.once('close', () => {
      if (held.place !== null) table.leave(held.place)
    })
  }

  /** A request has begun: idle ones give way before it. */
  noteBusy(socket: Socket): void {
    const held = this.#held.get(socket)
    if (held?.place) held.table.touch(held.place, this.#clock.now())
  }

  /** Every request is answered: it is as one that has asked nothing. */
  noteIdle(socket: Socket): void {
    const held = this.#held.get(socket)
    if (!held?.place || held.place.isProven || socket.destroyed) return
    const { holder } = held.place
    held.table.leave(held.place)
    held.place = held.table.take(held, { holder, nowMs: this.#clock.now() })
  }

  /** A caller who is known has asked something over it. */
  noteKnown(socket: Socket): void {
    const held = this.#held.get(socket)
    if (held?.place) held.table.prove(held.place, this.#clock.now())
  }

  /** What gave way here makes no attack go unseen. */
  crowding(): Crowding {
    return { ...this.#places.crowding(), provenGaveWay: 0 }
  }
}

/** Words for ranges of addresses that the server knows, too. */
const ranges: Readonly<Record<string, readonly string[]>> = {
  loopback: ['127.0.0.0/8', '::1/128'],
  linklocal: ['169.254.0.0/16', 'fe80::/10'],
  uniquelocal: ['10.0.0.0/8', '172.16.0.0/12', '192.168.0.0/16', 'fc00::/7'],
}

function proxiesOf(texts: readonly string[]): BlockList {
  const list = new BlockList()
  for (const text of texts.flatMap((each) => ranges[each] ?? [each])) {
    const [address, length] = text.split('/')
    const family = isIPv6(address) ? 'ipv6' : 'ipv4'
    // The server has refused what is neither an address nor a range.
    list.addSubnet(address, length === undefined ? (family === 'ipv6' ? 128 : 32) : Number(length), family)
  }
  return list
}

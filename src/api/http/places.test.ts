import assert from 'node:assert/strict'
import { Socket } from 'node:net'
import { afterEach, beforeEach, describe, it } from 'node:test'
import { Value } from 'typebox/value'
import { ManualClock } from '../../clock.ts'
import { type HttpSettings, httpSettings } from '../settings.ts'
import { ConnectionPlaces } from './places.ts'

const max = 100
let clock: ManualClock
let places: ConnectionPlaces
const sockets: Socket[] = []

beforeEach(() => {
  clock = new ManualClock(1e12)
  const trustedProxies = ['192.0.2.0/28', '2001:db8::1', 'uniquelocal']
  const settings: HttpSettings = Value.Parse(httpSettings, {
    ...Object(Value.Default(httpSettings, {})),
    connectionsMax: max,
    trustedProxies,
  })
  places = new ConnectionPlaces({ settings, clock })
})
afterEach(() => {
  for (const socket of sockets.splice(0)) socket.destroy()
})

function come(remoteAddress: string): Socket {
  clock.advance(1)
  const socket = new Socket()
  Object.defineProperty(socket, 'remoteAddress', { value: remoteAddress })
  sockets.push(socket)
  places.take(socket)
  return socket
}
const comeMany = (count: number, addressOf: (n: number) => string) =>
  Array.from({ length: count }, (_, n) => come(addressOf(n)))
const ask = (socket: Socket) => {
  clock.advance(1)
  places.noteBusy(socket)
}
const left = (all: readonly Socket[]) => all.filter(({ destroyed }) => !destroyed).length

describe('places of connections', () => {
  it('of the address that has most go to others, the one that was idle for longest first', () => {
    const one = come('198.51.100.9')
    const many = comeMany(max - 1, () => '198.51.100.2')
    for (const socket of many) ask(socket)
    for (const n of [7, 3]) places.noteIdle(many[n])
    comeMany(1, () => '198.51.100.3')
    assert.deepEqual([many[7].destroyed, left(many)], [true, max - 2])
    comeMany(1, () => '198.51.100.4')
    assert.deepEqual([many[3].destroyed, left(many)], [true, max - 3])
    // Among those that are being answered, the one that was asked longest ago.
    comeMany(1, () => '198.51.100.5')
    assert.equal(many[0].destroyed, true)
    assert.deepEqual([one.destroyed, places.gaveWay], [false, 3])
    assert.equal(places.crowding().holder, '198.51.100.2/32')
  })

  it('of an address that floods go to its own newcomers', () => {
    const others = comeMany(50, (n) => `198.51.100.${n}`)
    const flood = comeMany(2_005, (n) => `2001:db8:0:1::${n.toString(16)}`)
    assert.deepEqual([left(others), left(flood)], [50, 50])
    assert.equal(places.crowding().holder, '2001:db8:0:1::/64')
  })

  it('of known callers go to no stranger, however many addresses there are', () => {
    const known = comeMany(20, (n) => `203.0.113.${n}`)
    for (const socket of known) {
      places.noteKnown(socket)
      ask(socket)
      places.noteIdle(socket)
    }
    const strangers = comeMany(500, (n) => `198.51.${100 + (n >> 8)}.${n & 255}`)
    assert.deepEqual([left(known), left(strangers)], [20, 80])
  })

  it('of one known caller who has most of them go to other known callers', () => {
    const greedy = comeMany(max, () => '203.0.113.1')
    for (const socket of greedy) places.noteKnown(socket)
    const others = comeMany(20, (n) => `203.0.114.${n}`)
    for (const socket of others) places.noteKnown(socket)
    comeMany(500, (n) => `198.51.${100 + (n >> 8)}.${n & 255}`)
    assert.deepEqual([left(others), left(greedy)], [20, 30])
  })

  it('of trusted proxies go to no stranger', () => {
    const proxied = [
      ...comeMany(20, () => '::ffff:192.0.2.7'),
      ...comeMany(20, () => '2001:db8::1'),
      ...comeMany(5, () => '10.1.2.3'),
    ]
    const strangers = comeMany(300, (n) => `198.51.${100 + (n >> 8)}.${n & 255}`)
    assert.deepEqual([left(proxied), left(strangers)], [45, 55])
  })

  it('are left by connections that close, and some are kept for this machine', async () => {
    const all = comeMany(max, () => '198.51.100.2')
    const own = comeMany(17, () => '127.0.0.1')
    assert.deepEqual([left(all), left(own), own[0].destroyed], [max, 16, true])
    const closed = new Promise((resolve) => all[0].once('close', resolve))
    all[0].destroy()
    await closed
    assert.equal(come('198.51.100.9').destroyed, false)
    assert.deepEqual([left(all), places.gaveWay, places.crowding().provenGaveWay], [max - 1, 1, 0])
  })
})

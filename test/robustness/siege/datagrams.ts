// Floods of datagrams as rows: who sends what, how often. Each goes on for as long as the siege does.
import { createSocket, type Socket } from 'node:dgram'
import { once } from 'node:events'
import { encodeMessage } from '../../../src/encode/messages.ts'
import { recordOf, templateOf } from '../../helpers/encode/records.ts'
import { Exporter } from '../../helpers/exporter.ts'
import { createRandom } from '../../helpers/random.ts'
import { hostileMix } from '../exporters/hostile.ts'
import { crowdedAddress, quarrel, routerAddress } from './parties.ts'

interface Datagram {
  octets: Uint8Array
  /** Sender's address, on the loopback. */
  from: string
  /** Its port: any number that names a socket of the address; sockets are closed when there are too many. */
  socket: number
}

interface Flood {
  name: string
  perSecond: number
  next: (number: number) => Datagram
}

/** Most that are open at a time, of all floods together. */
const socketsMax = 400
const turnMs = 20
const templatesPerDatagram = 160
const recordsPerDatagram = 24

const random = createRandom(7)
const mix = hostileMix(random)
const templates = Array.from({ length: templatesPerDatagram }, (_, i) => templateOf(256 + i, [1, 4]))
const [template] = templates
const ipfix = (domain: number, parts = {}) => encodeMessage({ version: 10, nowMs: Date.now(), domain }, parts)
/** The router that sees what is sent to the tenant who has very many networks. */
const witness = new Exporter({ protocol: 'ipfix', domain: 99 })

const floods: readonly Flood[] = [
  {
    name: 'templates of made-up exporters',
    perSecond: 40,
    next: (i) => ({ octets: ipfix(i, { templates }), from: `127.66.${i % 250}.1`, socket: 0 }),
  },
  {
    name: 'empty messages, each of another domain',
    perSecond: 600,
    next: (i) => ({ octets: ipfix(i), from: '127.67.0.1', socket: 0 }),
  },
  {
    name: 'messages with a record of a template, each of another domain',
    perSecond: 300,
    next: (i) => ({
      octets: ipfix(i, { templates: [template], records: [recordOf(template, 1)] }),
      from: '127.68.0.1',
      socket: 0,
    }),
  },
  {
    name: 'ports and domains of the address of a router',
    perSecond: 300,
    next: (i) => ({ octets: ipfix(i, { templates: [template] }), from: routerAddress(0), socket: 1 + (i % 50) }),
  },
  {
    name: 'everything that no exporter should send',
    perSecond: 300,
    next: (i) => ({ octets: mix(), from: `127.69.${i % 60}.1`, socket: 0 }),
  },
  {
    name: 'traffic to every address of one tenant',
    perSecond: 100,
    next: (i) => ({
      octets: witness.datagrams(
        Array.from({ length: recordsPerDatagram }, (_, record) => ({
          src: '198.51.100.9',
          dst: crowdedAddress(i * recordsPerDatagram + record),
          bytes: 100,
        })),
        Date.now(),
      )[0],
      from: quarrel,
      socket: 0,
    }),
  },
]

/** Sends all of them to the port; gives how many datagrams were sent of each. */
export async function sendFloods(port: number, end: AbortSignal): Promise<Record<string, number>> {
  const sockets = new Map<string, Socket>()
  const socketOf = async ({ from, socket }: Datagram) => {
    const key = `${from} ${socket}`
    const known = sockets.get(key)
    if (known !== undefined) return known
    const opened = createSocket('udp4')
    opened.on('error', () => {})
    opened.bind(0, from)
    await once(opened, 'listening')
    sockets.set(key, opened)
    if (sockets.size > socketsMax) {
      const [oldest] = sockets.keys()
      sockets.get(oldest)?.close()
      sockets.delete(oldest)
    }
    return opened
  }
  const sent = Object.fromEntries(floods.map(({ name }) => [name, 0]))
  const beganMs = performance.now()
  while (!end.aborted) {
    const seconds = (performance.now() - beganMs) / 1_000
    for (const { name, perSecond, next } of floods) {
      // What a busy machine did not get to send is not made up for at once.
      const due = Math.min(Math.floor(seconds * perSecond), sent[name] + perSecond)
      while (sent[name] < due) {
        const datagram = next(sent[name]++)
        const socket = await socketOf(datagram)
        socket.send(datagram.octets, port, '127.0.0.1', () => {})
      }
    }
    await new Promise((resolve) => setTimeout(resolve, turnMs))
  }
  for (const socket of sockets.values()) socket.close()
  return sent
}

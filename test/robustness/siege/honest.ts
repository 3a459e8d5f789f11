// The honest side of the siege: routers that go on reporting, attacks on the sites of one user, who reads what the service has to say.
import { createSocket, type Socket } from 'node:dgram'
import { once } from 'node:events'
import { setTimeout as delay } from 'node:timers/promises'
import type { Flow } from '../../helpers/encode/flow.ts'
import { Exporter } from '../../helpers/exporter.ts'
import { synFlood } from '../../helpers/flows.ts'
import { routerAddress, routers, victim } from './parties.ts'
import type { Credentials } from './requests.ts'

/** Attacks begin as often, and last as long. */
export const attackEveryMs = 5_000
const attackMs = 3_000
const exportEveryMs = 250
const ordinaryEveryMs = 1_000
/** A read of each path as often. */
const readEveryMs = 1_000
const paths = ['/open/site', '/open/event/ddos', '/api/v1/overview', '/api/v1/events?limit=50', '/api/v1/status']

/** Routers that send their templates once, alternately in NetFlow v9 and in IPFIX. */
export class Routers {
  readonly #port: () => number
  readonly #routers: { address: string; exporter: Exporter; socket: Socket; sent: number }[] = []

  /** `port`: where the service expects flows now. */
  constructor(port: () => number) {
    this.#port = port
  }

  async start(): Promise<void> {
    for (let i = 0; i < routers; i++) {
      const socket = createSocket('udp4')
      socket.bind(0, routerAddress(i))
      await once(socket, 'listening')
      const protocol = i % 2 === 0 ? 'netflow9' : 'ipfix'
      const exporter = new Exporter({ protocol, domain: i, templateEvery: 1_000_000 })
      this.#routers.push({ address: routerAddress(i), exporter, socket, sent: 0 })
    }
  }

  stop(): void {
    for (const { socket } of this.#routers) socket.close()
  }

  send(number: number, flows: readonly Flow[]): void {
    const router = this.#routers[number % routers]
    for (const datagram of router.exporter.datagrams(flows, Date.now()))
      router.socket.send(datagram, this.#port(), '127.0.0.1', () => {})
    router.sent += flows.length
  }

  sendAll(flows: readonly Flow[]): void {
    for (let i = 0; i < routers; i++) this.send(i, flows)
  }

  /** Flows that each has sent, by address. */
  get sent(): Map<string, number> {
    return new Map(this.#routers.map(({ address, sent }) => [address, sent]))
  }

  forget(): void {
    for (const router of this.#routers) router.sent = 0
  }
}

/** When attacks were begun, and when the service listed an event of each. */
export class Attacks {
  readonly #began = new Map<string, number>()
  readonly #followed = Promise.withResolvers<void>()
  readonly #delays = new Map<string, number>()

  get begun(): number {
    return this.#began.size
  }

  /** Milliseconds from the first datagram of each attack to its event. */
  get delaysMs(): number[] {
    return [...this.#delays.values()].sort((a, b) => a - b)
  }

  /** Victims whose attack was not listed, those of the last seconds apart. */
  get missed(): string[] {
    return [...this.#began.keys()].filter((site) => !this.#delays.has(site))
  }

  /** Attacks one victim after the other, each as another router sees it, as soon as the stream is followed. */
  async run(routers: Routers, end: AbortSignal): Promise<void> {
    await this.#followed.promise
    for (let number = 0; !end.aborted; number++) {
      const site = victim(number)
      const nextMs = performance.now() + attackEveryMs
      const overMs = performance.now() + attackMs
      this.#began.set(site, performance.now())
      while (performance.now() < overMs) {
        routers.send(number, synFlood(site, 100, 50))
        await delay(exportEveryMs)
      }
      await delay(Math.max(0, nextMs - performance.now()))
    }
  }

  /** Follows the stream of events until it is ended. */
  async follow(url: string, { email, token }: Credentials, end: AbortSignal): Promise<void> {
    const headers = { 'X-SVC-AuthEmail': email, 'X-SVC-AuthToken': token }
    const answer = await fetch(`${url}/api/v1/stream`, { headers, signal: end })
    this.#followed.resolve()
    let text = ''
    const decoder = new TextDecoder()
    for await (const part of answer.body ?? []) {
      text += decoder.decode(part, { stream: true })
      const messages = text.split('\n\n')
      text = messages.pop() ?? ''
      for (const message of messages) {
        const id = /"id":"(\w+)","change":"made"/.exec(message)?.[1]
        if (id === undefined) continue
        const listedMs = performance.now()
        const report = await fetch(`${url}/api/v1/events/${id}`, { headers })
        const site = /"site":"([\d.]+)"/.exec(await report.text())?.[1] ?? ''
        const beganMs = this.#began.get(site)
        if (beganMs !== undefined && !this.#delays.has(site)) this.#delays.set(site, listedMs - beganMs)
      }
    }
  }
}

export async function reportOrdinary(routers: Routers, end: AbortSignal): Promise<void> {
  while (!end.aborted) {
    routers.sendAll([{ src: '198.51.100.1', dst: victim(0), bytes: 100 }])
    await delay(ordinaryEveryMs)
  }
}

/** One read of the honest user that was answered. */
export interface Read {
  path: string
  /** Milliseconds since the reads began. */
  atMs: number
  latencyMs: number
}

/** What became of the honest user's reads. */
export interface Reads {
  answered: Read[]
  /** Answers other than 200. */
  refused: string[]
}

/** Milliseconds, ascending. */
export function latenciesOf(reads: readonly Read[]): number[] {
  return reads.map(({ latencyMs }) => latencyMs).sort((a, b) => a - b)
}

/** Reads each path at a pace; gives how long each took. */
export async function read(url: string, { email, token }: Credentials, end: AbortSignal): Promise<Reads> {
  const headers = { 'X-SVC-AuthEmail': email, 'X-SVC-AuthToken': token }
  const answered: Read[] = []
  const refused: string[] = []
  const beginMs = performance.now()
  const readPath = async (path: string) => {
    while (!end.aborted) {
      const atMs = performance.now() - beginMs
      // A connection that is kept may be closed in the moment in which it is used again: whoever reads asks once more, as HTTP has it (RFC 9110 section 9.2.2).
      const ask = () => fetch(`${url}${path}`, { headers })
      const answer = await ask()
        .catch(ask)
        .catch((error: Error) => error)
      if (answer instanceof Error) refused.push(`${path}: ${answer.message}`)
      else {
        await answer.arrayBuffer()
        answered.push({ path, atMs, latencyMs: performance.now() - beginMs - atMs })
        if (answer.status !== 200) refused.push(`${path}: ${answer.status}`)
      }
      await delay(readEveryMs)
    }
  }
  await Promise.all(paths.map(readPath))
  return { answered, refused }
}

/** Answers of `/readyz` other than 200, with what they say. */
export async function watchReadiness(url: string, end: AbortSignal): Promise<string[]> {
  const unready: string[] = []
  while (!end.aborted) {
    const answer = await fetch(`${url}/readyz`).catch((error: Error) => error)
    if (answer instanceof Error) unready.push(answer.message)
    else if (answer.status !== 200) unready.push(`${answer.status} ${await answer.text()}`)
    else await answer.arrayBuffer()
    await delay(ordinaryEveryMs)
  }
  return unready
}

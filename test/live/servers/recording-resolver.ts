// A resolver between the service and a real one: it passes questions on, remembers what was answered when, and is hostile the while. Forged
// answers go before each real one, and lies about other names, and about the name itself in other sections, go along with it.
import { createSocket } from 'node:dgram'
import { connect, createServer, type Socket } from 'node:net'
import { type Answer, type DecodedPacket, decode, encode, streamEncode } from 'dns-packet'
import { rcodeOf } from '../../../src/names/resolve/answer.ts'
import { a, cname } from '../../helpers/servers/dns-server.ts'

export interface Answered {
  atMs: number
  name: string
  over: 'udp' | 'tcp'
  isTruncated: boolean
  rcode: number
  addresses: string[]
}

export class RecordingResolver {
  readonly answered: Answered[] = []
  port = 0
  readonly #upstreamPort: number
  /** Where nobody's name leads. */
  readonly #lie: string
  readonly #udp = createSocket('udp4')
  readonly #sockets = new Set<Socket>()
  readonly #tcp = createServer((socket) => {
    this.#sockets.add(socket)
    socket.on('error', () => {})
    socket.once('data', (question) => {
      const upstream = connect(this.#upstreamPort, '127.0.0.1', () => upstream.write(question))
      this.#sockets.add(upstream)
      let received = Buffer.alloc(0)
      upstream.on('error', () => socket.destroy())
      upstream.on('data', (data) => {
        received = Buffer.concat([received, data])
        if (received.length < 2 || received.length < 2 + received.readUInt16BE(0)) return
        const packet = decode(received.subarray(2))
        this.#record(packet, 'tcp')
        socket.end(streamEncode(this.#withLies(packet)))
        upstream.destroy()
      })
    })
  })

  constructor(upstreamPort: number, lie: string) {
    this.#upstreamPort = upstreamPort
    this.#lie = lie
  }

  async start(): Promise<this> {
    await new Promise<void>((resolve) => this.#tcp.listen(0, '127.0.0.1', resolve))
    const bound = this.#tcp.address()
    this.port = typeof bound === 'object' && bound !== null ? bound.port : 0
    await new Promise<void>((resolve) => this.#udp.bind(this.port, '127.0.0.1', resolve))
    this.#udp.on('message', (question, from) => {
      const upstream = createSocket('udp4')
      const giveUp = setTimeout(() => upstream.close(), 5_000)
      upstream.on('error', () => {})
      upstream.on('message', (message) => {
        clearTimeout(giveUp)
        upstream.close()
        const packet = decode(message)
        this.#record(packet, 'udp')
        for (const reply of [...this.#forged(packet), encode(this.#withLies(packet))]) {
          this.#udp.send(reply, from.port, from.address)
        }
      })
      upstream.send(question, this.#upstreamPort, '127.0.0.1')
    })
    return this
  }

  stop(): void {
    this.#udp.close()
    this.#tcp.close()
    for (const socket of this.#sockets) socket.destroy()
  }

  /** When the name was last seen to lead to the address, at that time. */
  lastMs(name: string, address: string, atMs: number): number | null {
    const seen = this.answered.filter(
      (answer) => answer.name === name && answer.addresses.includes(address) && answer.atMs <= atMs,
    )
    return seen.at(-1)?.atMs ?? null
  }

  /** How long nothing was answered for the name, of a time that is over. */
  longestGapMs(name: string, fromMs: number, toMs: number): number {
    const times = this.answered.filter((answer) => answer.name === name).map(({ atMs }) => atMs)
    const inside = [fromMs, ...times.filter((ms) => ms > fromMs && ms < toMs), toMs]
    return Math.max(...inside.slice(1).map((ms, i) => ms - inside[i]))
  }

  /** The response codes that were answered for a name, without repetition. */
  rcodesOf(name: string): number[] {
    const rcodes = this.answered.filter((answer) => answer.name === name).map(({ rcode }) => rcode)
    return rcodes.filter((rcode, i) => rcode !== rcodes[i - 1])
  }

  #record(packet: DecodedPacket, over: 'udp' | 'tcp'): void {
    this.answered.push({
      atMs: Date.now(),
      name: nameOf(packet).toLowerCase(),
      over,
      isTruncated: packet.flag_tc,
      rcode: rcodeOf(packet),
      addresses: (packet.answers ?? []).flatMap((record) => (record.type === 'A' ? [record.data] : [])),
    })
  }

  /** Forged answers: a wrong id, a wrong question, the name in another case. */
  #forged(packet: DecodedPacket): Buffer[] {
    const name = nameOf(packet)
    const answers = [a(name, this.#lie)]
    const swapped = Array.from(name, (letter) =>
      letter === letter.toLowerCase() ? letter.toUpperCase() : letter.toLowerCase(),
    )
    const forged = [
      { ...packet, id: ((packet.id ?? 0) + 1) & 0xffff, answers },
      { ...packet, questions: [{ type: 'A', class: 'IN', name: `x.${name}` } as const], answers },
      { ...packet, questions: [{ type: 'A', class: 'IN', name: swapped.join('') } as const], answers },
    ]
    return forged.map((each) => encode(each))
  }

  #withLies(packet: DecodedPacket): DecodedPacket {
    const name = nameOf(packet)
    const elsewhere: Answer[] = [a('elsewhere.example', this.#lie), cname('other.example', 'elsewhere.example')]
    return {
      ...packet,
      answers: [...(packet.answers ?? []), ...elsewhere],
      authorities: [...(packet.authorities ?? []), a(name, this.#lie)],
      additionals: [...(packet.additionals ?? []), a(name, this.#lie)],
    }
  }
}

function nameOf(packet: DecodedPacket): string {
  return packet.questions?.[0]?.name ?? ''
}

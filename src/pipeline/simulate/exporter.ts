// Exports a simulated attack: IPFIX datagrams such as a router would send if it saw the attack.
import { encodeMessage, type Record, type TemplateSpec } from '../../encode/messages.ts'
import { hostPortMin, type SimulatedVector } from './vectors.ts'

/** Records of a datagram at most: it stays below the 1,500 octets that every network carries. */
const recordsPerDatagram = 20
/** Records of one export at most, however many packets they stand for. */
export const recordsPerExport = 60
/** First address of the sources: 198.18.0.0/15 is reserved for tests (RFC 2544). */
const sourcesFrom = 0xc612_0000
const sourcesCount = 240
/** Distance of one source to the next: odd, so that they lie all over the network. */
const sourceStep = 545
const hostPorts = 65_536 - hostPortMin
const portStep = 769
const u32 = (id: number) => ({ id, length: 4 })
const u16 = (id: number) => ({ id, length: 2 })
const u8 = (id: number) => ({ id, length: 1 })
const u64 = (id: number) => ({ id, length: 8 })

/** Fields: sourceIPv4Address, destinationIPv4Address, ports, protocol, TCP flags, octets, packets, start and end in milliseconds, sampling interval. */
const template: TemplateSpec = {
  id: 256,
  fields: [u32(8), u32(12), u16(7), u16(11), u8(4), u8(6), u64(1), u64(2), u64(152), u64(153), u32(34)],
}

export interface SimulatedAttack {
  vector: SimulatedVector
  /** IPv4 address of the victim. */
  address: number
  packetsPerSecond: number
}

export class SimulatedExporter {
  readonly #attack: SimulatedAttack
  readonly #domain: number
  #records = 0

  /** `domain`: the observation domain, 32 bits. */
  constructor(attack: SimulatedAttack, domain: number) {
    this.#attack = attack
    this.#domain = domain
  }

  /** The datagrams for `fromMs` to `toMs` (exclusive), Unix milliseconds. Each can be read without those before it. */
  datagrams(fromMs: number, toMs: number): Uint8Array[] {
    const packets = Math.round((this.#attack.packetsPerSecond * (toMs - fromMs)) / 1000)
    const count = Math.min(recordsPerExport, packets)
    const datagrams: Uint8Array[] = []
    for (let first = 0; first < count; first += recordsPerDatagram) {
      const parts = Array.from({ length: Math.min(recordsPerDatagram, count - first) }, (_, i) => {
        const at = first + i
        return Math.floor((packets * (at + 1)) / count) - Math.floor((packets * at) / count)
      })
      datagrams.push(this.#datagram(parts, fromMs, toMs))
    }
    return datagrams
  }

  /** `parts`: packets of each record. */
  #datagram(parts: readonly number[], fromMs: number, toMs: number): Uint8Array {
    const header = { version: 10, nowMs: toMs, sequence: this.#records, domain: this.#domain } as const
    const records = parts.map((packets): Record => ({ template, values: this.#record(packets, fromMs, toMs) }))
    return encodeMessage(header, { templates: [template], records })
  }

  #record(packets: number, fromMs: number, toMs: number): number[] {
    const { vector, address } = this.#attack
    const { protocol, srcPort, dstPort, tcpFlags, packetBytes } = vector
    const number = this.#records++
    const source = sourcesFrom + (number % sourcesCount) * sourceStep
    const hostPort = hostPortMin + ((number * portStep) % hostPorts)
    const ports = [srcPort ?? hostPort, dstPort ?? hostPort]
    return [source, address, ...ports, protocol, tcpFlags, packets * packetBytes, packets, fromMs, toMs - 1, 1]
  }
}

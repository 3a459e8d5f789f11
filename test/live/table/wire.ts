// What really came to the victims: the packets on their end of the wire, counted by address and second.
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { findProgram } from '../requirements.ts'
import type { Lab } from '../wire/lab.ts'
import { everywhere } from './attacks.ts'

export interface Amount {
  packets: number
  bytes: number
}

const fileHeader = 24
const recordHeader = 16
const ethernet = 14
/** Octets captured of each packet: as many as have the addresses. */
const snapLength = 60

export class Wire {
  /** By second of Unix time, then by address: packets and octets. */
  readonly #seconds = new Map<number, Map<number, Amount>>()
  readonly #capturing: ChildProcess
  #rest: Buffer = Buffer.alloc(0)
  #isBegun = false

  constructor(lab: Lab) {
    const capture = [
      '-i',
      lab.wire,
      '-Q',
      'in',
      '-n',
      '-U',
      '-Z',
      'root',
      '-B',
      '65536',
      '-s',
      String(snapLength),
      '-w',
      '-',
    ]
    const args = [
      'netns',
      'exec',
      lab.victim,
      findProgram('tcpdump'),
      ...capture,
      'ip',
      'and',
      'dst',
      'net',
      everywhere,
    ]
    this.#capturing = spawn(findProgram('ip'), args, { stdio: ['ignore', 'pipe', 'ignore'] })
    this.#capturing.stdout?.on('data', (part: Buffer) => this.#take(part))
  }

  /** What came to a range of addresses in some time. Unix time, milliseconds. */
  sum({ first, count }: { first: number; count: number }, [fromMs, toMs]: readonly [number, number]): Amount {
    const sum = { packets: 0, bytes: 0 }
    for (let second = Math.floor(fromMs / 1_000); second < toMs / 1_000; second++) {
      for (const [address, { packets, bytes }] of this.#seconds.get(second) ?? []) {
        if (address < first || address >= first + count) continue
        sum.packets += packets
        sum.bytes += bytes
      }
    }
    return sum
  }

  async stop(): Promise<void> {
    if (this.#capturing.exitCode !== null) return
    const ended = once(this.#capturing, 'exit')
    this.#capturing.kill('SIGINT')
    await ended
  }

  #take(part: Buffer): void {
    let bytes = this.#rest.length === 0 ? part : Buffer.concat([this.#rest, part])
    if (!this.#isBegun && bytes.length >= fileHeader) {
      this.#isBegun = true
      bytes = bytes.subarray(fileHeader)
    }
    let at = 0
    while (this.#isBegun && bytes.length - at >= recordHeader) {
      const length = bytes.readUInt32LE(at + 8)
      if (bytes.length - at < recordHeader + length) break
      const packet = at + recordHeader + ethernet
      this.#count(bytes.readUInt32LE(at), bytes.readUInt32BE(packet + 16), bytes.readUInt16BE(packet + 2))
      at += recordHeader + length
    }
    this.#rest = bytes.subarray(at)
  }

  #count(second: number, address: number, length: number): void {
    const addresses = this.#seconds.get(second) ?? new Map<number, Amount>()
    this.#seconds.set(second, addresses)
    const amount = addresses.get(address) ?? { packets: 0, bytes: 0 }
    addresses.set(address, amount)
    amount.packets++
    amount.bytes += length
  }
}

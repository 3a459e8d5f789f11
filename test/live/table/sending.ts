// Sends the attacks of the table from the attacker's namespace: packets by tcpreplay, connections by clients; and ordinary traffic beside them.
import { execFileSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { formatIpv4 } from '../../../src/net/ipv4.ts'
import { TCP } from '../../../src/net/protocols.ts'
import { ACK, PSH } from '../../../src/net/tcp-flags.ts'
import { createRandom } from '../../helpers/random.ts'
import { findProgram } from '../requirements.ts'
import type { Lab, Running } from '../wire/lab.ts'
import { type Attack, attacks, clientNetwork, distinctFrames, everywhere, rangeOf, type Span } from './attacks.ts'
import { type Cable, encodeFrame, encodeFrames, type Packet, tcp } from './frames.ts'
import { clientsFile, type Visit } from './web-clients.ts'
import { serverFile } from './web-server.ts'

/** Packets a second of ordinary traffic, to all victims together. */
const ordinaryPerSecond = 200
const visitorsPerSecond = 3
const network = clientNetwork.replace(/\.0\/24$/, '')

export class Sending {
  readonly #lab: Lab
  readonly #cable: Cable

  constructor(lab: Lab, victimInterface: string) {
    this.#lab = lab
    const here = (namespace: string, ...args: string[]) => execFileSync(findProgram('ip'), ['-n', namespace, ...args])
    here(lab.attacker, 'route', 'add', everywhere, 'via', '10.0.0.2')
    here(lab.attacker, 'route', 'add', 'local', clientNetwork, 'dev', 'lo')
    // The victim has all addresses, without one being given to an interface.
    here(lab.victim, 'route', 'add', 'local', everywhere, 'dev', 'lo')
    this.#cable = {
      from: hardwareAddress(lab.attacker, lab.wire),
      to: hardwareAddress(lab.victim, victimInterface),
    }
    lab.start(process.execPath, [serverFile], { namespace: lab.victim })
  }

  /** Writes the packets of every attack, so that nothing has to be made while others are sent. */
  prepare(): void {
    for (const attack of attacks) {
      if ('clients' in attack.packets) continue
      const { of } = attack.packets
      const random = createRandom(attack.victims.length + rangeOf(attack.victims).first)
      this.#write(
        attack.name,
        Array.from({ length: distinctFrames }, (_, index) => of(random, index)),
      )
    }
    this.#write('ordinary', ordinaryPackets())
  }

  /** Ordinary traffic, for a number of seconds. */
  startOrdinary(seconds: number): void {
    this.#replay('ordinary', ordinaryPerSecond, seconds)
    for (const { victims, packets } of attacks) {
      if (!('clients' in packets)) continue
      this.#visit({
        target: victims,
        seconds,
        network,
        sources: 40,
        what: { clients: 'requests', perSecond: visitorsPerSecond },
      })
    }
  }

  /** Sends an attack in its spans, which count from `beginMs` (Unix time, milliseconds) on; resolves when the last is over. */
  async send(attack: Attack, beginMs: number): Promise<void> {
    for (const [from, to] of attack.spans) {
      await sleep(Math.max(0, beginMs + from * 1_000 - Date.now()))
      const running = this.#begin(attack, [from, to])
      await sleep(Math.max(0, beginMs + to * 1_000 - Date.now()))
      await this.#lab.stop(running)
    }
  }

  #begin({ name, victims, packets }: Attack, [from, to]: Span): Running {
    if (!('clients' in packets)) return this.#replay(name, packets.perSecond, to - from)
    return this.#visit({ target: victims, seconds: to - from, network, sources: 12, what: packets })
  }

  #replay(name: string, perSecond: number, seconds: number): Running {
    // The other timers of tcpreplay wait by keeping a processor busy.
    const how = [
      '-q',
      '-K',
      '--timer=nano',
      '-i',
      this.#lab.wire,
      `--pps=${perSecond}`,
      '--loop=0',
      `--duration=${Math.ceil(seconds)}`,
    ]
    return this.#lab.start('tcpreplay', [...how, this.#file(name)], { namespace: this.#lab.attacker })
  }

  #visit(visit: Visit): Running {
    return this.#lab.start(process.execPath, [clientsFile, JSON.stringify(visit)], { namespace: this.#lab.attacker })
  }

  #write(name: string, packets: readonly Packet[]): void {
    writeFileSync(this.#file(name), encodeFrames(packets.map((packet) => encodeFrame(packet, this.#cable))))
  }

  #file(name: string): string {
    return join(this.#lab.folder, `${name.replaceAll(/\W+/g, '-')}.pcap`)
  }
}

/**
 * Packets of connections with visitors, of every victim as many; of a network with some tens of its addresses. Web servers have real visitors instead: each
 * of these packets is a flow by itself.
 */
function ordinaryPackets(): Packet[] {
  const random = createRandom(1)
  const visited = attacks.filter(({ packets }) => !('clients' in packets))
  return Array.from({ length: 8_000 }, () => {
    const { first, count } = rangeOf(visited[random(visited.length)].victims)
    const dst = formatIpv4(first + Math.floor(random(Math.min(count, 64)) * (count / Math.min(count, 64))))
    const src = `81.20.${random(4)}.${1 + random(250)}`
    return { src, dst, protocol: TCP, payload: tcp(20_000 + random(200), 443, ACK | PSH, random(1_000)) }
  })
}

function hardwareAddress(namespace: string, interfaceName: string): string {
  const text = execFileSync(findProgram('ip'), ['-n', namespace, '-j', 'link', 'show', interfaceName], {
    encoding: 'utf8',
  })
  const [{ address }]: { address: string }[] = JSON.parse(text)
  return address
}

// One recursive resolver: asks it for the IPv4 addresses of a name, again when there is no answer, over TCP when the answer was cut,
// and onward when an alias comes without its address.
import { randomInt } from 'node:crypto'
import type { DecodedPacket } from 'dns-packet'
import { type Answer, chainMax, rcodeOf, readAnswer } from './answer.ts'
import { askTcp, askUdp, type ExchangeOptions } from './exchange.ts'
import { formatServer, type Server } from './servers.ts'

/** What one resolver says of a name. */
export type Resolution = Exclude<Answer, { kind: 'alias' }> | { kind: 'failed'; reason: 'timeout' }

/** Response codes (RFC 1035 section 4.1.1) by their names in metrics. */
const rcodes = ['NOERROR', 'FORMERR', 'SERVFAIL', 'NXDOMAIN', 'NOTIMP', 'REFUSED'] as const

export interface ResolverOptions {
  server: Server
  timeoutMs: number
  attempts: number
  signal: AbortSignal
  /** Called for every question, repeated ones too. */
  onAsk: () => void
  /** Told how long each answer took. */
  onDuration: (seconds: number) => void
}

/** After so many questions without an answer in a row each is asked only once, until there is one. */
const silentAfter = 5

export class Resolver {
  readonly label: string
  /** Questions asked, by what came of them. */
  readonly queries = { NOERROR: 0, FORMERR: 0, SERVFAIL: 0, NXDOMAIN: 0, NOTIMP: 0, REFUSED: 0, OTHER: 0, TIMEOUT: 0 }
  /** Messages passed over, since they answered no question of ours: broken, or forged. */
  foreign = 0
  readonly #options: ResolverOptions
  #unanswered = 0

  constructor(options: ResolverOptions) {
    this.#options = options
    this.label = formatServer(options.server)
  }

  async resolve(name: string): Promise<Resolution> {
    const chain: string[] = []
    let ttlSeconds = Number.POSITIVE_INFINITY
    // A resolver may give a chain one alias at a time.
    for (let asked = 0; asked <= chainMax; asked++) {
      const at = chain.at(-1) ?? name
      const packet = await this.#ask(at)
      if (packet === null) return { kind: 'failed', reason: 'timeout' }
      const answer = readAnswer(packet, at)
      if (answer.kind === 'absent' || answer.kind === 'failed') return answer
      const loops = answer.chain.some((target) => target === name || chain.includes(target))
      chain.push(...answer.chain)
      if (loops || chain.length > chainMax) break
      ttlSeconds = Math.min(ttlSeconds, answer.ttlSeconds)
      if (answer.kind === 'addresses') return { ...answer, chain, ttlSeconds }
    }
    // An alias whose end has no address is a name without one; a loop, or too long a chain, is broken.
    return { kind: 'failed', reason: 'chain' }
  }

  async #ask(name: string): Promise<DecodedPacket | null> {
    const { server, timeoutMs, signal, onAsk, onDuration } = this.#options
    const attempts = this.#unanswered < silentAfter ? this.#options.attempts : 1
    const options: ExchangeOptions = { timeoutMs, signal, onForeign: () => this.foreign++ }
    for (let attempt = 0; attempt < attempts && !signal.aborted; attempt++) {
      const question = { id: randomInt(0x10000), name }
      const startMs = performance.now()
      onAsk()
      let packet = await askUdp(question, server, options)
      if (packet?.flag_tc === true) packet = await askTcp(question, server, options)
      this.queries[packet === null ? 'TIMEOUT' : (rcodes[rcodeOf(packet)] ?? 'OTHER')]++
      this.#unanswered = packet === null ? this.#unanswered + 1 : 0
      if (packet === null) continue
      onDuration((performance.now() - startMs) / 1_000)
      return packet
    }
    return null
  }
}

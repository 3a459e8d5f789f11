// One recursive resolver: asks it for the IPv4 addresses of a name, again when there is no answer, over TCP when the answer was cut,
// and onward when an alias comes without its address; a resolver over TLS is asked over TLS alone.
import { randomBytes, randomInt } from 'node:crypto'
import type { DecodedPacket } from 'dns-packet'
import type { TextResolution } from '../../access/challenge.ts'
import { type Answer, chainMax, type Question, rcodeOf, readAnswer } from './answer.ts'
import { askUdp, type ExchangeOptions } from './exchange.ts'
import { formatServer, type Server } from './servers.ts'
import { StreamExchange } from './stream-exchange.ts'
import { readTargets, type TargetType } from './target-answer.ts'
import { readTexts, type TextAnswer } from './text-answer.ts'

/** What one resolver says of a name. */
export type Resolution = Exclude<Answer, { kind: 'alias' }> | { kind: 'failed'; reason: 'timeout' }

/** Response codes (RFC 1035 section 4.1.1) by their names in metrics. */
const rcodes = ['NOERROR', 'FORMERR', 'SERVFAIL', 'NXDOMAIN', 'NOTIMP', 'REFUSED'] as const

export interface ResolverOptions {
  server: Server
  /** See `StreamOptions`. */
  authorities: string | null
  timeoutMs: number
  attempts: number
  signal: AbortSignal
  /** Called for every question, repeated ones too. */
  onAsk: (name: string) => void
  /** Told how long each answer took. */
  onDuration: (seconds: number) => void
}

/** After this many questions in a row without an answer, each question is sent only once, until one is answered. */
const silentAfter = 5

export class Resolver {
  readonly label: string
  /** Questions asked, by what came of them. */
  readonly queries = { NOERROR: 0, FORMERR: 0, SERVFAIL: 0, NXDOMAIN: 0, NOTIMP: 0, REFUSED: 0, OTHER: 0, TIMEOUT: 0 }
  /** Messages passed over, since they answered no question of ours: broken, or forged. */
  foreign = 0
  /** Why the latest question could not even be asked: an error code; null: it could. */
  refusal: string | null = null
  readonly #options: ResolverOptions
  readonly #exchange: ExchangeOptions
  readonly #stream: StreamExchange
  #unanswered = 0

  constructor(options: ResolverOptions) {
    this.#options = options
    this.label = formatServer(options.server)
    this.#exchange = {
      timeoutMs: options.timeoutMs,
      signal: options.signal,
      onForeign: () => this.foreign++,
      onRefused: (code) => {
        this.refusal = code
      },
    }
    this.#stream = new StreamExchange({ ...this.#exchange, server: options.server, authorities: options.authorities })
  }

  /** It has not answered the last few questions. */
  get isSilent(): boolean {
    return this.#unanswered >= silentAfter
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

  /** The texts (TXT) of a name. */
  async texts(name: string): Promise<TextResolution> {
    let at = name
    // A resolver may give a chain one alias at a time.
    for (let asked = 0; asked <= chainMax; asked++) {
      const packet = await this.#ask(at, { type: 'TXT' })
      const answer: TextAnswer = packet === null ? { kind: 'failed' } : readTexts(packet, at)
      if (answer.kind !== 'alias') return answer
      at = answer.target
    }
    return { kind: 'failed' }
  }

  /** The names that records of the type have for the name; null: it does not say. */
  async targets(name: string, type: TargetType): Promise<string[] | null> {
    const packet = await this.#ask(name, { type })
    return packet === null ? null : readTargets(packet, name, type)
  }

  async #ask(name: string, kind: Pick<Question, 'type'> = {}): Promise<DecodedPacket | null> {
    const { signal, onAsk, onDuration } = this.#options
    const attempts = this.#unanswered < silentAfter ? this.#options.attempts : 1
    for (let attempt = 0; attempt < attempts && !signal.aborted; attempt++) {
      // Some servers do not keep the case: a question that is repeated is plain.
      const spelled = attempt === 0 && attempts > 1 ? randomCase(name) : name
      const startMs = performance.now()
      onAsk(name)
      const packet = await this.#exchanged({ id: randomInt(0x10000), name: spelled, ...kind })
      this.queries[packet === null ? 'TIMEOUT' : (rcodes[rcodeOf(packet)] ?? 'OTHER')]++
      this.#unanswered = packet === null ? this.#unanswered + 1 : 0
      if (packet === null) continue
      this.refusal = null
      onDuration((performance.now() - startMs) / 1_000)
      return packet
    }
    return null
  }

  async #exchanged(question: Question): Promise<DecodedPacket | null> {
    const { server } = this.#options
    if (server.certificateName !== undefined) return this.#stream.ask(question)
    const packet = await askUdp(question, server, this.#exchange)
    return packet?.flag_tc === true ? this.#stream.ask(question) : packet
  }
}

/** Who forges an answer has to guess the case of each letter, too (draft-vixie-dnsext-dns0x20). */
function randomCase(name: string): string {
  const octets = randomBytes(name.length)
  return Array.from(name, (letter, i) => (octets[i] < 128 ? letter : letter.toUpperCase())).join('')
}

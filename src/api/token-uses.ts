// When tokens were last used: gathered here and written now and then, since a write for each request would be too many.
import type { Clock } from '../clock.ts'
import type { Logger } from '../log.ts'
import type { Store } from '../store/store.ts'

const writeEveryMs = 30_000
const tokensMax = 10_000

export class TokenUses {
  readonly #store: Pick<Store, 'touchTokens'>
  readonly #clock: Clock
  readonly #log: Logger
  #lastMs = new Map<string, number>()
  #timer: NodeJS.Timeout | undefined
  /** Uses that were not noted, since too many tokens are waiting or the store failed. */
  dropped = 0

  constructor(options: { store: Pick<Store, 'touchTokens'>; clock: Clock; log: Logger }) {
    this.#store = options.store
    this.#clock = options.clock
    this.#log = options.log
  }

  note(tokenId: string): void {
    if (this.#lastMs.size < tokensMax || this.#lastMs.has(tokenId)) this.#lastMs.set(tokenId, this.#clock.now())
    else this.dropped++
  }

  start(): void {
    this.#timer = setInterval(() => this.write(), writeEveryMs).unref()
  }

  /** Writes what is left. */
  async stop(): Promise<void> {
    clearInterval(this.#timer)
    await this.write()
  }

  async write(): Promise<void> {
    if (this.#lastMs.size === 0) return
    const used = [...this.#lastMs].map(([tokenId, atMs]) => ({ tokenId, atMs }))
    this.#lastMs = new Map()
    try {
      await this.#store.touchTokens(used)
    } catch (error) {
      this.dropped += used.length
      this.#log.warn({ err: error, tokens: used.length }, 'when tokens were last used could not be written')
    }
  }
}

// Users who have come to a name that was asked for others before. Each knows of it what the resolvers answer from then on, as if nobody had asked before:
// else an answer that is there too early, or from too early, would show that somebody else has the name.
import type { Binding } from './bindings.ts'
import type { SiteIndex } from './site-index.ts'

interface Newcomer {
  /** When the first answer with addresses came, Unix milliseconds; Infinity: none yet. */
  fromMs: number
  /** Whether no answer at all has come yet. */
  isWaiting: boolean
}

/** By then nothing is left of what was known before: see bindings.ts. */
const forgetMs = 2 * 86_400_000

export class Newcomers {
  readonly #byName = new Map<string, Map<string, Newcomer>>()

  /** Sites have changed. `isKnown`: whether the name was asked before. Gives the names that are to be asked again at once. */
  take(before: SiteIndex, now: SiteIndex, isKnown: (name: string) => boolean): string[] {
    const again: string[] = []
    for (const name of this.#byName.keys()) if (!now.roots.has(name)) this.#byName.delete(name)
    for (const [name, users] of now.roots) {
      const earlier = before.roots.get(name)
      const known = this.#byName.get(name)
      for (const userId of known?.keys() ?? []) if (!users.has(userId)) known?.delete(userId)
      const came = [...users.keys()].filter((userId) => earlier?.has(userId) !== true)
      if (came.length === 0 || !isKnown(name)) continue
      const all = known ?? new Map<string, Newcomer>()
      for (const userId of came) all.set(userId, { fromMs: Number.POSITIVE_INFINITY, isWaiting: true })
      this.#byName.set(name, all)
      again.push(name)
    }
    return again
  }

  /** The name was asked for. `isLed`: it leads to addresses. */
  answered(name: string, isLed: boolean, nowMs: number): void {
    for (const newcomer of this.#byName.get(name)?.values() ?? []) {
      newcomer.isWaiting = false
      if (isLed) newcomer.fromMs = Math.min(newcomer.fromMs, nowMs)
    }
  }

  /** Whether the user has the name from before that was confirmed. */
  knows(userId: string, { name, confirmedMs }: Pick<Binding, 'name' | 'confirmedMs'>): boolean {
    return confirmedMs >= this.fromMs(userId, name)
  }

  /** Since when the user knows where the name leads; 0: as long as it is known, Infinity: not yet. */
  fromMs(userId: string, name: string): number {
    return this.#byName.get(name)?.get(userId)?.fromMs ?? 0
  }

  /** Whether nothing was answered since the user came. */
  isWaiting(userId: string, name: string): boolean {
    return this.#byName.get(name)?.get(userId)?.isWaiting === true
  }

  prune(nowMs: number): void {
    for (const [name, newcomers] of this.#byName) {
      for (const [userId, { fromMs }] of newcomers) if (fromMs + forgetMs <= nowMs) newcomers.delete(userId)
      if (newcomers.size === 0) this.#byName.delete(name)
    }
  }
}

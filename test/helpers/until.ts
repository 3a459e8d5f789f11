// Waiting for what another process brings about, with a bound that only a failure reaches.
import { setTimeout as delay } from 'node:timers/promises'

/** Longer than anything takes that does not hang, on a slow and busy machine too. */
export const patienceMs = 60_000

/** The first value that is neither null nor false. */
export async function until<T>(what: string, look: () => Promise<T | null | false>, boundMs = patienceMs): Promise<T> {
  const endMs = performance.now() + boundMs
  for (;;) {
    const found = await look()
    if (found !== null && found !== false) return found
    if (performance.now() > endMs) throw new Error(`${what}: not within ${boundMs / 1000} s`)
    await delay(50)
  }
}

// Waiting for what another process brings about, with a bound that only a failure reaches.
import { setTimeout as delay } from 'node:timers/promises'

/** Longer than anything takes that does not hang, on a slow and busy machine too. */
export const patienceMs = 60_000

const oftenMs = 50
const seldomMs = 500

/** How long to wait before one looks again: a twentieth of what one has waited. Who looks often makes slow what he waits for. */
export function pauseMs(waitedMs: number): number {
  return Math.min(seldomMs, Math.max(oftenMs, waitedMs / 20))
}

/** The first value that is neither null nor false. */
export async function until<T>(what: string, look: () => Promise<T | null | false>, boundMs = patienceMs): Promise<T> {
  const beganMs = performance.now()
  for (;;) {
    const found = await look()
    if (found !== null && found !== false) return found
    const waitedMs = performance.now() - beganMs
    if (waitedMs > boundMs) throw new Error(`${what}: not within ${boundMs / 1000} s`)
    await delay(pauseMs(waitedMs))
  }
}

// Long work in short transactions: other work of the thread runs between two of them.
import { setImmediate } from 'node:timers/promises'

/** Rows that one transaction writes: a few milliseconds. */
const rowsPerChunk = 1_000
/** Rows that one transaction deletes: they lie apart from each other, so that each takes longer. */
export const deletedPerChunk = 250

/** Runs `each` over slices of the items, with a pause for others in between. */
export async function inChunks<T>(items: readonly T[], each: (chunk: T[]) => void): Promise<void> {
  for (let at = 0; at < items.length; at += rowsPerChunk) {
    if (at > 0) await setImmediate()
    each(items.slice(at, at + rowsPerChunk))
  }
}

/** Runs `step` until it answers null or the signal ends it; returns the sum of its answers. */
export async function untilDone(step: () => number | null, signal?: AbortSignal): Promise<number> {
  let total = 0
  while (signal?.aborted !== true) {
    const count = step()
    if (count === null) break
    total += count
    await setImmediate()
  }
  return total
}

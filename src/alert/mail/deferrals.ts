// Which recipients of a mail the server has put off while it took the mail for others, so that these do not get it again, also after a restart. Pure.

/** Pauses before the first, second, … further attempt; the last one is repeated. Servers that put off whom they do not know (greylisting) take minutes. */
const pausesMs: readonly number[] = [5_000, 15_000, 60_000, 300_000]
/** Who is put off for longer does without: what comes later under the same subject would wait for it. */
const untilMs = 1_800_000

/** A mail that the server has for some. */
export interface Deferral {
  /** The addresses that it is still for. */
  left: readonly string[]
  /** Recipients that the server has it for. */
  taken: number
  /** Those after which somebody was put off. */
  attempts: number
  /** When the first of them was, Unix milliseconds. */
  sinceMs: number
}

/** Whom a mail is still for. */
export function leftOf(to: readonly string[], deferral: Deferral | null): string[] {
  return deferral === null ? [...to] : to.filter((address) => deferral.left.includes(address))
}

/** What came of an attempt; `pauseMs`: how long those who were put off wait for the next one. Null: there is none. */
export function afterDeferral(
  before: Deferral | null,
  { taken, left }: { taken: number; left: readonly string[] },
  nowMs: number,
): { deferral: Deferral; pauseMs: number } | null {
  const { attempts, sinceMs, taken: all } = before ?? { taken: 0, attempts: 0, sinceMs: nowMs }
  const pauseMs = pausesMs[Math.min(attempts, pausesMs.length - 1)]
  if (left.length === 0 || nowMs + pauseMs - sinceMs > untilMs) return null
  return { deferral: { left, taken: all + taken, attempts: attempts + 1, sinceMs }, pauseMs }
}

// "Did you mean ...?": the known word nearest to an unknown one.

/** Edits (insert, delete, replace a character) that make one word the other. */
function distance(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, i) => i)
  for (let i = 1; i <= a.length; i++) {
    const next = [i]
    for (let j = 1; j <= b.length; j++) {
      next[j] = Math.min(next[j - 1] + 1, row[j] + 1, row[j - 1] + (a[i - 1] === b[j - 1] ? 0 : 1))
    }
    row = next
  }
  return row[b.length]
}

/** The nearest known word within three edits and a third of its length, or null. */
export function nearest(word: string, known: Iterable<string>): string | null {
  let best: string | null = null
  let bestDistance = Number.POSITIVE_INFINITY
  for (const candidate of known) {
    const limit = Math.min(3, Math.max(1, Math.floor(candidate.length / 3)))
    if (Math.abs(candidate.length - word.length) > limit) continue
    const edits = distance(word.toLowerCase(), candidate.toLowerCase())
    if (edits <= limit && edits < bestDistance) {
      best = candidate
      bestDistance = edits
    }
  }
  return best
}

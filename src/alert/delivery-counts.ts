// What became of messages, by the kind of their channel.

const outcomes = ['done', 'failed', 'dead', 'superseded'] as const
type CountedOutcome = (typeof outcomes)[number]

export class DeliveryCounts {
  readonly #byKind: Map<string, Record<CountedOutcome, number>>

  constructor(kinds: Iterable<string>) {
    this.#byKind = new Map(Array.from(kinds, (kind) => [kind, { done: 0, failed: 0, dead: 0, superseded: 0 }]))
  }

  /** What this version has no channels of is counted as `unknown`. */
  add(kind: string, outcome: CountedOutcome): void {
    const name = this.#byKind.has(kind) ? kind : 'unknown'
    const counts = this.#byKind.get(name) ?? { done: 0, failed: 0, dead: 0, superseded: 0 }
    counts[outcome]++
    this.#byKind.set(name, counts)
  }

  rows(): { labels: { kind: string; result: string }; value: number }[] {
    return [...this.#byKind].flatMap(([kind, counts]) =>
      outcomes.map((result) => ({ labels: { kind, result }, value: counts[result] })),
    )
  }
}

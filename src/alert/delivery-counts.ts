// What became of messages, by the kind of their channel.
import { type UnsentReason, unsentReasons } from './channels/kind.ts'

const outcomes = ['done', 'failed', 'dead', 'superseded'] as const
type CountedOutcome = (typeof outcomes)[number]

type Value<Label extends string> = { labels: Readonly<Record<Label, string>>; value: number }

export class DeliveryCounts {
  /** Attempts that sent nothing. */
  readonly unsent: Record<UnsentReason, number> = { target: 0, settings: 0, rights: 0, secrets: 0 }
  readonly #byKind: Map<string, Record<CountedOutcome, number>>

  constructor(kinds: Iterable<string>) {
    this.#byKind = new Map(Array.from(kinds, (kind) => [kind, { done: 0, failed: 0, dead: 0, superseded: 0 }]))
  }

  /** What this version has no channels of is counted as `unknown`. */
  nameOf(kind: string): string {
    return this.#byKind.has(kind) ? kind : 'unknown'
  }

  add(kind: string, outcome: CountedOutcome, count = 1): void {
    const name = this.nameOf(kind)
    const counts = this.#byKind.get(name) ?? { done: 0, failed: 0, dead: 0, superseded: 0 }
    counts[outcome] += count
    this.#byKind.set(name, counts)
  }

  rows(): Value<'kind' | 'result'>[] {
    return [...this.#byKind].flatMap(([kind, counts]) =>
      outcomes.map((result) => ({ labels: { kind, result }, value: counts[result] })),
    )
  }

  dead(): Value<'kind'>[] {
    return Array.from(this.#byKind, ([kind, { dead }]) => ({ labels: { kind }, value: dead }))
  }

  /** What waits, with a row for each kind. `byKind`: as of the channels. */
  waiting(byKind: Readonly<Record<string, number>>): Value<'kind'>[] {
    const counts = new Map(Array.from(this.#byKind.keys(), (kind) => [kind, 0]))
    for (const [kind, count] of Object.entries(byKind)) {
      const name = this.nameOf(kind)
      counts.set(name, (counts.get(name) ?? 0) + count)
    }
    return Array.from(counts, ([kind, value]) => ({ labels: { kind }, value }))
  }

  refused(): Value<'reason'>[] {
    return unsentReasons.map((reason) => ({ labels: { reason }, value: this.unsent[reason] }))
  }
}

// Keeps the threads' counters as Prometheus metrics: each thread posts its samples once a second, and a scrape reads the latest of each.
// They are posted as text, which costs a fraction of a list of objects at both ends; nobody reads most of them.
import type { MetricRow, Metrics, Sample } from '../metrics.ts'

export class ThreadSamples {
  readonly #latest = new Map<string, string>()

  /** Replaces the samples of a thread: see `samplesText`. */
  set(thread: string, samples: string): void {
    this.#latest.set(thread, samples)
  }

  /** The samples of a metric, summed over the threads: each label set once. */
  sum(name: string): Sample[] {
    const sums = new Map<string, Sample>()
    for (const text of this.#latest.values()) {
      for (const sample of JSON.parse(text) as Sample[]) {
        if (sample.name !== name) continue
        const key = JSON.stringify(sample.labels)
        const sum = sums.get(key)
        if (sum === undefined) sums.set(key, { ...sample })
        else sum.value += sample.value
      }
    }
    return [...sums.values()]
  }

  publish(metrics: Metrics, rows: readonly MetricRow[]): void {
    const read = (row: MetricRow) => (samples: ThreadSamples) => samples.sum(row.name)
    metrics.register(
      rows.map((row) => ({ ...row, read: read(row) })),
      this,
    )
  }
}

/** Samples on their way from a thread. */
export function samplesText(samples: readonly Sample[]): string {
  return JSON.stringify(samples)
}

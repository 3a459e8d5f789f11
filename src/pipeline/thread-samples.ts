// Keeps the threads' counters as Prometheus metrics: each thread posts its samples once a second, and a scrape reads the latest of each.
import type { MetricRow, Metrics, Sample } from '../metrics.ts'

export class ThreadSamples {
  readonly #latest = new Map<string, Sample[]>()

  /** Replaces the samples of a thread. */
  set(thread: string, samples: Sample[]): void {
    this.#latest.set(thread, samples)
  }

  /** The samples of a metric, summed over the threads: each label set once. */
  sum(name: string): Sample[] {
    const sums = new Map<string, Sample>()
    for (const samples of this.#latest.values()) {
      for (const sample of samples) {
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

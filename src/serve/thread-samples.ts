// The threads' counters as Prometheus metrics: each thread posts its samples once a second, a scrape reads the last of each.
import type { MetricRow, Metrics, Sample } from '../metrics.ts'

export class ThreadSamples {
  readonly #latest = new Map<string, Sample[]>()

  /** Replaces what a thread said before. */
  set(thread: string, samples: Sample[]): void {
    this.#latest.set(thread, samples)
  }

  /** Every label set of a metric once, summed over the threads. */
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

  /** Counters end in `_total`, as Prometheus asks; all else is a gauge. */
  publish(metrics: Metrics, rows: readonly MetricRow[]): void {
    for (const row of rows) {
      const read = () => this.sum(row.name)
      if (row.name.endsWith('_total')) metrics.counterFrom(row, read)
      else metrics.gaugeFrom(row, read)
    }
  }
}

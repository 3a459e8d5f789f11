// The Prometheus registry. A component declares its metrics as rows (name, help, labels) where it counts; it keeps plain numbers and
// fills them in when scraped, so that counting costs an addition.
import { Counter, Gauge, Histogram, Registry } from 'prom-client'

export interface MetricRow {
  /** Prometheus base units; counters end in `_total`. */
  name: string
  help: string
  labels?: readonly string[]
}

/** A value of a metric: what was counted since the start, or what holds now. */
export interface Sample {
  name: string
  labels: Record<string, string>
  value: number
}

/** The value so far of every label set. */
export type ReadSamples = () => Samples | Promise<Samples>
type Samples = Iterable<Omit<Sample, 'name'>>

export class Metrics {
  readonly registry = new Registry()

  /** `read` is called at each scrape. */
  counterFrom(row: MetricRow, read: ReadSamples): void {
    const counter = new Counter({
      ...this.#options(row),
      collect: async () => {
        const samples = await read()
        counter.reset()
        for (const { labels, value } of samples) counter.inc(labels, value)
      },
    })
  }

  gaugeFrom(row: MetricRow, read: ReadSamples): void {
    const gauge = new Gauge({
      ...this.#options(row),
      collect: async () => {
        const samples = await read()
        gauge.reset()
        for (const { labels, value } of samples) gauge.set(labels, value)
      },
    })
  }

  /** For durations: seconds. */
  histogram(row: MetricRow, buckets: number[]): Histogram {
    return new Histogram({ ...this.#options(row), buckets })
  }

  counter(row: MetricRow): Counter {
    return new Counter(this.#options(row))
  }

  /** The exposition text of every metric. */
  text(): Promise<string> {
    return this.registry.metrics()
  }

  #options(row: MetricRow) {
    return { name: row.name, help: row.help, labelNames: [...(row.labels ?? [])], registers: [this.registry] }
  }
}

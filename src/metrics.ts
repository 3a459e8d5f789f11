// The Prometheus registry. A component declares its metrics as rows beside itself; it keeps plain numbers, which a row reads when it is scraped, so that
// counting costs an addition.
import { Counter, Gauge, Histogram, Registry } from 'prom-client'

export interface MetricRow {
  /** Prometheus base units; a counter ends in `_total`, and everything else is a gauge or, with buckets, a histogram. */
  name: string
  help: string
  labels?: readonly string[]
}

/** The value of each set of labels; a plain number has none. */
export type Reading = number | Iterable<LabelledValue>

export interface LabelledValue {
  labels: Readonly<Record<string, string>>
  value: number
}

/** A metric of a component, with what reads it: the count since the start, or the value that holds now. */
export interface Metric<Component, Read = Reading> extends MetricRow {
  read: (component: Component) => Read
}

/** A distribution of durations: what measures them observes it. */
export interface HistogramRow extends MetricRow {
  /** Upper bounds, seconds. */
  buckets: readonly number[]
}

/** A value of a metric on its way between threads. */
export interface Sample {
  name: string
  labels: Record<string, string>
  value: number
}

export class Metrics {
  readonly registry = new Registry()

  /** The rows are read at each scrape. */
  register<Component>(rows: readonly Metric<Component, Reading | Promise<Reading>>[], component: Component): void {
    for (const row of rows) this.#register(row, async () => valuesOf(await row.read(component)))
  }

  histogram(row: HistogramRow): Histogram {
    return new Histogram({ ...this.#options(row), buckets: [...row.buckets] })
  }

  /** The exposition text of every metric. */
  text(): Promise<string> {
    return this.registry.metrics()
  }

  #register(row: MetricRow, read: () => Promise<Iterable<LabelledValue>>): void {
    const options = this.#options(row)
    if (!isCounter(row)) {
      const gauge: Gauge = new Gauge({
        ...options,
        collect: async () => {
          const values = await read()
          gauge.reset()
          for (const { labels, value } of values) gauge.set(labels, value)
        },
      })
      return
    }
    const counter: Counter = new Counter({
      ...options,
      collect: async () => {
        const values = await read()
        counter.reset()
        for (const { labels, value } of values) counter.inc(labels, value)
      },
    })
  }

  #options(row: MetricRow) {
    return { name: row.name, help: row.help, labelNames: [...(row.labels ?? [])], registers: [this.registry] }
  }
}

/** A reading with one label: a value for each of the record's keys. */
export function byLabel(label: string, values: Readonly<Record<string, number>>): LabelledValue[] {
  return Object.entries(values).map(([key, value]) => ({ labels: { [label]: key }, value }))
}

/** What the rows read now, for a component of another thread. */
export function samplesOf<Component>(rows: readonly Metric<Component>[], component: Component): Sample[] {
  return rows.flatMap(({ name, read }) =>
    Array.from(valuesOf(read(component)), ({ labels, value }) => ({ name, labels, value })),
  )
}

function isCounter({ name }: MetricRow): boolean {
  return name.endsWith('_total')
}

function valuesOf(reading: Reading): Iterable<LabelledValue> {
  return typeof reading === 'number' ? [{ labels: {}, value: reading }] : reading
}

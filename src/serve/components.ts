// The components of a running service, in the order in which they were made. Their metrics and tasks are registered when they are added, and they are
// stopped in the reverse order, whether the start came to its end or failed in the middle.
import { type Metric, Metrics } from '../metrics.ts'
import { type PeriodicTask, taskMetrics } from '../task.ts'

export interface Component {
  /** The work that it repeats. */
  tasks?: readonly PeriodicTask[]
  stop?(): unknown
}

export interface StartableComponent extends Component {
  start(): unknown
}

export class Components {
  readonly metrics = new Metrics()
  readonly #tasks: PeriodicTask[] = []
  readonly #stack = new AsyncDisposableStack()

  constructor() {
    this.metrics.register(taskMetrics, this.#tasks)
  }

  /** Takes over a component that was made: it is stopped with the service. */
  add<C extends Component>(component: C, rows: readonly Metric<C>[] = []): C {
    this.metrics.register(rows, component)
    this.#tasks.push(...(component.tasks ?? []))
    this.#stack.defer(async () => {
      await component.stop?.()
    })
    return component
  }

  /** The same, and starts it; one whose start fails is stopped with the others. */
  async start<C extends StartableComponent>(component: C, rows: readonly Metric<C>[] = []): Promise<C> {
    this.add(component, rows)
    await component.start()
    return component
  }

  /** Stops every component, the last first. */
  stop(): Promise<void> {
    return this.#stack.disposeAsync()
  }
}

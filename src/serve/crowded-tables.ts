// The bounded tables that strangers or users fill (see fair-table.ts): who crowds them, and whether anything that had worked lost its place. The threads
// report theirs once a second; those of this thread are looked at as often.
import type { Check } from '../api/http/health.ts'
import type { Clock } from '../clock.ts'
import type { CrowdedTable, Crowding } from '../fair-table.ts'
import { type Logger, LogThrottle } from '../log.ts'
import type { Metric } from '../metrics.ts'
import { PeriodicTask } from '../task.ts'

const lookEveryMs = 1_000
/** For as long after the last one that worked lost its place, an attack may go unseen. Routers send templates again every 30 minutes at most. */
const harmMs = 1_800_000

/** Tables by their names, as a thread reports them. */
export type TableStates = Readonly<Record<string, Crowding>>

interface CrowdedTablesOptions {
  clock: Clock
  log: Logger
}

const eachTable = (read: (table: CrowdedTable) => number) => (tables: CrowdedTables) =>
  tables.list().map((table) => ({ labels: { table: table.name }, value: read(table) }))

export const tableMetrics: readonly Metric<CrowdedTables>[] = [
  {
    name: 'floodgauge_table_used',
    help: 'What a bounded table that strangers or users fill holds, in entries or octets.',
    labels: ['table'],
    read: eachTable(({ size }) => size),
  },
  {
    name: 'floodgauge_table_max',
    help: 'What it holds at most.',
    labels: ['table'],
    read: eachTable(({ max }) => max),
  },
  {
    name: 'floodgauge_table_gave_way_total',
    help: 'Entries that lost their place, of whoever held most.',
    labels: ['table'],
    read: eachTable(({ gaveWay }) => gaveWay),
  },
  {
    name: 'floodgauge_table_proven_gave_way_total',
    help: 'Of these, entries that had worked for minutes: attacks may go unseen.',
    labels: ['table'],
    read: eachTable(({ provenGaveWay }) => provenGaveWay),
  },
]

export class CrowdedTables {
  readonly tasks: readonly PeriodicTask[]
  readonly #clock: Clock
  readonly #log: Logger
  readonly #throttle = new LogThrottle()
  /** What each thread told last. */
  readonly #told = new Map<string, TableStates>()
  readonly #own = new Map<string, () => Crowding>()
  readonly #tables = new Map<string, CrowdedTable>()
  readonly #task: PeriodicTask

  constructor({ clock, log }: CrowdedTablesOptions) {
    this.#clock = clock
    this.#log = log
    this.#task = new PeriodicTask({
      name: 'tables',
      periodMs: lookEveryMs,
      run: () => this.look(),
      failure: 'bounded tables could not be looked at',
      ...{ clock, log },
    })
    this.tasks = [this.#task]
  }

  start(): void {
    this.#task.start()
  }

  async stop(): Promise<void> {
    await this.#task.stop()
  }

  /** A table of this thread. */
  watch(name: string, read: () => Crowding): void {
    this.#own.set(name, read)
  }

  /** A thread reports its tables. */
  take(thread: string, tables: TableStates): void {
    this.#told.set(thread, tables)
  }

  look(): void {
    const nowMs = this.#clock.now()
    for (const [name, now] of this.#sums()) {
      const before = this.#tables.get(name)
      const gaveWay = now.gaveWay > (before?.gaveWay ?? 0)
      const isHarm = now.provenGaveWay > (before?.provenGaveWay ?? 0)
      const table: CrowdedTable = {
        ...{ name, ...now },
        gaveWayMs: gaveWay ? nowMs : (before?.gaveWayMs ?? null),
        harmedMs: isHarm ? nowMs : (before?.harmedMs ?? null),
      }
      this.#tables.set(name, table)
      if (gaveWay) this.#warn(table, isHarm, nowMs)
    }
  }

  list(): CrowdedTable[] {
    return [...this.#tables.values()]
  }

  /** Whether all that worked still has its place. Names nobody: anyone may ask. */
  check(): Check {
    const nowMs = this.#clock.now()
    const since = (atMs: number | null) => atMs !== null && nowMs - atMs < harmMs
    const harmed = this.list().filter(({ harmedMs }) => since(harmedMs))
    const crowded = this.list().filter(({ gaveWayMs }) => since(gaveWayMs))
    const names = (tables: CrowdedTable[]) => tables.map(({ name }) => name).join(', ')
    if (harmed.length > 0) return { ok: false, detail: `what worked lost its place: ${names(harmed)}` }
    return { ok: true, detail: crowded.length > 0 ? `crowded: ${names(crowded)}` : 'have room' }
  }

  #warn({ name, holder, holds, max, gaveWay }: CrowdedTable, isHarm: boolean, nowMs: number): void {
    const heldBack = this.#throttle.pass(`${name} ${isHarm}`, nowMs)
    if (heldBack === null) return
    const text = isHarm
      ? 'a table is crowded, and what had worked lost its place: attacks may go unseen'
      : 'a table is crowded: who holds most gives way'
    this.#log.warn({ table: name, crowdedBy: holder, holds, max, gaveWay, heldBack }, text)
  }

  /** The tables of all threads by name. */
  #sums(): Map<string, Crowding> {
    const sums = new Map<string, Crowding>()
    const own = Object.fromEntries([...this.#own].map(([name, read]) => [name, read()]))
    for (const tables of [...this.#told.values(), own]) {
      for (const [name, table] of Object.entries(tables)) {
        const sum = sums.get(name)
        sums.set(name, sum === undefined ? table : sumOf(sum, table))
      }
    }
    return sums
  }
}

function sumOf(a: Crowding, b: Crowding): Crowding {
  const { holder, holds } = a.holds >= b.holds ? a : b
  return {
    size: a.size + b.size,
    max: a.max + b.max,
    gaveWay: a.gaveWay + b.gaveWay,
    provenGaveWay: a.provenGaveWay + b.provenGaveWay,
    ...{ holder, holds },
  }
}

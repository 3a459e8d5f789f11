// Keeps the pipeline's watch list, and the addresses of its settings' names, in step with the sites in the store: the API reports a change at once, a
// change by another process (the command line) is seen by the version of the sites.

import type { Check } from '../api/http/health.ts'
import type { Clock } from '../clock.ts'
import type { Logger } from '../log.ts'
import type { Names } from '../names/names.ts'
import type { HeldRanges } from '../net/held-ranges.ts'
import type { NetworkKey } from '../net/network.ts'
import { countAddresses } from '../net/ranges.ts'
import type { Store } from '../store/store.ts'
import { PeriodicTask } from '../task.ts'
import type { ProofKeeper } from './proof-keeper.ts'

const pollEveryMs = 500
/** Sites that were not read for as long may have changed meanwhile. */
const lateAfterMs = 10_000
const saveBindingsEveryMs = 60_000

interface WatcherOptions {
  store: Store
  names: Names
  clock: Clock
  log: Logger
  /** `ranges`: sorted, disjoint pairs of first and last address; `held`: the users of each address. */
  onWatched: (ranges: Uint32Array, held: HeldRanges) => void
  /** Called with the networks among the sites when sites have changed. */
  onNetworks: (networks: NetworkKey[]) => void
  proofs: Pick<ProofKeeper, 'claims' | 'onChange'>
  /** See `Names.configuredAddresses`. */
  onConfigured: (addresses: number[][]) => void
}

export class Watcher {
  readonly tasks: readonly PeriodicTask[]
  readonly #options: WatcherOptions
  readonly #readingSites: PeriodicTask
  readonly #savingBindings: PeriodicTask
  #version = -1
  /** When the sites were read last, or known to be the same. */
  #readMs = Number.NEGATIVE_INFINITY
  #isStopped = false
  /** Users who have names among their sites. */
  holdersOfNames = 0
  /** Bindings confirmed before then are in the store. */
  #savedMs = Number.NEGATIVE_INFINITY

  constructor(options: WatcherOptions) {
    const { clock, log } = options
    this.#options = options
    this.#readingSites = new PeriodicTask({
      name: 'sites',
      periodMs: pollEveryMs,
      run: () => this.#readSites(),
      failure: 'sites could not be read; the last known are watched',
      ...{ clock, log },
    })
    this.#savingBindings = new PeriodicTask({
      name: 'bindings',
      periodMs: saveBindingsEveryMs,
      run: () => this.#saveBindings(),
      failure: 'name bindings could not be saved',
      ...{ clock, log },
    })
    this.tasks = [this.#readingSites, this.#savingBindings]
  }

  async start(): Promise<void> {
    const { names, store, proofs, onWatched, onConfigured } = this.#options
    names.load(await store.loadBindings())
    names.onConfiguredChange(() => onConfigured(names.configuredAddresses()))
    const watch = () => onWatched(names.watchedAddresses(), names.watchedBy())
    names.onChange(watch)
    proofs.onChange(() => void this.#readAgain())
    // Sites that can't be read are no reason to watch nothing in silence: the service does not start.
    await this.#readSites()
    onConfigured(names.configuredAddresses())
    watch()
    names.start()
    for (const task of this.tasks) task.start()
  }

  async stop(): Promise<void> {
    this.#isStopped = true
    this.#options.names.stop()
    for (const task of this.tasks) await task.stop()
    await this.#savingBindings.run()
  }

  /** Whether what is watched is what the sites say. */
  check(): Check {
    const { clock } = this.#options
    const lateMs = clock.now() - this.#readMs
    if (lateMs > lateAfterMs)
      return { ok: false, detail: `the sites could not be read for ${Math.floor(lateMs / 1000)} s` }
    return { ok: true, detail: `${this.watched} addresses are watched` }
  }

  /** Number of addresses that are watched. */
  get watched(): number {
    return countAddresses(this.#options.names.watchedAddresses())
  }

  /** Reads the sites when they have changed. A call during a read waits for that read, and then looks again. */
  refresh(): Promise<void> {
    return this.#readingSites.runAgain()
  }

  /** Reads the sites though they have not changed: what users have proved has. */
  #readAgain(): Promise<void> {
    this.#version = -1
    return this.refresh()
  }

  async #readSites(): Promise<void> {
    const { store, names, proofs, clock, onNetworks } = this.#options
    if (this.#isStopped) return
    const version = await store.sitesVersion()
    if (version === this.#version) {
      this.#readMs = clock.now()
      return
    }
    const sites = await store.enabledSites()
    names.setSites(sites, await store.listUsers(), proofs.claims())
    const named = sites.filter(({ record }) => record?.kind === 'fqdn' || record?.kind === 'wildcard')
    this.holdersOfNames = new Set(named.map(({ userId }) => userId)).size
    onNetworks(names.watchedNetworks())
    this.#version = version
    this.#readMs = clock.now()
  }

  async #saveBindings(): Promise<void> {
    const { store, names, clock } = this.#options
    const nowMs = clock.now()
    await store.saveBindings(names.save(this.#savedMs))
    this.#savedMs = nowMs
  }
}

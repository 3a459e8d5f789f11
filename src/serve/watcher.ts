// Keeps the pipeline's watch list, and where the names of its settings lead, in step with the sites in the store, whoever changes them: the API says so at once, a change by
// another process (the command line) is seen by the version of the sites.
import type { Clock } from '../clock.ts'
import { type Logger, LogThrottle } from '../log.ts'
import type { Claim } from '../names/authority.ts'
import type { Names } from '../names/names.ts'
import type { Prefix } from '../net/prefix.ts'
import type { Store } from '../store/store.ts'

const pollEveryMs = 500
const saveBindingsEveryMs = 60_000

interface WatcherOptions {
  store: Store
  names: Names
  clock: Clock
  log: Logger
  /** Sorted, disjoint pairs of first and last address. */
  onWatched: (ranges: Uint32Array) => void
  /** The networks among the sites; told when sites have changed. */
  onNetworks: (networks: Prefix[]) => void
  /** What users have proved. */
  claims: () => Iterable<Claim>
  /** See `Names.configuredAddresses`. */
  onConfigured: (addresses: number[][]) => void
}

export class Watcher {
  readonly #options: WatcherOptions
  readonly #throttle = new LogThrottle()
  #version = -1
  /** Bindings confirmed before then are in the store. */
  #savedMs = Number.NEGATIVE_INFINITY
  #polling: Promise<void> | null = null
  #poll: NodeJS.Timeout | null = null
  #save: NodeJS.Timeout | null = null

  constructor(options: WatcherOptions) {
    this.#options = options
  }

  async start(): Promise<void> {
    const { names, store, onWatched, onConfigured } = this.#options
    names.load(await store.loadBindings())
    names.onConfiguredChange(() => onConfigured(names.configuredAddresses()))
    names.onChange(() => onWatched(names.watchedAddresses()))
    await this.refresh()
    onConfigured(names.configuredAddresses())
    onWatched(names.watchedAddresses())
    names.start()
    this.#poll = setInterval(() => void this.refresh(), pollEveryMs)
    this.#save = setInterval(() => void this.#saveBindings(), saveBindingsEveryMs)
  }

  async stop(): Promise<void> {
    if (this.#poll !== null) clearInterval(this.#poll)
    if (this.#save !== null) clearInterval(this.#save)
    this.#options.names.stop()
    await this.#polling
    await this.#saveBindings()
  }

  /** Reads the sites when they have changed. A call during a read waits for that read, and then looks again. */
  async refresh(): Promise<void> {
    await this.#polling
    this.#polling ??= this.#readSites().finally(() => {
      this.#polling = null
    })
    await this.#polling
  }

  /** Reads the sites though they have not changed: what users have proved has. */
  readAgain(): Promise<void> {
    this.#version = -1
    return this.refresh()
  }

  async #readSites(): Promise<void> {
    const { store, names, claims, onNetworks } = this.#options
    await this.#attempt('sites could not be read; the last known are watched', async () => {
      const version = await store.sitesVersion()
      if (version === this.#version) return
      names.setSites(await store.enabledSites(), await store.listUsers(), claims())
      onNetworks(names.watchedNetworks())
      this.#version = version
    })
  }

  async #saveBindings(): Promise<void> {
    const { store, names, clock } = this.#options
    await this.#attempt('name bindings could not be saved', async () => {
      const nowMs = clock.now()
      await store.saveBindings(names.save(this.#savedMs))
      this.#savedMs = nowMs
    })
  }

  async #attempt(failure: string, work: () => Promise<void>): Promise<void> {
    try {
      await work()
    } catch (error) {
      const heldBack = this.#throttle.pass(failure, this.#options.clock.now())
      if (heldBack !== null) this.#options.log.error({ err: error, heldBack }, failure)
    }
  }
}

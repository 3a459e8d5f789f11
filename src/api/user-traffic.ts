// The traffic of all of a user's sites by the minute, for the chart of the overview. To add it up takes a while where there are many addresses: it
// is done a part at a time, and of so many addresses.
import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Clock } from '../clock.ts'
import type { TrafficByMinute } from '../contract/overview-schemas.ts'
import { formatTime } from '../contract/time.ts'
import type { MinuteSum, Store } from '../store/store.ts'
import { parseHostRecord } from '../targets/site.ts'
import type { SiteWatch } from './site-report.ts'

const dayMs = 86_400_000
const minutesShown = 24 * 60
const addressesMax = 1_000
/** Where they lead is looked up in one go. */
const sitesAtOnce = 10

interface UserTrafficOptions {
  store: Pick<Store, 'listSites' | 'sumSeries'>
  clock: Clock
  watch: Pick<SiteWatch, 'addressesOf'>
}

export class UserTraffic {
  readonly #options: UserTrafficOptions

  constructor(options: UserTrafficOptions) {
    this.#options = options
  }

  async of(userId: string): Promise<TrafficByMinute> {
    const { store, clock } = this.#options
    const nowMs = clock.now()
    const toMinute = Math.floor(nowMs / 60_000) * 60
    const fromMinute = toMinute - minutesShown * 60
    const owned = await this.#addressesOf(userId)
    const shown = [...owned].slice(0, addressesMax)
    // Most were the caller's all the while: they are added up together.
    const settled = shown.filter(([, sinceMs]) => sinceMs <= nowMs - dayMs).map(([address]) => address)
    const sums = await store.sumSeries(settled, fromMinute, toMinute)
    for (const [address, sinceMs] of shown) {
      if (sinceMs <= nowMs - dayMs) continue
      sums.push(...(await store.sumSeries([address], Math.ceil(sinceMs / 60_000) * 60, toMinute)))
    }
    return {
      from: formatTime(fromMinute * 1_000),
      stepSeconds: 60,
      ...ratesOf(sums, fromMinute),
      addressesOmitted: owned.size - shown.length,
    }
  }

  /** With the time since when each is the user's, Unix milliseconds. */
  async #addressesOf(userId: string): Promise<Map<number, number>> {
    const owned = new Map<number, number>()
    for (const [n, site] of (await this.#options.store.listSites(userId)).entries()) {
      if (n % sitesAtOnce === sitesAtOnce - 1) await nextTurn()
      const record = parseHostRecord(site.host)
      if (!record.ok || !site.enabled) continue
      const { addresses } = this.#options.watch.addressesOf(userId, record, site.createdMs)
      for (const { address, sinceMs, isOwn } of addresses) {
        const knownMs = Math.max(site.createdMs, sinceMs ?? 0)
        if (isOwn) owned.set(address, Math.min(knownMs, owned.get(address) ?? knownMs))
      }
    }
    return owned
  }
}

function ratesOf(sums: readonly MinuteSum[], fromMinute: number) {
  const empty = () => new Array<number>(minutesShown).fill(0)
  const rates = { bytesPerSecond: empty(), packetsPerSecond: empty(), flowsPerSecond: empty() }
  for (const { minute, bytes, packets, flows } of sums) {
    const at = (minute - fromMinute) / 60
    rates.bytesPerSecond[at] += bytes / 60
    rates.packetsPerSecond[at] += packets / 60
    rates.flowsPerSecond[at] += flows / 60
  }
  return {
    bytesPerSecond: rates.bytesPerSecond.map(rounded),
    packetsPerSecond: rates.packetsPerSecond.map(rounded),
    flowsPerSecond: rates.flowsPerSecond.map(rounded),
  }
}

function rounded(rate: number): number {
  return Math.max(0, Number(rate.toFixed(2)))
}

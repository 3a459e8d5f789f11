// The traffic of all of a user's sites by the minute, for the chart of the overview. To add it up takes a while where there are many addresses: it
// is done a part at a time, and for a bounded number of addresses.
import type { Clock } from '../../clock.ts'
import type { TrafficByMinute } from '../../contract/overview.ts'
import { formatTime } from '../../contract/time.ts'
import type { Store } from '../../store/store.ts'
import type { SiteWatch } from '../sites/report.ts'
import { ownedAddresses, ratesOf, sumOwned } from './owned-traffic.ts'

const daySeconds = 86_400
const addressesMax = 1_000

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
    const { store, clock, watch } = this.#options
    const toMinute = Math.floor(clock.now() / 60_000) * 60
    const window = { fromMinute: toMinute - daySeconds, toMinute, stepSeconds: 60 }
    const owned = await ownedAddresses(userId, await store.listSites(userId), watch)
    const shown = owned.slice(0, addressesMax)
    return {
      from: formatTime(window.fromMinute * 1_000),
      stepSeconds: window.stepSeconds,
      ...ratesOf(await sumOwned(store, userId, shown, window), window),
      addressesOmitted: owned.length - shown.length,
    }
  }
}

// The traffic of addresses that are a user's, each from when it was: which they are, and what they add up to by steps.
import { setImmediate as nextTurn } from 'node:timers/promises'
import type { HostRecord } from '../../access/host-record.ts'
import type { TrafficCourse } from '../../contract/traffic.ts'
import type { SecondRates } from '../../history/minute-series.ts'
import { addressLength, prefixLength } from '../../net/network.ts'
import type { SeriesWindow, Site, StepSum, Store } from '../../store/store.ts'
import { roundedRate } from '../rounding.ts'
import type { SiteWatch } from '../sites/report.ts'

/** An address that is the user's. */
export interface OwnedAddress {
  address: number
  /** When it became the user's, Unix milliseconds. */
  sinceMs: number
  /** The narrowest of the user's sites that it belongs to. */
  site: string
}

/** Rates in columns, a value for each step. */
export interface Rates {
  bytesPerSecond: number[]
  packetsPerSecond: number[]
  flowsPerSecond: number[]
}

/** Where they lead is looked up in one go. */
const sitesAtOnce = 10

/** Addresses of the enabled sites among these, in any order. */
export async function ownedAddresses(
  userId: string,
  sites: readonly Site[],
  watch: Pick<SiteWatch, 'addressesOf'>,
): Promise<OwnedAddress[]> {
  const records = sites.flatMap((site) => (site.enabled && site.record !== null ? [{ site, record: site.record }] : []))
  const owned = new Map<number, OwnedAddress>()
  for (const [n, { site, record }] of records.toSorted((a, b) => width(a.record) - width(b.record)).entries()) {
    if (n % sitesAtOnce === sitesAtOnce - 1) await nextTurn()
    for (const { address, sinceMs, isOwn } of watch.addressesOf(userId, record, site).addresses) {
      if (!isOwn) continue
      const knownMs = Math.max(site.watchedMs, sinceMs ?? 0)
      const known = owned.get(address)
      if (known === undefined) owned.set(address, { address, sinceMs: knownMs, site: site.host })
      else known.sinceMs = Math.min(known.sinceMs, knownMs)
    }
  }
  return [...owned.values()]
}

/** As events are matched to sites: the address, the longest network, the name, the longest wildcard. */
function width(record: HostRecord): number {
  if (record.kind === 'fqdn') return 1_000
  return record.kind === 'wildcard' ? 2_000 - record.zone.length : addressLength - prefixLength(record.network)
}

/** Each address from when it was the user's. `isWanted`: asked now and then; when nobody waits for it any more, what there is so far is given. */
export function sumOwned(
  store: Pick<Store, 'sumSeries'>,
  userId: string,
  owned: readonly OwnedAddress[],
  window: SeriesWindow,
  isWanted?: () => boolean,
): Promise<StepSum[]> {
  const targets = owned.map(({ address, sinceMs }) => ({ address, fromMinute: Math.ceil(sinceMs / 60_000) * 60 }))
  return store.sumSeries(userId, targets, window, isWanted)
}

/** Averages of the steps. */
export function ratesOf(sums: readonly StepSum[], window: SeriesWindow): Rates {
  return columnsOf(sums, window, (sum) => sum, window.stepSeconds)
}

/** With what the least and the most of the minutes of each step had, and the busiest second of the whole time. */
export function courseOf(sums: readonly StepSum[], window: SeriesWindow): TrafficCourse {
  const { stepSeconds } = window
  const none = { bytes: 0, packets: 0, flows: 0 }
  // A minute without traffic has no row.
  const leastOf = (sum: StepSum) => (sum.minutes * 60 < stepSeconds ? none : sum.least)
  const peak = { ...none }
  for (const { busiest } of sums) {
    peak.bytes = Math.max(peak.bytes, busiest.bytes)
    peak.packets = Math.max(peak.packets, busiest.packets)
    peak.flows = Math.max(peak.flows, busiest.flows)
  }
  return {
    ...ratesOf(sums, window),
    min: columnsOf(sums, window, leastOf, 60),
    max: columnsOf(sums, window, ({ most }) => most, 60),
    peak: {
      bytesPerSecond: roundedRate(peak.bytes),
      packetsPerSecond: roundedRate(peak.packets),
      flowsPerSecond: roundedRate(peak.flows),
    },
  }
}

/** A value for each step: amounts of `seconds` as rates. */
function columnsOf(
  sums: readonly StepSum[],
  { fromMinute, toMinute, stepSeconds }: SeriesWindow,
  amountsOf: (sum: StepSum) => SecondRates,
  seconds: number,
): Rates {
  const steps = Math.ceil((toMinute - fromMinute) / stepSeconds)
  const first = toMinute - steps * stepSeconds
  const zeros = () => Array.from({ length: steps }, () => 0)
  const rates = { bytesPerSecond: zeros(), packetsPerSecond: zeros(), flowsPerSecond: zeros() }
  for (const sum of sums) {
    const step = (sum.minute - first) / stepSeconds
    const { bytes, packets, flows } = amountsOf(sum)
    rates.bytesPerSecond[step] = roundedRate(bytes / seconds)
    rates.packetsPerSecond[step] = roundedRate(packets / seconds)
    rates.flowsPerSecond[step] = roundedRate(flows / seconds)
  }
  return rates
}

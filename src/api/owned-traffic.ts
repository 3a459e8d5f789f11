// The traffic of addresses that are a user's, each from when it was: which they are, and what they add up to by steps.
import { setImmediate as nextTurn } from 'node:timers/promises'
import type { MinuteSum, SeriesWindow, Site, Store } from '../store/store.ts'
import { type HostRecord, parseHostRecord } from '../targets/site.ts'
import type { SiteWatch } from './site-report.ts'

/** An address that the user has a say over. */
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
/** Added up before it is looked whether anybody still waits for it. */
const addressesAtOnce = 50

/** Of enabled sites among these, in any order. */
export async function ownedAddresses(
  userId: string,
  sites: readonly Site[],
  watch: Pick<SiteWatch, 'addressesOf'>,
): Promise<OwnedAddress[]> {
  const records = sites.flatMap((site) => {
    const record = parseHostRecord(site.host)
    return record.ok && site.enabled ? [{ site, record }] : []
  })
  const owned = new Map<number, OwnedAddress>()
  for (const [n, { site, record }] of records.toSorted((a, b) => width(a.record) - width(b.record)).entries()) {
    if (n % sitesAtOnce === sitesAtOnce - 1) await nextTurn()
    for (const { address, sinceMs, isOwn } of watch.addressesOf(userId, record, site.createdMs).addresses) {
      if (!isOwn) continue
      const knownMs = Math.max(site.createdMs, sinceMs ?? 0)
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
  return record.kind === 'wildcard' ? 2_000 - record.zone.length : record.last - record.first
}

/** `isWanted`: asked now and then; when nobody waits for it any more, what there is so far is given. */
export async function sumOwned(
  store: Pick<Store, 'sumSeries'>,
  owned: readonly OwnedAddress[],
  window: SeriesWindow,
  isWanted: () => boolean = () => true,
): Promise<MinuteSum[]> {
  const sums: MinuteSum[] = []
  // Most were the user's all the while: they are added up together.
  const bySince = Map.groupBy(owned, ({ sinceMs }) => Math.max(window.fromMinute, Math.ceil(sinceMs / 60_000) * 60))
  for (const [fromMinute, group] of bySince) {
    if (fromMinute >= window.toMinute) continue
    for (let at = 0; at < group.length && isWanted(); at += addressesAtOnce) {
      const addresses = group.slice(at, at + addressesAtOnce).map(({ address }) => address)
      for (const sum of await store.sumSeries(addresses, { ...window, fromMinute })) sums.push(sum)
    }
  }
  return sums
}

export function ratesOf(sums: readonly MinuteSum[], { fromMinute, toMinute, stepSeconds }: SeriesWindow): Rates {
  const steps = Math.ceil((toMinute - fromMinute) / stepSeconds)
  const first = toMinute - steps * stepSeconds
  const bytes = new Float64Array(steps)
  const packets = new Float64Array(steps)
  const flows = new Float64Array(steps)
  for (const sum of sums) {
    const step = (sum.minute - first) / stepSeconds
    bytes[step] += sum.bytes
    packets[step] += sum.packets
    flows[step] += sum.flows
  }
  const perSecond = (amounts: Float64Array) => Array.from(amounts, (amount) => rounded(amount / stepSeconds))
  return { bytesPerSecond: perSecond(bytes), packetsPerSecond: perSecond(packets), flowsPerSecond: perSecond(flows) }
}

/** Differences of floating point leave traces of what is over, also below zero. */
function rounded(rate: number): number {
  return Math.max(0, Number(rate.toFixed(2)))
}

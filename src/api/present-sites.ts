// Sites with what goes on at each as /api/v1 shows them. Pure.
import type { SiteOverview } from '../contract/group-schemas.ts'
import { formatTime } from '../contract/time.ts'
import type { TargetRates } from '../detect/target-state.ts'
import type { Site, SiteEvents } from '../store/store.ts'
import type { HostRecord } from '../targets/site.ts'

export interface SiteFacts {
  kind: HostRecord['kind']
  addresses: SiteOverview['addresses']
  /** Of those of its addresses that were heard of; null: it is not known. */
  rates: TargetRates[] | null
  events: SiteEvents
}

export function presentSiteOverview(site: Site, { kind, addresses, rates, events }: SiteFacts): SiteOverview {
  const { last, open } = events
  return {
    host: site.host,
    kind,
    isEnabled: site.enabled,
    addedAt: formatTime(site.createdMs),
    group: site.groupId === null ? null : { id: site.groupId, name: site.groupName },
    addresses,
    rates: rates === null || !site.enabled ? null : presentRates(rates),
    deviation: rates === null ? null : deviationOf(rates),
    learnt: rates === null || rates.length === 0 ? null : rounded(sum(rates, ({ learnt }) => learnt) / rates.length),
    openEvents: open,
    lastEvent:
      last === null
        ? null
        : {
            id: last.id,
            createdAt: formatTime(last.createdMs),
            state: last.endMs === null ? 'open' : 'ended',
            attackType: last.label,
          },
  }
}

function presentRates(rates: readonly TargetRates[]): SiteOverview['rates'] {
  return {
    bytesPerSecond: rounded(sum(rates, ({ bytes }) => bytes)),
    packetsPerSecond: rounded(sum(rates, ({ packets }) => packets)),
    flowsPerSecond: rounded(sum(rates, ({ flows }) => flows)),
  }
}

/** Of the addresses whose normal is learnt. */
function deviationOf(rates: readonly TargetRates[]): number | null {
  const learnt = rates.filter(({ normal }) => normal !== null)
  const normal = sum(learnt, (each) => each.normal ?? 0)
  return normal === 0 ? null : rounded(sum(learnt, ({ packets }) => packets) / normal)
}

function sum(rates: readonly TargetRates[], of: (each: TargetRates) => number): number {
  return rates.reduce((total, each) => total + of(each), 0)
}

/** Differences of floating point leave traces of what is over, also below zero. */
function rounded(value: number): number {
  return Number.isFinite(value) ? Math.max(0, Number(value.toFixed(2))) : 0
}

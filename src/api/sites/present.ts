// Sites with what goes on at each as /api/v1 shows them. Pure.

import type { SiteOverview } from '../../contract/sites/groups.ts'
import { formatTime } from '../../contract/time.ts'
import type { TargetRates } from '../../detect/targets/target-state.ts'
import type { Site, SiteEvents } from '../../store/store.ts'
import { roundedRate } from '../rounding.ts'

export interface SiteFacts {
  addresses: SiteOverview['addresses']
  /** The site's addresses with traffic; null: unknown. */
  rates: TargetRates[] | null
  events: SiteEvents
}

export function presentSiteOverview(site: Site, { addresses, rates, events }: SiteFacts): SiteOverview {
  const { last, open } = events
  return {
    host: site.host,
    kind: site.record?.kind ?? 'fqdn',
    isEnabled: site.enabled,
    addedAt: formatTime(site.createdMs),
    group: site.groupId === null ? null : { id: site.groupId, name: site.groupName },
    addresses,
    rates: rates === null || !site.enabled ? null : presentRates(rates),
    deviation: rates === null ? null : deviationOf(rates),
    learnt:
      rates === null || rates.length === 0 ? null : roundedRate(sum(rates, ({ learnt }) => learnt) / rates.length),
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
    bytesPerSecond: roundedRate(sum(rates, ({ bytes }) => bytes)),
    packetsPerSecond: roundedRate(sum(rates, ({ packets }) => packets)),
    flowsPerSecond: roundedRate(sum(rates, ({ flows }) => flows)),
  }
}

/** Addresses whose baseline is learnt. */
function deviationOf(rates: readonly TargetRates[]): number | null {
  const learnt = rates.filter(({ normal }) => normal !== null)
  const normal = sum(learnt, (each) => each.normal ?? 0)
  return normal === 0 ? null : roundedRate(sum(learnt, ({ packets }) => packets) / normal)
}

function sum(rates: readonly TargetRates[], of: (each: TargetRates) => number): number {
  return rates.reduce((total, each) => total + of(each), 0)
}

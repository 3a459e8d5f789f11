// What answers the endpoints of sites.
import type { siteEndpoints } from '../../contract/sites/endpoints.ts'
import type { Handlers } from '../http/endpoints.ts'
import { createGroupHandlers, type GroupHandlerOptions } from './groups.ts'
import { createSiteOverviewHandlers, type SiteOverviewOptions } from './overviews.ts'
import { createProofHandlers, type ProofHandlerOptions } from './proofs.ts'
import { createSiteReportHandlers, type SiteReportOptions } from './report.ts'
import { createSimulationHandlers, type SimulationHandlerOptions } from './simulations.ts'
import { createSiteHandlers, type SiteHandlerOptions } from './sites.ts'

export type SiteParts = SiteHandlerOptions &
  SiteOverviewOptions &
  GroupHandlerOptions &
  SiteReportOptions &
  SimulationHandlerOptions &
  ProofHandlerOptions

export function siteHandlers(parts: SiteParts): Handlers<keyof typeof siteEndpoints> {
  return {
    ...createSiteHandlers(parts),
    ...createSiteOverviewHandlers(parts),
    ...createGroupHandlers(parts),
    ...createSiteReportHandlers(parts),
    ...createSimulationHandlers(parts),
    ...createProofHandlers(parts),
  }
}

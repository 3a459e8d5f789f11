// All endpoints of sites, and the shapes that have names of their own in the description of the interface.
import { Group, groupEndpoints, SiteOverview } from './groups.ts'
import { AddOutcome, BatchOutcome, HostBatch, openSiteEndpoints, Site } from './open.ts'
import { siteReportEndpoints } from './report.ts'
import { Simulation, simulationEndpoints } from './simulations.ts'

export const siteEndpoints = { ...openSiteEndpoints, ...groupEndpoints, ...siteReportEndpoints, ...simulationEndpoints }

export const siteShapes = { Site, HostBatch, AddOutcome, BatchOutcome, SiteOverview, Group, Simulation }

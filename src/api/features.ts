// The features of the interface. Each has a folder, declares there what it needs of the service, and answers its endpoints of the contract: one
// without a handler does not compile.
import { type AccountParts, accountHandlers } from './accounts/handlers.ts'
import { alertHandlers } from './alerts/handlers.ts'
import type { AlertParts } from './alerts/parts.ts'
import { type AuditParts, auditHandlers } from './audit/handlers.ts'
import { type EventParts, eventHandlers } from './events/events.ts'
import { type ExporterParts, exporterHandlers } from './exporters/exporters.ts'
import type { Handlers } from './http/endpoints.ts'
import { type LiveParts, liveHandlers } from './live/stream.ts'
import { type NameParts, nameHandlers } from './names/handlers.ts'
import { type OverviewParts, overviewHandlers } from './overview/handlers.ts'
import { type SiteParts, siteHandlers } from './sites/handlers.ts'
import { type ExplanationParts, explanationHandlers } from './targets/explanations.ts'
import { type TargetParts, targetHandlers } from './targets/targets.ts'
import { type TrafficParts, trafficHandlers } from './traffic/traffic.ts'

/** What the features need together. */
export type FeatureParts = SiteParts &
  EventParts &
  TargetParts &
  ExplanationParts &
  NameParts &
  ExporterParts &
  OverviewParts &
  TrafficParts &
  LiveParts &
  AccountParts &
  AuditParts &
  AlertParts

export function createHandlers(parts: FeatureParts): Handlers {
  return {
    ...siteHandlers(parts),
    ...eventHandlers(parts),
    ...targetHandlers(parts),
    ...explanationHandlers(parts),
    ...nameHandlers(parts),
    ...exporterHandlers(parts),
    ...overviewHandlers(parts),
    ...trafficHandlers(parts),
    ...liveHandlers(parts),
    ...accountHandlers(parts),
    ...auditHandlers(parts),
    ...alertHandlers(parts),
  }
}

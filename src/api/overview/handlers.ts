// The endpoints of the overview: everything at once, a search in it, and how the service is.
import type { overviewEndpoints } from '../../contract/overview.ts'
import type { Handlers } from '../http/endpoints.ts'
import { createOverviewHandlers, type GetOverviewParts } from './overview.ts'
import { createSearchHandlers, type SearchParts } from './search.ts'
import { createStatusHandlers, type StatusParts } from './status.ts'

export type OverviewParts = GetOverviewParts & SearchParts & StatusParts

export function overviewHandlers(parts: OverviewParts): Handlers<keyof typeof overviewEndpoints> {
  return { ...createOverviewHandlers(parts), ...createSearchHandlers(parts), ...createStatusHandlers(parts) }
}

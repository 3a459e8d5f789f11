// The endpoints of the overview: everything at once, a search in it, and how the service is.
import type { overviewEndpoints } from '../../contract/overview.ts'
import type { Handlers } from '../http/endpoints.ts'
import { type OverviewParts, overviewHandlers } from './overview.ts'
import { type SearchParts, searchHandlers } from './search.ts'
import { type StatusParts, statusHandlers } from './status.ts'

export type LookParts = OverviewParts & SearchParts & StatusParts

export function lookHandlers(parts: LookParts): Handlers<keyof typeof overviewEndpoints> {
  return { ...overviewHandlers(parts), ...searchHandlers(parts), ...statusHandlers(parts) }
}

// What answers the endpoints of names.
import type { nameEndpoints } from '../../contract/names/endpoints.ts'
import type { Handlers } from '../http/endpoints.ts'
import { createPassiveDnsHandlers, type PassiveDnsHandlerOptions } from './names.ts'
import { createNameReportHandlers, type NameReportOptions } from './report.ts'

export type NameParts = Omit<NameReportOptions, 'names'> & {
  names: Pick<NameReportOptions, 'names'> & Pick<PassiveDnsHandlerOptions, 'importNames'>
}

export function nameHandlers({ names, ...parts }: NameParts): Handlers<keyof typeof nameEndpoints> {
  return { ...createPassiveDnsHandlers({ ...parts, ...names }), ...createNameReportHandlers({ ...parts, ...names }) }
}

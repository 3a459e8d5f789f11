// All endpoints of names, and the shapes that have names of their own in the description of the interface.
import { NamesImport, passiveDnsEndpoints } from './passive-dns.ts'
import { NameFindings, NameRecord, NameSources, nameReportEndpoints } from './report.ts'

export const nameEndpoints = { ...passiveDnsEndpoints, ...nameReportEndpoints }

export const nameShapes = { NamesImport, NameRecord, NameFindings, NameSources }

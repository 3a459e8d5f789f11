// The shapes of the interface, as the service declares them. Types only: nothing of the service is in the client at run time.
export type { EventOverview, EventReport, EventSeries } from '../src/contract/event-schemas.ts'
export type { Exporter, ExporterDetail, ExporterList } from '../src/contract/exporter-schemas.ts'
export type { NameFindings, NameRecord, NameSources } from '../src/contract/name-report-schemas.ts'
export type { NamesImport, PassiveDnsRecord } from '../src/contract/name-schemas.ts'
export type { AttackSpan } from '../src/contract/overview-schemas.ts'
export type {
  AddOutcome,
  BatchOutcome,
  DdosEvent,
  DdosEventDetail,
  DnsSnapshot,
  Site,
  StatisticEntry,
} from '../src/contract/schemas.ts'
export type { Simulation, WantedSimulation } from '../src/contract/simulation-schemas.ts'
export type { Proof, ProofList, SiteReport } from '../src/contract/site-schemas.ts'
export type { Target } from '../src/contract/target-schemas.ts'
export type { Traffic } from '../src/contract/traffic-schemas.ts'

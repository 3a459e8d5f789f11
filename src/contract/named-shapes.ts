// The shapes that have names of their own in the description of the interface.
import type { TSchema } from 'typebox'
import { Allowed, Identity, ListedUser, Session, Token, User } from './account-schemas.ts'
import { EventEpisode, EventRates } from './event-amount-schemas.ts'
import {
  AutonomousSystem,
  EventExporterEntry,
  EventInterfaces,
  EventOrigins,
  EventSystems,
} from './event-origin-schemas.ts'
import {
  EventBand,
  EventCourse,
  EventDns,
  EventListEntry,
  EventNote,
  EventOverview,
  EventReport,
  EventSample,
  EventSeries,
  EventSource,
  EventStatistics,
  EventVector,
  EventVictim,
  EventWhy,
} from './event-schemas.ts'
import {
  Exporter,
  ExporterDetail,
  ExporterFinding,
  ExporterSampling,
  ExporterStream,
  ExporterTemplate,
  Reception,
} from './exporter-schemas.ts'
import { Group, SiteOverview } from './group-schemas.ts'
import { NameFindings, NameRecord, NameSources } from './name-report-schemas.ts'
import { NamesImport } from './name-schemas.ts'
import { AttackSpan, OpenEvent, Overview, SearchResult, Status, TrafficByMinute } from './overview-schemas.ts'
import * as shapes from './schemas.ts'
import { Simulation } from './simulation-schemas.ts'
import { Target, TargetClass, TargetSettings } from './target-schemas.ts'
import { Traffic, TrafficCourse } from './traffic-schemas.ts'

const { Site, HostBatch, AddOutcome, BatchOutcome, DdosEvent, DdosEventDetail, StatisticEntry, DnsSnapshot, Problem } =
  shapes
export const named: Record<string, TSchema> = {
  Site,
  HostBatch,
  AddOutcome,
  BatchOutcome,
  DdosEvent,
  DdosEventDetail,
  StatisticEntry,
  DnsSnapshot,
  EventRates,
  EventEpisode,
  EventOverview,
  EventReport,
  EventStatistics,
  EventNote,
  EventListEntry,
  EventSource,
  EventOrigins,
  AutonomousSystem,
  EventExporterEntry,
  EventSystems,
  EventInterfaces,
  EventSample,
  EventWhy,
  EventVector,
  EventVictim,
  EventDns,
  EventSeries,
  EventCourse,
  EventBand,
  Target,
  TargetClass,
  TargetSettings,
  NamesImport,
  NameRecord,
  NameFindings,
  NameSources,
  Exporter,
  ExporterDetail,
  ExporterFinding,
  ExporterSampling,
  ExporterStream,
  ExporterTemplate,
  Reception,
  Overview,
  TrafficByMinute,
  AttackSpan,
  OpenEvent,
  Traffic,
  TrafficCourse,
  SearchResult,
  Status,
  SiteOverview,
  Group,
  Simulation,
  User,
  ListedUser,
  Token,
  Allowed,
  Session,
  Identity,
  Problem,
}

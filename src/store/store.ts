// Everything that outlives the process, as verbs of the domain, by feature. Adapters: sqlite/. All verbs are async and deal in plain records;
// every verb that takes a user sees that user's rows only. `test/store-contract.ts` is the suite that an adapter must pass.

import type { View } from '../access/authority.ts'
import type { Policy } from '../access/policy.ts'
import type { SavedProof } from '../access/proof.ts'
import type { Role, Scope } from '../access/roles.ts'
import type { AlertStore } from '../alert/alert-store.ts'
import type { Audit } from '../audit/audit-store.ts'
import type { StreamName, StreamReport } from '../collect/health/report.ts'
import type { SavedStream, SavedTemplate, StreamChange, StreamKey } from '../decode/saved-streams.ts'
import type { Course } from '../detect/incidents/incident-report.ts'
import type { SavedBaselines } from '../detect/normal/saved-baselines.ts'
import type { SavedTrace } from '../detect/trace/trace-code.ts'
import type { EventStore } from '../events/event-store.ts'
import type { EventNotes } from '../events/notes.ts'
import type { MinutePoint } from '../history/minute-series.ts'
import type { DnsSnapshot } from '../names/bindings/attribution.ts'
import type { NameOrAddress, SavedBinding, SavedObservation } from '../names/bindings/bindings.ts'
import type { Accounts } from './accounts.ts'
import type { KnownBaselines } from './baselines.ts'
import type { EventReader } from './events.ts'
import type { ExporterAdmission, ExporterNotices, StreamReports, StreamStates } from './exporters.ts'
import type { Groups } from './groups.ts'
import type { Idempotency } from './idempotency.ts'
import type { ProviderIdentities } from './identities.ts'
import type { KnownBindings, Observations } from './names.ts'
import type { Operations } from './operations.ts'
import type { Proofs } from './proofs.ts'
import type { SecondFactors } from './second-factors.ts'
import type { Resealing } from './secrets/rekey.ts'
import type { Sites } from './sites.ts'
import type { Traces, Traffic } from './traffic.ts'

export type { AuditFilter, AuditPage, AuditRow, ChainEnd } from '../audit/audit-store.ts'
export type {
  EventDetail,
  EventEntry,
  EventEpisode,
  EventFilter,
  EventKey,
  EventReturn,
  EventSummary,
  EventUpdate,
  EventWindow,
  NewEvent,
  OwnerUpdate,
} from '../events/records.ts'
export type { Credential, NewUser, Session, SessionWay, Token, User } from './accounts.ts'
export type { AttacksWithin, AttackWindow, SiteEvents } from './events.ts'
export type { SavedAdmission } from './exporters.ts'
export type { AddOutcome, Site, SiteFilter } from './sites.ts'
export type { SeriesWindow, Sight, StepSum, TracedPlace, TraceWindow, WantedTarget } from './traffic.ts'

/** What the store keeps as those who make it have it. */
export type {
  Course,
  DnsSnapshot,
  MinutePoint,
  NameOrAddress,
  Policy,
  Role,
  SavedBaselines,
  SavedBinding,
  SavedObservation,
  SavedProof,
  SavedStream,
  SavedTemplate,
  SavedTrace,
  Scope,
  StreamChange,
  StreamKey,
  StreamName,
  StreamReport,
  View,
}

export interface Store
  extends Accounts,
    SecondFactors,
    Resealing,
    Audit,
    ProviderIdentities,
    Groups,
    Sites,
    Proofs,
    EventStore,
    EventReader,
    EventNotes,
    Traffic,
    Traces,
    KnownBindings,
    Observations,
    StreamReports,
    StreamStates,
    ExporterAdmission,
    ExporterNotices,
    KnownBaselines,
    Idempotency,
    Operations,
    AlertStore {}

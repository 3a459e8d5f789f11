// What an event consists of, as the store keeps it: a row for each field, with the type of its value, its column, and how it changes. The types of the
// record, the columns, statements and reading of a store, what a report gives, and what a restart resumes are made of these rows. Numbers that are one
// value each are rows of the contract (see `eventNumbers`). Not a column, and written by hand: `sites`, `episode`, `ofEpisode`.
import type { View } from '../access/authority.ts'
import { type EventNumberName, type EventNumbers, type eventNumbers, ofEachNumber } from '../contract/events/numbers.ts'
import type {
  Amount,
  Continuation,
  Course,
  IncidentReport,
  IncidentState,
  Peak,
  Why,
  Worst,
} from '../detect/incidents/incident-report.ts'
import type { DnsSnapshot } from '../names/bindings/attribution.ts'
import { type Column, flag, integer, json, orNull, real, text, word } from './columns.ts'
import type { HitNetwork } from './hit-network.ts'
import { eventPhases, isOver, phaseOf } from './phase.ts'
import { statisticsColumn } from './statistics-column.ts'

/**
 * `fixed`: written once. `report`: replaced by each report. `owner`: follows what the owner's sites and rights are. `store`: kept by the store itself.
 */
export type Change = 'fixed' | 'report' | 'owner' | 'store'

export interface Field<Value, When extends Change = Change> {
  column: Column<Value>
  changes: When
  /** The value by a report; null: the report has it under the same name, and a resumed attack gets it back under that name. */
  from: ((report: IncidentReport) => Value) | null
  /** Each episode of an event that came back has its own. */
  isOfEpisode: boolean
}

const field = <Value, When extends Change>(column: Column<Value>, changes: When) => ({
  column,
  changes,
  from: null,
  isOfEpisode: false,
})

const fixed = <Value>(column: Column<Value>) => field(column, 'fixed')
const perReport = <Value>(column: Column<Value>) => field(column, 'report')
const perOwner = <Value>(column: Column<Value>) => field(column, 'owner')
const perStore = <Value>(column: Column<Value>) => field(column, 'store')
const perReportFrom = <Value>(column: Column<Value>, from: (report: IncidentReport) => Value) => ({
  ...perReport(column),
  from,
})
const perEpisode = <Row>(row: Row) => ({ ...row, isOfEpisode: true as const })

/** How much there is of an attack, or of one of its episodes. */
export const amountFields = {
  activeSeconds: perEpisode(perReport(real)),
  bytesPerSecond: perEpisode(perReport(real)),
  packetsPerSecond: perEpisode(perReport(real)),
  flowsPerSecond: perEpisode(perReport(real)),
  peak: perEpisode(perReport(json<Peak>())),
} satisfies { [Name in keyof Amount]: Field<Amount[Name], 'report'> }

type NumberFields = {
  [Name in EventNumberName]: Field<EventNumbers[Name], 'report'> & {
    from: null
    isOfEpisode: (typeof eventNumbers)[Name]['isOfEpisode']
  }
}

const numberFields = ofEachNumber<Field<number | null>, NumberFields>((_, { isNullable, isOfEpisode }) => ({
  ...perReport<number | null>(isNullable ? orNull(real) : real),
  isOfEpisode,
}))

/** What lists show: the columns of one table. */
export const summaryFields = {
  /** 24 lower-case hex characters, roughly time-ordered. */
  id: perEpisode(fixed(text)),
  userId: fixed(text),
  incident: fixed(text),
  /** When it became listable: Unix milliseconds, a whole second. No list that was read since then lacks the event (see `EventStore.record`). */
  createdMs: perEpisode(fixed(integer)),
  /** IPv4 address of the victim. */
  address: fixed(integer),
  site: fixed(text),
  domain: fixed(text),
  /** `totals`: statistics are not its owner's to see, and not kept with it. */
  view: perOwner(word<View>(['all', 'totals'], 'totals')),
  label: perEpisode(perReport(orNull(text))),
  ...amountFields,
  ...numberFields,
  worst: perReport(json<Worst>()),
  startMs: perEpisode(perReport(integer)),
  /** When the attack was last seen so far. */
  lastMs: perEpisode(perReportFrom(integer, ({ endMs }) => endMs)),
  /** Null while the attack goes on. */
  endMs: perEpisode(perReportFrom(orNull(integer), (report) => (isOver(report) ? report.endMs : null))),
  /** A word of a newer version is that of an event which does not change any more here. */
  phase: perReportFrom(word(eventPhases, 'closed'), phaseOf),
  /** How often it came back after its end was reported. */
  returns: perStore(integer),
  /** The attack was simulated: it counts nowhere. */
  isTest: fixed(flag),
  /** What a carpet bombing hits of the site; null: `address` alone is hit. */
  network: perOwner(orNull(json<HitNetwork | null>())),
  /** When the store changed it last, and the place of that change among all changes of the user's events: it rises, with gaps. */
  updatedMs: perStore(integer),
  sequence: perStore(integer),
} satisfies Record<string, Field<unknown>>

const { id, createdMs, address, site, domain, label, bytesPerSecond, packetsPerSecond, flowsPerSecond, deviation } =
  summaryFields

/** What the list under `/open` shows of an event, or of an episode of it. It may have the events of years: nothing else is read for it. */
export const entryFields = {
  ...{ id, createdMs, address, site, domain, label },
  ...{ bytesPerSecond, packetsPerSecond, flowsPerSecond, deviation },
}

/** What reasons of older versions lack. */
const whyBefore: Pick<Why, 'band' | 'error' | 'unlearnt'> = { band: null, error: 0, unlearnt: null }

/** What only the detail shows, and is small: the columns of a second table. */
export const detailFields = {
  why: perReport(json<Why[]>((stored) => stored.map((why) => ({ ...whyBefore, ...why })))),
  vectors: perReport(json<IncidentState['vectors']>()),
  /** The victims of all owners; empty: `address` alone is hit. */
  victims: perReport(json<IncidentState['victims']>()),
  /** Likewise, by /24; empty in events of older versions. */
  networks: perReport(json<IncidentState['networks']>()),
  /** Null: the attack can't be followed on after a restart; a closed one is not opened again. */
  followed: perReportFrom(json<Continuation | null>(), ({ phase, followed }) => (phase === 'closed' ? null : followed)),
  dns: perOwner(json<DnsSnapshot[]>()),
} satisfies Record<string, Field<unknown>>

/** What is large and seldom changes: the columns of a third table. Reports bring both in their details. */
export const evidenceFields = {
  statistics: field(statisticsColumn, 'owner'),
  /** Null: it is not known. */
  course: field(json<Course | null>(), 'owner'),
} satisfies Record<string, Field<unknown>>

/** The values of fields, by their names. */
export type ValuesOf<Fields> = {
  -readonly [Name in keyof Fields]: Fields[Name] extends { column: Column<infer Value> } ? Value : never
}

/** The names of the fields that change so. */
export type NamesOf<Fields, When extends Change> = {
  [Name in keyof Fields]: Fields[Name] extends { changes: When } ? Name : never
}[keyof Fields]

/** The fields that change so. */
export function fieldsBy<Fields extends Record<string, Field<unknown>>, When extends Change>(
  fields: Fields,
  ...changes: When[]
): Pick<Fields, NamesOf<Fields, When>> {
  return filtered(fields, (field) => changes.some((each) => each === field.changes))
}

/** What each episode of an event has of its own. */
export const episodeFields: EpisodeFields = filtered(summaryFields, ({ isOfEpisode }) => isOfEpisode)
type EpisodeFields = {
  [Name in keyof Summary as Summary[Name] extends { isOfEpisode: true } ? Name : never]: Summary[Name]
}
type Summary = typeof summaryFields

/** The rows that are wanted: they are those of the type that is asked for. */
function filtered<Fields extends Record<string, Field<unknown>>, Part>(
  fields: Fields,
  isWanted: (field: Field<unknown>) => boolean,
): Part {
  return Object.fromEntries(Object.entries(fields).filter(([, field]) => isWanted(field))) as Part
}

type DeclaredFields = typeof summaryFields & typeof detailFields
type ReportedFieldName = NamesOf<DeclaredFields, 'report'>

/** The fields that a report has under the same name. */
type SameName = {
  [Name in ReportedFieldName]: DeclaredFields[Name] extends { from: null } ? Name : never
}[ReportedFieldName]

/** What each report replaces. */
export type ReportedFields = Pick<ValuesOf<DeclaredFields>, ReportedFieldName>
/** What a report, a record and a resumed attack have alike. */
export type SameFields = Pick<ValuesOf<DeclaredFields>, SameName>

const reported = Object.entries<Field<unknown>>({ ...summaryFields, ...detailFields }).filter(
  ([, { changes }]) => changes === 'report',
)
const sameNames = reported.filter(([, { from }]) => from === null).map(([name]) => name)

/** The fields that have the same name in whatever is given: a report, which does not compile unless it has them all, or an event. */
export function sameFields(given: SameFields): SameFields {
  return pick(given, sameNames)
}

/** What the report replaces in an event. */
export function reportedFields(report: IncidentReport): ReportedFields {
  return { ...sameFields(report), ...derivedFields(report) }
}

type DerivedFields = Omit<ReportedFields, SameName>

/** Each row has the type of what it makes, which the loop over all of them does not. */
function derivedFields(report: IncidentReport): DerivedFields {
  const entries = reported.flatMap(([name, { from }]) => (from === null ? [] : [[name, from(report)]]))
  return Object.fromEntries(entries) as DerivedFields
}

/** The values of these names: they are members of the type that is asked for. */
function pick<Whole extends object, Part extends Partial<Whole>>(whole: Whole, names: readonly string[]): Part {
  return Object.fromEntries(Object.entries(whole).filter(([name]) => names.includes(name))) as Part
}

const amountNames = Object.keys(amountFields)

export function amountOf(given: Amount): Amount {
  return pick(given, amountNames)
}

// All endpoints of events, and the shapes that have names of their own in the description of the interface.
import { Type } from 'typebox'
import { endpoint } from '../route.ts'
import { EventEpisode, EventRates } from './amounts.ts'
import {
  EventBand,
  EventCourse,
  EventDns,
  EventListEntry,
  EventNote,
  EventOverview,
  EventOverviews,
  EventReport,
  EventSample,
  EventSeries,
  EventSource,
  EventStatistics,
  EventVector,
  EventVictim,
  EventWhy,
} from './event.ts'
import { overviewExample, reportExample, seriesExample } from './examples.ts'
import { eventFilters } from './filters.ts'
import { EventNoteChange, EventTable, RelatedEvents } from './notes.ts'
import {
  DdosEvent,
  DdosEventDetail,
  DnsSnapshot,
  EventParams,
  EventQuery,
  openEventEndpoints,
  StatisticEntry,
} from './open.ts'
import { AutonomousSystem, EventExporterEntry, EventInterfaces, EventOrigins, EventSystems } from './origins.ts'

const FindEventsQuery = Type.Object({ ...EventQuery.properties, ...eventFilters })

export const eventEndpoints = {
  ...openEventEndpoints,
  findEvents: endpoint(
    {
      method: 'GET',
      path: '/api/v1/events',
      scope: 'read',
      role: 'viewer',
      tag: 'Events',
      summary: 'Find events',
      description:
        'Events of the caller that pass all given filters. Window (by `createdAt`), order and pages are those of the list under `/open`.',
      givesPages: true,
      links: {
        report: {
          endpoint: 'getEventReport',
          id: '$response.body#/events/0/id',
          description: 'The report about the first event.',
        },
        series: {
          endpoint: 'getEventSeries',
          id: '$response.body#/events/0/id',
          description: 'The traffic of the first event over time.',
        },
      },
    },
    { query: FindEventsQuery, response: EventOverviews },
    { response: { events: [overviewExample] } },
  ),
  getEventReport: endpoint(
    {
      method: 'GET',
      path: '/api/v1/events/{id}',
      scope: 'read',
      role: 'viewer',
      tag: 'Events',
      summary: 'Get an event',
      description:
        'Start, end, rates, the thresholds that were crossed, statistics with their errors, and sample records. Exporters are shown only to tokens that also have the scope `admin`.',
      mayBeMissing: true,
    },
    { params: EventParams, response: EventReport },
    { response: reportExample },
  ),
  getEventSeries: endpoint(
    {
      method: 'GET',
      path: '/api/v1/events/{id}/series',
      scope: 'read',
      role: 'viewer',
      tag: 'Events',
      summary: 'Get the traffic of an event over time',
      description:
        'The traffic of the victim from a minute before the attack to its end, in steps of one second. Longer attacks have longer steps, 512 at most.',
      mayBeMissing: true,
    },
    { params: EventParams, response: EventSeries },
    { response: seriesExample },
  ),
  noteEvent: endpoint(
    {
      method: 'PATCH',
      path: '/api/v1/events/{id}',
      scope: 'write',
      role: 'member',
      tag: 'Events',
      summary: 'Annotate an event',
      description: 'Acknowledges an event of the caller, classifies it, and adds a text. Detection is not affected.',
      mayBeMissing: true,
    },
    { params: EventParams, body: EventNoteChange, response: EventNote },
    {
      body: { acknowledged: true, classification: 'attack', text: reportExample.note.text },
      response: reportExample.note,
    },
  ),
  getRelatedEvents: endpoint(
    {
      method: 'GET',
      path: '/api/v1/events/{id}/related',
      scope: 'read',
      role: 'viewer',
      tag: 'Events',
      summary: 'List related events',
      description:
        'Other events of the caller, with what they have in common: the latest of the same site, the latest of the same victim, and those that began within an hour of it.',
      mayBeMissing: true,
    },
    { params: EventParams, response: RelatedEvents },
    { response: { events: [{ event: overviewExample, because: ['site', 'address'] }] } },
  ),
  getEventTable: endpoint(
    {
      method: 'GET',
      path: '/api/v1/events/{id}/csv',
      scope: 'read',
      role: 'viewer',
      tag: 'Events',
      summary: 'Get an event as CSV',
      description:
        'The report as comma-separated values (RFC 4180). A value that a spreadsheet would take for a formula begins with an apostrophe.',
      givesCsv: true,
      mayBeMissing: true,
    },
    { params: EventParams, response: EventTable },
    { response: 'section,name,value,flows,packets,bytes,protocols\r\nevent,address,192.0.2.10,,,,\r\n' },
  ),
}

export const eventShapes = {
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
}

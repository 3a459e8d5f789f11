// The endpoints of what people say of events, and of what goes beyond one of them, as plain data.
import type { Route } from './route.ts'

export const noteRoutes = {
  noteEvent: {
    method: 'PATCH',
    path: '/api/v1/events/{id}',
    scope: 'write',
    tag: 'Events',
    summary: 'Say something of an event',
    description: 'Acknowledges an event of the caller, says what it was, and why. Detection goes on as before.',
    mayBeMissing: true,
  },
  getRelatedEvents: {
    method: 'GET',
    path: '/api/v1/events/{id}/related',
    scope: 'read',
    tag: 'Events',
    summary: 'Get what an event has to do with',
    description:
      'Other events of the caller: the latest of the same site and of the same victim, and those that began within an hour of it; with what they have in common.',
    mayBeMissing: true,
  },
  getEventTable: {
    method: 'GET',
    path: '/api/v1/events/{id}/csv',
    scope: 'read',
    tag: 'Events',
    summary: 'Get all of an event as a table',
    description:
      'What the report has, as comma-separated values (RFC 4180). What a spreadsheet would take for a formula begins with an apostrophe.',
    givesCsv: true,
    mayBeMissing: true,
  },
} as const satisfies Record<string, Route>

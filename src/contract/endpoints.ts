// The interface as a whole: every endpoint by its name, feature by feature. From this table come validation, serialization, OpenAPI, and the
// types of the handlers, of the client and of the console.
import type { Static, TSchema } from 'typebox'
import { accountEndpoints, accountShapes } from './accounts/endpoints.ts'
import { alertEndpoints, alertShapes } from './alerts/endpoints.ts'
import { auditEndpoints, auditShapes } from './audit.ts'
import { eventEndpoints, eventShapes } from './events/endpoints.ts'
import { explanationEndpoints, explanationShapes } from './explanations.ts'
import { exporterEndpoints, exporterShapes } from './exporters/endpoints.ts'
import { liveEndpoints } from './live.ts'
import { nameEndpoints, nameShapes } from './names/endpoints.ts'
import { overviewEndpoints, overviewShapes } from './overview.ts'
import type { Endpoint, Part } from './route.ts'
import { Problem } from './shapes.ts'
import { siteEndpoints, siteShapes } from './sites/endpoints.ts'
import { targetEndpoints, targetShapes } from './targets.ts'
import { trafficEndpoints, trafficShapes } from './traffic.ts'

export const endpoints = {
  ...siteEndpoints,
  ...eventEndpoints,
  ...targetEndpoints,
  ...explanationEndpoints,
  ...nameEndpoints,
  ...exporterEndpoints,
  ...overviewEndpoints,
  ...trafficEndpoints,
  ...liveEndpoints,
  ...accountEndpoints,
  ...auditEndpoints,
  ...alertEndpoints,
} satisfies Record<string, Endpoint>

/** The shapes that have names of their own in the description of the interface. */
export const namedShapes: Readonly<Record<string, TSchema>> = {
  ...siteShapes,
  ...eventShapes,
  ...targetShapes,
  ...explanationShapes,
  ...nameShapes,
  ...exporterShapes,
  ...overviewShapes,
  ...trafficShapes,
  ...accountShapes,
  ...auditShapes,
  ...alertShapes,
  Problem,
}

export type EndpointName = keyof typeof endpoints

/** `Object.keys` forgets that the names are the table's. */
export function endpointNames(): EndpointName[] {
  return Object.keys(endpoints) as EndpointName[]
}

type ShapesOf<Name extends EndpointName> = (typeof endpoints)[Name]['shapes']

export type Body<Name extends EndpointName> = Part<ShapesOf<Name>, 'body'>
export type Params<Name extends EndpointName> = Part<ShapesOf<Name>, 'params'>
export type Query<Name extends EndpointName> = Part<ShapesOf<Name>, 'query'>
export type Response<Name extends EndpointName> = Static<ShapesOf<Name>['response']>

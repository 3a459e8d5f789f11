// The shapes of where an attack comes from: by country and network as databases say, by autonomous system and interface as exporters say.
import { type Static, Type } from 'typebox'
import { closed, Maybe } from '../shapes.ts'

const amounts = {
  flows: Type.Number({ minimum: 0, description: 'Flow records.' }),
  packets: Type.Number({ minimum: 0, description: 'Scaled by the sampling rate.' }),
  bytes: Type.Number({ minimum: 0, description: 'Scaled by the sampling rate.' }),
}

export const flowsMissedMax = Type.Integer({
  minimum: 0,
  description:
    'The most flow records that an entry may have beyond those counted, and that an item missing from the list may have. 0: the list is exact.',
})

export const AutonomousSystem = Type.Object(
  { number: Type.Integer({ minimum: 1, maximum: 4_294_967_295 }), name: Type.String({ description: 'May be empty.' }) },
  closed,
)

/** Where a source is. */
export const place = {
  country: Maybe(
    Type.String({ pattern: '^[A-Z]{2}$' }),
    'ISO 3166-1 alpha-2. Null: it is not known, or there is no database (`geo.databases`).',
  ),
  as: Maybe(AutonomousSystem, 'The autonomous system that announces it. Null: likewise.'),
}

const origin = { sources: Type.Integer({ minimum: 1, description: 'Entries of `sources`.' }), ...amounts }

export const EventOrigins = Type.Object(
  {
    countries: Type.Array(Type.Object({ country: place.country, ...origin }, closed), {
      description: 'Most packets first.',
    }),
    systems: Type.Array(Type.Object({ as: place.as, ...origin }, closed), { description: 'Likewise.' }),
  },
  closed,
)

export const EventExporterEntry = Type.Object(
  {
    address: Maybe(Type.String(), 'Null: one of those that are too many to be told apart.'),
    ...amounts,
  },
  closed,
)

export const EventSystems = Type.Object(
  {
    flowsMissedMax,
    entries: Type.Array(Type.Object({ as: AutonomousSystem, ...amounts }, closed), {
      description: 'Most flow records first, 100 at most.',
    }),
  },
  {
    ...closed,
    description:
      'By autonomous system of the source, as the routing tables of exporters have it (elements 16 and 129, NetFlow v5, sFlow). Records that say nothing of it are left out.',
  },
)

export const EventInterfaces = Type.Object(
  {
    flowsMissedMax,
    entries: Type.Array(
      Type.Object(
        {
          exporter: Maybe(Type.String(), 'Whose interface it is. Null: an exporter that is one of too many.'),
          interface: Type.Integer({ minimum: 1, maximum: 4_294_967_295, description: 'Its index, as SNMP has it.' }),
          ...amounts,
        },
        closed,
      ),
      { description: 'Most flow records first, 100 at most.' },
    ),
  },
  closed,
)

/** Fields of the statistics of an event: what exporters said of the origin of its packets. */
export const toldOrigin = {
  sourceSystems: EventSystems,
  ingressInterfaces: Maybe(
    EventInterfaces,
    'By interface at which the packets came in, as exporters say (element 10, NetFlow v5, sFlow). Records that say nothing of it are left out. Null: unless the token is for `admin`.',
  ),
  egressInterfaces: Maybe(EventInterfaces, 'The same of the interface by which they left (element 14).'),
}

export type EventOrigins = Static<typeof EventOrigins>
export type EventSystems = Static<typeof EventSystems>
export type EventInterfaces = Static<typeof EventInterfaces>

// The shapes of traffic over time.
import { type Static, type TSchema, Type } from 'typebox'
import { EventRates } from './event-amount-schemas.ts'
import { EventCourse } from './event-schemas.ts'
import { trafficParts, trafficSteps } from './limits.ts'
import { AttackSpan } from './overview-schemas.ts'
import { QueryMoment } from './query-moment.ts'
import type { EndpointSchemas } from './schemas.ts'
import type { trafficRoutes } from './traffic-routes.ts'

const closed = { additionalProperties: false } as const

const Moment = (description: string) =>
  Type.String({ format: 'date-time', description: `${description} ISO 8601 with offset, in whole seconds.` })
const Maybe = <Value extends TSchema>(value: Value, description: string) =>
  Type.Union([value, Type.Null()], { description })
const Count = (description: string) => Type.Integer({ minimum: 0, description })

export const TrafficCourse = Type.Object(
  {
    ...EventCourse.properties,
    min: EventCourse,
    max: EventCourse,
    peak: EventRates,
  },
  {
    ...closed,
    description:
      'An average for each step; what the least (`min`) and the most (`max`) of its minutes had, as averages of that minute; and the busiest second of the whole time (`peak`), each rate by itself, as far as records tell: they count evenly over their time. `max` and `peak` are the same however long the steps are. Of several addresses `min` and `max` are of all of them together; `peak` is the mean of the minute and beyond it what the one address has that exceeds its own mean most, since seconds of different addresses are not kept side by side: all together may have had more.',
  },
)

export const Traffic = Type.Object(
  {
    from: Moment('Where the first step begins: at `start`, or before it by less than a step.'),
    to: Moment('Where the last step ends: a whole minute.'),
    stepSeconds: Type.Integer({
      minimum: 60,
      description: `How long a step is: whole minutes, so that there are at most ${trafficSteps.max} steps.`,
    }),
    countedFrom: Maybe(
      Moment('Before it nothing is kept, or no address was the caller’s: there zeros say nothing.'),
      'Null: there is no address.',
    ),
    keptDays: Type.Integer({ minimum: 1, description: 'For how long traffic is kept.' }),
    total: TrafficCourse,
    parts: Maybe(
      Type.Array(
        Type.Object(
          { name: Type.String({ description: 'A site, or an address.' }), ...TrafficCourse.properties },
          closed,
        ),
      ),
      `The ${trafficParts} with most bytes, the most first. An address counts for the narrowest of its sites. Null: it was not asked for.`,
    ),
    rest: Maybe(TrafficCourse, 'What the total has beyond the parts. Null: there is no more, or it was not asked for.'),
    previous: Maybe(TrafficCourse, 'As many steps before `from`. Null: it was not asked for.'),
    attacks: Type.Array(AttackSpan, {
      description: 'Attacks within that time, those that hit the site or all, the latest first; 200 at most.',
    }),
    attackCount: Count('How many there are in all.'),
    attacksByStep: Type.Array(Count(''), {
      description: 'How many of all of them went on in each step, whether they are among `attacks` or not.',
    }),
    addresses: Count('Of so many addresses it is the traffic.'),
    addressesOmitted: Count(
      'Of so many more it is not: there are too many to add up over so long a time, and these had less lately.',
    ),
  },
  closed,
)

const Query = Type.Object({
  site: Type.Optional(
    Type.String({ description: 'Of this site, in any spelling of its host record.', examples: ['*.example.com'] }),
  ),
  start: Type.Optional(QueryMoment('From then on, 92 days before `end` at most. Without it 24 hours before `end`.')),
  end: Type.Optional(QueryMoment('Up to then; without it, or when it is later, up to now.')),
  by: Type.Optional(Type.Enum(['site', 'address'], { description: 'What to take it apart by.', examples: ['site'] })),
  previous: Type.Optional(
    Type.Enum(['true', 'false'], { description: 'Whether to give the time before, too.', examples: ['true'] }),
  ),
})

export const trafficSchemas = {
  getTraffic: { query: Query, response: Traffic },
} as const satisfies Record<keyof typeof trafficRoutes, EndpointSchemas>

export type Traffic = Static<typeof Traffic>
export type TrafficCourse = Static<typeof TrafficCourse>

// Traffic over time.
import { type Static, Type } from 'typebox'
import { EventRates } from './events/amounts.ts'
import { overviewExample } from './events/examples.ts'
import { trafficParts, trafficSteps } from './limits.ts'
import { AttackSpan } from './overview.ts'
import { endpoint } from './route.ts'
import { Count, closed, Maybe, Moment, QueryMoment, queryExamples } from './shapes.ts'

const Amounts = () => Type.Array(Type.Number({ minimum: 0 }))

export const TrafficRates = Type.Object(
  { bytesPerSecond: Amounts(), packetsPerSecond: Amounts(), flowsPerSecond: Amounts() },
  { ...closed, description: 'An average for each step.' },
)

export const TrafficCourse = Type.Object(
  {
    ...TrafficRates.properties,
    min: TrafficRates,
    max: TrafficRates,
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
    addresses: Count('How many addresses the traffic covers.'),
    addressesOmitted: Count(
      'How many addresses it leaves out: there are too many to add up over so long a time, and these had less lately.',
    ),
  },
  closed,
)

const Query = Type.Object({
  site: Type.Optional(
    Type.String({ description: 'Of this site, in any spelling of its host record.', examples: ['*.example.com'] }),
  ),
  start: Type.Optional(
    QueryMoment('From then on, 92 days before `end` at most. Without it 24 hours before `end`.', queryExamples.start),
  ),
  end: Type.Optional(QueryMoment('Up to then; without it, or when it is later, up to now.', queryExamples.end)),
  by: Type.Optional(Type.Enum(['site', 'address'], { description: 'What to take it apart by.', examples: ['site'] })),
  previous: Type.Optional(
    Type.Enum(['true', 'false'], { description: 'Whether to give the time before, too.', examples: ['true'] }),
  ),
})

export type Traffic = Static<typeof Traffic>
export type TrafficCourse = Static<typeof TrafficCourse>

const { id, start, end, site, attackType, severity, classification, isTest, address } = overviewExample

const rates = { bytesPerSecond: [540_000, 31_560_000], packetsPerSecond: [610, 67_600], flowsPerSecond: [31, 705] }
const peak = { bytesPerSecond: 44_800_000, packetsPerSecond: 95_300, flowsPerSecond: 980 }
const course = { ...rates, min: rates, max: rates, peak }

const before = { bytesPerSecond: [538_000, 541_000], packetsPerSecond: [608, 612], flowsPerSecond: [30, 31] }
const peakBefore = { bytesPerSecond: 601_000, packetsPerSecond: 655, flowsPerSecond: 40 }

const traffic: Traffic = {
  from: '2017-03-08T10:08:00+00:00',
  to: '2017-03-08T10:10:00+00:00',
  stepSeconds: 60,
  countedFrom: '2017-02-22T10:10:00+00:00',
  keptDays: 14,
  total: course,
  parts: [{ name: address, ...course }],
  rest: null,
  previous: { ...before, min: before, max: before, peak: peakBefore },
  attacks: [{ id, start, end, site, attackType, severity, classification, isTest }],
  attackCount: 1,
  attacksByStep: [0, 1],
  addresses: 1,
  addressesOmitted: 0,
}

export const trafficEndpoints = {
  getTraffic: endpoint(
    {
      method: 'GET',
      path: '/api/v1/traffic',
      scope: 'read',
      role: 'viewer',
      tag: 'Traffic',
      summary: 'Get traffic over time',
      description:
        'The traffic of a site of the caller, or of all enabled sites together, with its attacks. It counts addresses that the caller may manage, each from when it became the caller’s; on request by site or by address, and with the time before. Protocols and ports are only known of events. 404 if the host is not a site of the caller.',
      mayBeMissing: true,
    },
    { query: Query, response: Traffic },
    { response: traffic },
  ),
}

export const trafficShapes = { Traffic, TrafficCourse, TrafficRates }

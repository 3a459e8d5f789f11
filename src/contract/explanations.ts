// Why there was an event at an address at some time, or none; and what other settings would have found there.
import { type Static, Type } from 'typebox'
import { overviewExample } from './events/examples.ts'
import { whatIfDaysMax } from './limits.ts'
import { endpoint } from './route.ts'
import { Amount, Count, closed, Maybe, Moment, QueryMoment, queryExamples } from './shapes.ts'
import { TargetParams } from './targets.ts'

export const verdicts = [
  'event',
  'attack',
  'crossed',
  'below',
  'far-below',
  'by-the-minute',
  'no-traffic',
  'not-judged',
  'not-running',
  'not-kept',
  'not-yours',
] as const

export const blindKinds = ['silent', 'lost', 'no-template', 'no-sampling', 'dropped', 'behind', 'untraced'] as const

/** A word, or a number from 0.1 to 10. */
export const sensitivityPattern = '^(low|normal|high|0\\.[1-9][0-9]{0,5}|[1-9](\\.[0-9]{1,6})?|10)$'

const Rates = {
  packetsPerSecond: Amount('Packets per second, scaled by the sampling rate.'),
  bytesPerSecond: Amount('Bytes per second, likewise.'),
  flowsPerSecond: Amount('Flow records per second, as received.'),
}

const attackType = Maybe(Type.String(), 'The vector; null: of unknown kind.')

export const NearestLine = Type.Object(
  {
    metric: Type.Enum(['packets', 'bytes', 'flows'], { description: 'What is compared with the line, per second.' }),
    seconds: Count('Length of the window that came nearest, in seconds.'),
    rate: Amount('What came in this window, per second.'),
    line: Amount('What it would have taken, of the same traffic, per second.'),
    part: Amount('The rate as a part of the line: an attack above 1.'),
    from: Type.Enum(['normal', 'floor'], {
      description: 'What the line is made of: what is normal for the address, or a floor or an absolute limit.',
    }),
    isWhole: Type.Boolean({ description: 'Whether the traffic has the whole signature of its vector.' }),
  },
  closed,
)

export const ExplainedClass = Type.Object(
  {
    attackType: Maybe(Type.String(), 'The vector that such packets are of; null: all traffic.'),
    matches: Maybe(Type.String(), 'Which packets of that vector, where several classes have the same one.'),
    ...Rates,
    sources: Maybe(Count('Sources, estimated.'), 'Null: more than about ninety, or not known.'),
    normal: Maybe(
      Type.Object(
        {
          packetsPerSecond: Amount('Up to there packets were normal, before any margin.'),
          spread: Amount('Standard deviation of the packets.'),
        },
        closed,
      ),
      'Null: not learnt, or not known.',
    ),
    floor: Maybe(
      Amount('Packets per second, with the whole signature.'),
      'The floor of the vector; null: all traffic.',
    ),
    partialFloor: Maybe(Amount('Packets per second.'), 'The same without the whole signature.'),
    nearest: Maybe(
      NearestLine,
      'How far it was from its line; null: no amount of it is an attack, or it is not known.',
    ),
  },
  closed,
)

const Span = {
  attackType,
  start: Moment('Its first packets.'),
  end: Moment('Its last packets so far.'),
}

export const ExplainedNetwork = Type.Object(
  {
    network: Type.String({ description: 'A network that holds the address.' }),
    ...Rates,
    classes: Type.Array(ExplainedClass, {
      description: 'Those that came nearest to a line of the network; empty: none came to half of it.',
    }),
    attacks: Type.Array(Type.Object(Span, closed), { description: 'Attacks on the network as a whole.' }),
  },
  closed,
)

export const BlindSpot = Type.Object(
  {
    kind: Type.Enum(blindKinds, {
      description:
        'What was not seen whole: an exporter was `silent`, or of what it sent some was `lost`, had `no-template`, or `no-sampling` rate; datagrams were `dropped` in the receive buffer; detection was `behind`; or half minutes near a line were `untraced`.',
    }),
    exporter: Maybe(
      Type.String(),
      'Its address; null: it is about the service as a whole, or the token is not for `admin`.',
    ),
    amount: Amount(
      'Seconds since its last datagram, datagrams or records, sets of data, records, datagrams, milliseconds, half minutes: by kind, in this order.',
    ),
    text: Type.String({ description: 'The same in words.' }),
  },
  closed,
)

const ToldEvent = Type.Object(
  {
    id: Type.String(),
    site: Type.String(),
    attackType,
    start: Moment('Its first packets.'),
    end: Maybe(Moment('Its last packets.'), 'Null: it goes on.'),
  },
  closed,
)

export const Explanation = Type.Object(
  {
    address: Type.String({ format: 'ipv4' }),
    at: Moment('The moment that is explained.'),
    verdict: Type.Enum(verdicts, {
      description:
        'In a word: there was an `event` of the caller, or an `attack` of which the caller has no event; a line was `crossed`, but other rules say that it was no attack; the nearest line was not reached (`below`), or no class came to half of its line (`far-below`); more came near a line than is kept, so that only the minute is known (`by-the-minute`); there was `no-traffic`; the address was `not-judged`; the service was `not-running`; nothing is kept of it any more, or yet (`not-kept`); the address was not one of the caller’s (`not-yours`).',
    }),
    answer: Type.String({ description: 'Why there was an event or none, in one sentence.' }),
    from: Moment('Where the time that the numbers are of begins.'),
    to: Moment('Where it ends.'),
    stepSeconds: Maybe(
      Count('In seconds.'),
      'How exactly that time is known: in steps of 10 seconds with its classes, or by the minute, without. Null: nothing is known of it.',
    ),
    isLearnt: Maybe(Type.Boolean(), 'Whether the traffic was compared with what is normal. Null: not known.'),
    limits: Maybe(
      Type.Object(
        {
          packetsPerSecond: Maybe(Amount('Packets per second.'), 'Null: no such limit.'),
          bytesPerSecond: Maybe(Amount('Bytes per second.'), 'Null: no such limit.'),
          flowsPerSecond: Maybe(Amount('Flow records per second.'), 'Null: no such limit.'),
          sensitivity: Amount('Divides the floors of vectors.'),
        },
        closed,
      ),
      'The settings of that time; by the minute, those of now. Null: nothing is known of it.',
    ),
    busiestSecond: Maybe(
      Type.Object(Rates, closed),
      'The most that a second of the minute had, of each amount by itself. Null: not known.',
    ),
    classes: Type.Array(ExplainedClass, {
      description: 'All traffic first, then the classes that came nearest to a line. By the minute all traffic only.',
    }),
    networks: Maybe(
      Type.Array(ExplainedNetwork),
      'The networks that hold the address, with the sums of their watched addresses. Null: the token is not for `admin`.',
    ),
    blind: Type.Array(BlindSpot, { description: 'What was not seen whole at that time.' }),
    events: Type.Array(ToldEvent, { description: 'Events of the caller that hit the address then.' }),
    attacks: Type.Array(Type.Object(Span, closed), {
      description:
        'Attacks on the address itself that went on then, whether or not the caller has an event; for a token without `admin` those that began when the address was already the caller’s.',
    }),
    keptFrom: Moment('Nothing is kept of earlier times.'),
  },
  closed,
)

const JudgedBy = Type.Object(
  {
    packetsPerSecond: Amount('Absolute limit of packets; 0: none.'),
    bytesPerSecond: Amount('Absolute limit of bytes; 0: none.'),
    flowsPerSecond: Amount('Absolute limit of flow records; 0: none.'),
    sensitivity: Amount('Divides the floors of vectors.'),
    enabled: Type.Boolean({ description: 'Whether its traffic is judged.' }),
    quietSeconds: Count('How long an attack has been low when it is over.'),
    reopenSeconds: Count('How soon it must come back to be the same one.'),
  },
  closed,
)

export const JudgedAttack = Type.Object(
  {
    ...Span,
    packetsPerSecond: Amount('Of its strongest seconds.'),
    bytesPerSecond: Amount('Likewise.'),
    metric: Type.Enum(['packets', 'bytes', 'flows'], { description: 'What crossed its line, per second.' }),
    rate: Amount('How much of it.'),
    line: Amount('The line.'),
  },
  closed,
)

export const WhatIf = Type.Object(
  {
    address: Type.String({ format: 'ipv4' }),
    from: Moment('Beginning of the time that was judged again.'),
    to: Moment('Its end.'),
    isCut: Type.Boolean({
      description: 'Whether the time ends earlier than was asked for, since one answer judges only so much traffic.',
    }),
    settings: JudgedBy,
    changed: JudgedBy,
    answer: Type.String({ description: 'What the other settings would have changed, in one sentence.' }),
    before: Type.Array(JudgedAttack, { description: 'Attacks by the settings as they are.' }),
    after: Type.Array(JudgedAttack, { description: 'Attacks by the changed settings.' }),
    lost: Type.Array(JudgedAttack, { description: 'Attacks of before without one of after at the same time.' }),
    won: Type.Array(JudgedAttack, { description: 'Attacks of after without one of before at the same time.' }),
    events: Type.Array(ToldEvent, { description: 'Events of the caller that hit the address in this time.' }),
    judged: Type.Object(
      {
        tracedSeconds: Count(
          'Seconds that are kept in steps of ten seconds with their classes, and were judged by them.',
        ),
        minuteSeconds: Count('Other seconds that are above a changed limit, and were judged by the minute.'),
        untraced: Count('Half minutes near a line of any address that were not kept, since more were than may be.'),
        nearPart: Amount('Times that came to less than this part of a line of then are not kept with their classes.'),
      },
      closed,
    ),
  },
  closed,
)

const ExplanationQuery = Type.Object({
  at: Type.Optional(QueryMoment('The moment; without it now.', '2017-03-08T10:09:30+00:00')),
})

const WhatIfQuery = Type.Object({
  start: Type.Optional(
    QueryMoment(
      `Beginning, at most ${whatIfDaysMax} days before the end; without it a day before.`,
      queryExamples.start,
    ),
  ),
  end: Type.Optional(QueryMoment('End; without it now.', queryExamples.end)),
  packetsPerSecond: Type.Optional(
    Type.Number({ minimum: 0, description: 'Absolute limit; 0: none.', examples: [5000] }),
  ),
  bytesPerSecond: Type.Optional(Type.Number({ minimum: 0, description: 'Likewise.', examples: [10000] })),
  flowsPerSecond: Type.Optional(Type.Number({ minimum: 0, description: 'Likewise.', examples: [10000] })),
  sensitivity: Type.Optional(
    Type.String({
      pattern: sensitivityPattern,
      description: '`low`, `normal`, `high`, or a number from 0.1 to 10.',
      examples: ['high'],
    }),
  ),
  enabled: Type.Optional(
    Type.Enum(['true', 'false'], { description: 'Whether its traffic is judged.', examples: ['true'] }),
  ),
  quietSeconds: Type.Optional(
    Type.Integer({ minimum: 5, maximum: 3_600, description: 'See `detect.quietSeconds`.', examples: [60] }),
  ),
  reopenSeconds: Type.Optional(
    Type.Integer({ minimum: 0, maximum: 86_400, description: 'See `detect.reopenSeconds`.', examples: [0] }),
  ),
})

export type Explanation = Static<typeof Explanation>
export type ExplainedClass = Static<typeof ExplainedClass>
export type ExplainedNetwork = Static<typeof ExplainedNetwork>
export type BlindSpot = Static<typeof BlindSpot>
export type WhatIf = Static<typeof WhatIf>
export type JudgedAttack = Static<typeof JudgedAttack>
export type ToldEvent = Static<typeof ToldEvent>

const { address, site } = overviewExample
const synFlood = 'tcp@attack@syn_flood_target'
const start = '2017-03-08T10:08:12+00:00'
const end = '2017-03-08T10:11:40+00:00'
const judgedBy = {
  ...{ packetsPerSecond: 20_000, bytesPerSecond: 125_000_000, flowsPerSecond: 10_000, sensitivity: 1 },
  ...{ enabled: true, quietSeconds: 25, reopenSeconds: 600 },
}
const judgedAttack: JudgedAttack = {
  ...{ attackType: synFlood, start, end, packetsPerSecond: 139, bytesPerSecond: 8_340 },
  ...{ metric: 'packets', rate: 132.4, line: 75 },
}

export const explanationEndpoints = {
  getExplanation: endpoint(
    {
      method: 'GET',
      path: '/api/v1/targets/{address}/explanation',
      scope: 'read',
      adminSeesAll: true,
      role: 'viewer',
      tag: 'Targets',
      summary: 'Explain why there was an event, or none',
      description:
        'What was seen at an address at a moment, how far each class of its traffic was from its line, what was not seen whole, and in one sentence why there was an event or none. Half minutes near a line are kept in steps of ten seconds, others by the minute. Whose addresses one may ask for is as for the state of an address. The last six minutes come from the detector: 503 if it does not answer within five seconds.',
      mayBeMissing: true,
    },
    { params: TargetParams, query: ExplanationQuery, response: Explanation },
    {
      response: {
        address,
        at: '2017-03-08T10:09:30+00:00',
        verdict: 'below',
        answer:
          'No event: tcp@attack@syn_flood_target came nearest, with 132 packets/s over 30 s, 88 % of its line of 150 packets/s, which is the floor of the vector.',
        from: '2017-03-08T10:09:30+00:00',
        to: '2017-03-08T10:10:00+00:00',
        stepSeconds: 10,
        isLearnt: true,
        limits: {
          ...{ packetsPerSecond: 20_000, bytesPerSecond: 125_000_000, flowsPerSecond: 10_000, sensitivity: 1 },
        },
        busiestSecond: { packetsPerSecond: 201, bytesPerSecond: 41_800, flowsPerSecond: 203 },
        classes: [
          {
            ...{ attackType: null, matches: null, packetsPerSecond: 172, bytesPerSecond: 36_200, flowsPerSecond: 170 },
            ...{ sources: null, normal: { packetsPerSecond: 40, spread: 3.1 }, floor: null, partialFloor: null },
            nearest: {
              ...{ metric: 'flows', seconds: 30, rate: 170, line: 10_000, part: 0.02, from: 'floor', isWhole: true },
            },
          },
          {
            ...{
              attackType: synFlood,
              matches: null,
              packetsPerSecond: 132,
              bytesPerSecond: 7_920,
              flowsPerSecond: 132,
            },
            ...{ sources: null, normal: { packetsPerSecond: 0, spread: 0 }, floor: 150, partialFloor: 1_000 },
            nearest: {
              ...{ metric: 'packets', seconds: 30, rate: 132, line: 150, part: 0.88, from: 'floor', isWhole: true },
            },
          },
        ],
        networks: null,
        blind: [
          {
            kind: 'lost',
            exporter: null,
            amount: 12,
            text: 'of what an exporter sent, 12 datagrams or records were lost',
          },
        ],
        events: [],
        attacks: [],
        keptFrom: '2017-02-22T10:10:00+00:00',
      },
    },
  ),

  getWhatIf: endpoint(
    {
      method: 'GET',
      path: '/api/v1/targets/{address}/what-if',
      scope: 'read',
      adminSeesAll: true,
      role: 'viewer',
      tag: 'Targets',
      summary: 'Judge past traffic by other settings',
      description:
        'Judges what is kept of the traffic of an address again, by the settings as they are and by those that are given, and lists the attacks that the change wins and loses. It changes nothing. Normal is taken as it was learnt then; attacks on its network as a whole are not judged again. Whose addresses one may ask for is as for the state of an address, and only times since the address was the caller’s are judged.',
      mayBeMissing: true,
    },
    { params: TargetParams, query: WhatIfQuery, response: WhatIf },
    {
      response: {
        address,
        from: '2017-03-08T00:00:00+00:00',
        to: '2017-03-09T00:00:00+00:00',
        isCut: false,
        settings: judgedBy,
        changed: { ...judgedBy, sensitivity: 2 },
        answer: 'With the changed settings there would have been 1 attack more and none fewer: 1 instead of 0.',
        before: [],
        after: [judgedAttack],
        lost: [],
        won: [judgedAttack],
        events: [{ id: overviewExample.id, site, attackType: synFlood, start, end }],
        judged: { tracedSeconds: 240, minuteSeconds: 0, untraced: 0, nearPart: 0.5 },
      },
    },
  ),
}

export const explanationShapes = {
  Explanation,
  ExplainedClass,
  ExplainedNetwork,
  NearestLine,
  BlindSpot,
  WhatIf,
  JudgedAttack,
}

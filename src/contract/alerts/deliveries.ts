// Deliveries: what was, or will be, sent to channels.
import { type Static, Type } from 'typebox'
import { overviewExample } from '../events/examples.ts'
import { pageDeliveries } from '../limits.ts'
import { endpoint } from '../route.ts'
import { Count, closed, IdParams, Maybe, Moment } from '../shapes.ts'
import { AttemptOutcome, attemptExample, channelExample, Replayed } from './channels.ts'

const states = ['held', 'due', 'sending', 'joined', 'done', 'dead', 'superseded'] as const

/** What holds a message back, wherever that is said. */
export const HeldBy = Type.Enum(['silence', 'quiet', 'group', 'end'], {
  description:
    'silence: one of its user. quiet: the quiet hours of the channel. group: others, with which it is told. end: the end that it tells, since the attack may come back.',
})

const exampleId = `${channelExample.id}-${overviewExample.id}-1`

export const Delivery = Type.Object(
  {
    id: Type.String({ description: 'Of its channel, its event, and its number within the event.' }),
    channelId: Type.String(),
    ruleId: Maybe(
      Type.String(),
      'The rule by which it is told, which may be gone. Null: it follows what the channel was told before.',
    ),
    eventId: Type.String(),
    kind: Type.Enum(['started', 'worsened', 'vector', 'continues', 'escalated', 'ended', 'resumed'], {
      description:
        'What is told about the event. worsened: its severity is higher than before. vector: it is of another kind than before. continues: it goes on, as a rule asks to be told. escalated: nobody has acknowledged it within the time of a rule. resumed: it came back after its end.',
    }),
    number: Count('The number of the message within the event, from 1.'),
    severity: Type.Enum(['low', 'medium', 'high', 'critical'], { description: 'The highest so far.' }),
    attackType: Maybe(Type.String(), 'The kind of attack as it was then. Null: of unknown kind.'),
    site: Maybe(
      Type.String(),
      'The site that the event is named after. Null: the event is deleted, or somebody else’s and the caller no admin any more.',
    ),
    at: Moment('When there was something to tell.'),
    state: Type.Enum([...states], {
      description:
        'held: something holds it back until it is `due`. due: waits for its next attempt. joined: goes with another one, whose state it gets. dead: given up. superseded: the event is deleted, a later message says what became of it, or the store was restored from a backup.',
    }),
    attempts: Count('Attempts that failed.'),
    due: Maybe(Moment('When the next attempt is made, or until when it is held back.'), 'Null: there is none.'),
    heldBy: Maybe(HeldBy, 'What holds it back. Null: nothing.'),
    toldWith: Maybe(Type.String(), 'The delivery with which it was told. Null: it is a message of its own.'),
  },
  closed,
)

export const DeliveryList = Type.Object(
  {
    deliveries: Type.Array(Delivery, { description: 'The latest first.' }),
    next: Maybe(Type.String(), '`before` of the next page. Null: there is none.'),
  },
  closed,
)

export const DeliveryDetail = Type.Object(
  {
    ...Delivery.properties,
    outcomes: Type.Array(AttemptOutcome, { description: 'The latest 50 attempts, in order.' }),
  },
  closed,
)

export const DeliveryQuery = Type.Object({
  event: Type.Optional(Type.String({ maxLength: 100, description: 'Of this event.', examples: [overviewExample.id] })),
  channel: Type.Optional(
    Type.String({ maxLength: 100, description: 'To this channel.', examples: [channelExample.id] }),
  ),
  state: Type.Optional(Type.Enum([...states], { description: 'In this state.', examples: ['dead'] })),
  limit: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: pageDeliveries.max,
      description: `Deliveries on a page; without it ${pageDeliveries.default}.`,
      examples: [100],
    }),
  ),
  before: Type.Optional(
    Type.String({ maxLength: 100, description: '`next` of the page before.', examples: [exampleId] }),
  ),
})

export type Delivery = Static<typeof Delivery>
export type HeldBy = Static<typeof HeldBy>

const delivery: Delivery = {
  id: exampleId,
  channelId: channelExample.id,
  ruleId: 'a1d5e08c2b7f4936',
  eventId: overviewExample.id,
  kind: 'started',
  number: 1,
  severity: 'high',
  attackType: overviewExample.attackType,
  site: overviewExample.site,
  at: '2017-03-08T10:09:18+00:00',
  state: 'done',
  attempts: 0,
  due: null,
  heldBy: null,
  toldWith: null,
}
const tag = 'Alerts'

export const deliveryEndpoints = {
  listDeliveries: endpoint(
    {
      method: 'GET',
      path: '/api/v1/alerts/deliveries',
      scope: 'read',
      role: 'viewer',
      tag,
      summary: 'List deliveries',
      description: 'What was, or will be, sent to the channels of the caller. 404 where `before` is gone.',
      mayBeMissing: true,
    },
    { query: DeliveryQuery, response: DeliveryList },
    { response: { deliveries: [delivery], next: null } },
  ),
  getDelivery: endpoint(
    {
      method: 'GET',
      path: '/api/v1/alerts/deliveries/{id}',
      scope: 'read',
      role: 'viewer',
      tag,
      summary: 'Get a delivery',
      description: 'With its attempts.',
      mayBeMissing: true,
    },
    { params: IdParams, response: DeliveryDetail },
    { response: { ...delivery, outcomes: [attemptExample] } },
  ),
  replayDelivery: endpoint(
    {
      method: 'POST',
      path: '/api/v1/alerts/deliveries/{id}/replay',
      scope: 'write',
      role: 'member',
      tag,
      summary: 'Send a delivery again',
      description:
        'One that was given up or is done is due again, under the same message id. One that waits stays as it is. 409 for a beginning whose end a pager or a program has been told since, or that was given up: it would open what nobody closes; and for an end after which the attack was told again.',
      mayConflict: true,
      mayBeMissing: true,
    },
    { params: IdParams, response: Replayed },
    { response: { replayed: 1, leftOut: 0 } },
  ),
}

// Channels: where a user is told about attacks.
import { type Static, Type } from 'typebox'
import { endpoint } from '../route.ts'
import { Count, closed, Deleted, IdParams, Maybe, Members, Moment, plainText } from '../shapes.ts'
import { Places, placesExample } from './messages.ts'
import { TimeWindow } from './time-window.ts'

export const AttemptOutcome = Type.Object(
  {
    at: Moment('When it was made.'),
    milliseconds: Count('How long it took.'),
    isDone: Type.Boolean({ description: 'Whether the receiver has the message.' }),
    text: Type.String({ description: 'What came of it, without secrets.' }),
  },
  closed,
)

const Quiet = Maybe(
  TimeWindow,
  'Hours in which it is told what is critical, and ends of what it was told, alone; the rest follows when they end. Null: none.',
)

export const Channel = Type.Object(
  {
    id: Type.String(),
    name: Type.String({ description: 'As its user calls it.' }),
    kind: Type.String({ description: 'One of `GET /api/v1/alerts/kinds`.' }),
    settings: Members(Type.Unknown(), 'By the schema of its kind. Secrets are never among them.'),
    state: Type.Enum(['ok', 'failing', 'unconfirmed', 'disabled'], {
      description:
        'failing: the latest attempts failed. unconfirmed: an address of mail waits for somebody to confirm it, and is sent nothing until then. disabled: nothing is sent; by its user, or since the receiver wants no more (410).',
    }),
    failingSince: Maybe(Moment('Since when attempts fail, or the receiver wants no more.'), 'Null: they do not.'),
    oldSecretUntil: Maybe(
      Moment('Until when messages are signed with the secret before the last rotation as well.'),
      'Null: there is none.',
    ),
    createdAt: Moment('When it was made.'),
    quiet: Quiet,
    last: Maybe(AttemptOutcome, 'The latest attempt. Null: there was none.'),
    unconfirmed: Type.Array(
      Type.Object(
        {
          address: Type.String(),
          askedAt: Maybe(Moment('When the caller last had a confirming mail sent.'), 'Null: never.'),
          problem: Type.String({ description: 'Why that mail was not sent. Empty: nothing is known against it.' }),
        },
        closed,
      ),
      { description: 'Addresses of mail that wait for somebody to confirm them: those that no admin entered.' },
    ),
    confirmedBy: Maybe(
      Type.Enum(['link', 'admin'], {
        description:
          'link: by a link in a mail that is sent there. admin: the installation can send no links (http.publicUrl), so that an admin has to (`POST /api/v1/alerts/addresses`).',
      }),
      'How they are confirmed. Null: there are none.',
    ),
  },
  closed,
)

export const ChannelList = Type.Object({ channels: Type.Array(Channel) }, closed)

export const NewChannel = Type.Object(
  {
    channel: Channel,
    secret: Maybe(
      Type.String(),
      'With which messages are signed; shown this once. Null: it was given, or the kind has none.',
    ),
  },
  closed,
)

/** What a user calls something. */
export const Name = Type.String({
  minLength: 1,
  maxLength: 100,
  pattern: plainText,
  description: 'Without control characters.',
})
const Settings = Members(Type.Unknown(), 'By the schema of the kind.')
const Secrets = Members(Type.String(), 'By the schema of the kind. What is left out and can be made is made.')

export const ChannelRequest = Type.Object(
  {
    name: Name,
    kind: Type.String(),
    settings: Settings,
    secrets: Type.Optional(Secrets),
    quiet: Type.Optional(Quiet),
  },
  { description: 'Other members are ignored.' },
)

const mergedText = 'Those that are left out stay, and null takes one away (RFC 7396). By the schema of the kind.'

export const ChannelChange = Type.Object(
  {
    name: Type.Optional(Name),
    settings: Type.Optional(Members(Type.Unknown(), mergedText)),
    secrets: Type.Optional(Members(Maybe(Type.String(), 'Null: it is taken away.'), mergedText)),
    quiet: Type.Optional(Quiet),
    isDisabled: Type.Optional(
      Type.Boolean({ description: 'Whether nothing is sent. What waits is sent when it is enabled again.' }),
    ),
  },
  { description: 'What is left out stays as it is. Other members are ignored.' },
)

export const ChannelKinds = Type.Object(
  {
    kinds: Type.Array(
      Type.Object(
        {
          kind: Type.String(),
          settings: Members(Type.Unknown(), 'JSON Schema of its settings.'),
          secrets: Members(Type.Unknown(), 'JSON Schema of its secrets.'),
        },
        closed,
      ),
    ),
    places: Places,
  },
  closed,
)

export const Replayed = Type.Object(
  {
    replayed: Count('Deliveries that are due again.'),
    leftOut: Count('Those that stay as they are, since the receiver has been told the opposite since.'),
  },
  closed,
)

export type Channel = Static<typeof Channel>
export type AttemptOutcome = Static<typeof AttemptOutcome>

export const attemptExample: AttemptOutcome = {
  at: '2017-03-08T10:09:18+00:00',
  milliseconds: 41,
  isDone: true,
  text: 'HTTP 204',
}

export const channelExample: Channel = {
  id: '5f2c8d1a90b3e476',
  name: 'Night shift',
  kind: 'webhook',
  settings: { url: 'https://hooks.example.com/floodgauge' },
  state: 'ok',
  failingSince: null,
  oldSecretUntil: null,
  createdAt: '2017-03-01T08:00:00+00:00',
  quiet: null,
  last: attemptExample,
  unconfirmed: [],
  confirmedBy: null,
}

const { name, kind, settings } = channelExample
const tag = 'Alerts'

export const channelEndpoints = {
  listChannelKinds: endpoint(
    {
      method: 'GET',
      path: '/api/v1/alerts/kinds',
      scope: 'any',
      role: 'viewer',
      tag,
      summary: 'List the kinds of channels',
      description: 'Each with what its user has to say for it; and what templates of messages may have.',
    },
    { response: ChannelKinds },
    {
      response: { kinds: [{ kind, settings: { type: 'object' }, secrets: { type: 'object' } }], places: placesExample },
    },
  ),
  listChannels: endpoint(
    {
      method: 'GET',
      path: '/api/v1/alerts/channels',
      scope: 'read',
      role: 'viewer',
      tag,
      summary: 'List channels',
      description: 'The channels of the caller, by name.',
    },
    { response: ChannelList },
    { response: { channels: [channelExample] } },
  ),
  addChannel: endpoint(
    {
      method: 'POST',
      path: '/api/v1/alerts/channels',
      scope: 'write',
      role: 'member',
      createsOnce: 'with secret',
      tag,
      summary: 'Make a channel',
      description:
        'It is told what the rules of the caller say. The first channel comes with one: every channel is told about the beginning and the end of each attack on a site of the caller, and when an attack becomes high or critical. 409 if the name is taken, or if the caller has 200 channels.',
      mayConflict: true,
    },
    { body: ChannelRequest, response: NewChannel },
    {
      body: { name, kind, settings },
      response: { channel: channelExample, secret: 'whsec_bm90aGluZyBpcyBzZWNyZXQgaGVyZSE=' },
    },
  ),
  changeChannel: endpoint(
    {
      method: 'PATCH',
      path: '/api/v1/alerts/channels/{id}',
      scope: 'write',
      role: 'member',
      tag,
      summary: 'Change a channel',
      description:
        'One that failed is tried again at once, and one that its receiver turned off (410) is turned on where `settings` or `secrets` are changed. 409 if the name is taken, or where others change the channel at the same time, again and again.',
      mayBeMissing: true,
      mayConflict: true,
    },
    { params: IdParams, body: ChannelChange, response: Channel },
    { body: { name, isDisabled: false }, response: channelExample },
  ),
  deleteChannel: endpoint(
    {
      method: 'DELETE',
      path: '/api/v1/alerts/channels/{id}',
      scope: 'write',
      role: 'member',
      tag,
      summary: 'Delete a channel',
      description: 'With all that waits for it, and what it was sent. Incidents that its receiver has open are closed.',
      mayBeMissing: true,
    },
    { params: IdParams, response: Deleted },
    { response: { deleted: true } },
  ),
  testChannel: endpoint(
    {
      method: 'POST',
      path: '/api/v1/alerts/channels/{id}/test',
      scope: 'write',
      role: 'member',
      tag,
      summary: 'Send a test message',
      description: 'Sends a message about a made-up attack now, once, and says what came of it.',
      mayBeMissing: true,
    },
    { params: IdParams, response: AttemptOutcome },
    { response: attemptExample },
  ),
  replayChannel: endpoint(
    {
      method: 'POST',
      path: '/api/v1/alerts/channels/{id}/replay',
      scope: 'write',
      role: 'member',
      tag,
      summary: 'Send again what was given up',
      description:
        'All deliveries to the channel that are `dead` are due again, under the same message ids. Beginnings whose end a pager or a program has been told since are left out: it would open what nobody closes.',
      mayBeMissing: true,
    },
    { params: IdParams, response: Replayed },
    { response: { replayed: 3, leftOut: 0 } },
  ),
}

// What Floodgauge itself cannot see or do now, and who was told.
import { type Static, Type } from 'typebox'
import { endpoint } from '../route.ts'
import { Count, closed, Maybe, Moment } from '../shapes.ts'
import { channelExample } from './channels.ts'

export const Condition = Type.Object(
  {
    id: Type.String(),
    type: Type.Enum(
      [
        ...['exporter.silent', 'exporter.problem', 'flows.none', 'service.blind', 'channel.failing'],
        ...['site.proof_missing'],
      ],
      { description: 'As in a webhook.' },
    ),
    severity: Type.Enum(['low', 'medium', 'high', 'critical']),
    subject: Type.String({
      description: 'What it is about: the address of an exporter, the name of a channel, a site.',
    }),
    detail: Type.String({ description: 'In English; empty: there is nothing more to say.' }),
    since: Moment('Since when.'),
    until: Maybe(Moment('When it was over, where it is told afterwards.'), 'Null: it goes on.'),
    channelId: Maybe(Type.String(), 'The channel of the caller that fails. Null: it is about no such.'),
    site: Maybe(Type.String(), 'The site of the caller whose proof is missing. Null: it is about no such.'),
    told: Type.Array(Type.Object({ channelId: Type.String(), channel: Type.String() }, closed), {
      description: 'The channels of the caller that were told.',
    }),
    toldOthers: Count('To admins who ask for the installation’s: how many channels of others were told.'),
  },
  closed,
)

export const ConditionQuery = Type.Object({
  of: Type.Optional(
    Type.Enum(['installation'], {
      description:
        'All of the installation, with channels and sites of others; for admins with a token for `admin`. Without it what is about channels and sites of the caller.',
      examples: ['installation'],
    }),
  ),
})

export const ConditionList = Type.Object(
  { conditions: Type.Array(Condition, { description: 'The earliest first.' }) },
  closed,
)

export type Condition = Static<typeof Condition>

export const conditionExample: Condition = {
  id: '67c4f0a91b2e3d5f60718293',
  ...{ type: 'exporter.silent', severity: 'high', subject: '192.0.2.1', detail: '' },
  ...{ since: '2017-03-08T10:09:18+00:00', until: null, channelId: null, site: null, toldOthers: 0 },
  told: [{ channelId: channelExample.id, channel: channelExample.name }],
}

export const conditionEndpoints = {
  listConditions: endpoint(
    {
      method: 'GET',
      path: '/api/v1/alerts/conditions',
      scope: 'read',
      role: 'viewer',
      tag: 'Alerts',
      summary: 'List what cannot be seen or told',
      description:
        'What keeps attacks from being seen or told now. That the service was away is listed for a day. 403 where `of` asks for what is an admin’s.',
    },
    { query: ConditionQuery, response: ConditionList },
    { response: { conditions: [conditionExample] } },
  ),
}

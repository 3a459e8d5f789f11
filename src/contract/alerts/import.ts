// Channels and rules of a file, made and changed all at once.
import { type Static, Type } from 'typebox'
import { endpoint } from '../route.ts'
import { closed, Maybe } from '../shapes.ts'
import { ChannelRequest, channelExample } from './channels.ts'
import { RuleRequest, ruleExample } from './rules.ts'

export const ImportedChannel = Type.Object({
  ...ChannelRequest.properties,
  isDisabled: Type.Optional(Type.Boolean({ description: 'Whether nothing is sent. Left out: it is.' })),
})

export const ImportRequest = Type.Object(
  {
    channels: Type.Optional(
      Type.Array(ImportedChannel, {
        maxItems: 200,
        description: 'One of the name is changed, and keeps secrets that are not given; else it is made.',
      }),
    ),
    rules: Type.Optional(
      Type.Array(RuleRequest, {
        maxItems: 100,
        description:
          'One of the name is changed; else it is made. They come before the others, in this order. Channels and groups are called by their names or ids.',
      }),
    ),
  },
  { description: 'Other members are ignored.' },
)

const Imported = {
  id: Type.String(),
  name: Type.String(),
  isNew: Type.Boolean({ description: 'It was made, not changed.' }),
}

export const ImportAnswer = Type.Object(
  {
    channels: Type.Array(
      Type.Object({ ...Imported, secret: Maybe(Type.String(), 'As when it is made alone.') }, closed),
    ),
    rules: Type.Array(Type.Object(Imported, closed)),
  },
  closed,
)

export type ImportedChannel = Static<typeof ImportedChannel>
export type ImportRequest = Static<typeof ImportRequest>
export type ImportAnswer = Static<typeof ImportAnswer>

const { name, kind, settings } = channelExample
const { id: ruleId, ...rule } = ruleExample

export const importEndpoints = {
  importAlerts: endpoint(
    {
      method: 'POST',
      path: '/api/v1/alerts/import',
      scope: 'write',
      role: 'member',
      createsOnce: 'with secret',
      tag: 'Alerts',
      summary: 'Make and change channels and rules, all or none',
      description:
        'What is there and not named stays. If something is wrong with any of them nothing is changed. 409 if it would be too many, or something was deleted meanwhile.',
      mayConflict: true,
    },
    { body: ImportRequest, response: ImportAnswer },
    {
      body: { channels: [{ name, kind, settings }], rules: [{ ...rule, send: [name], escalate: [] }] },
      response: {
        channels: [
          { id: channelExample.id, name, isNew: true, secret: 'whsec_MDEyMzQ1Njc4OWFiY2RlZjAxMjM0NTY3ODlhYmNkZWY=' },
        ],
        rules: [{ id: ruleId, name: ruleExample.name, isNew: true }],
      },
    },
  ),
}

// Secrets of channels that are made here.
import { Type } from 'typebox'
import { endpoint } from '../route.ts'
import { closed, IdParams } from '../shapes.ts'
import { Channel, channelExample } from './channels.ts'

export const RotatedSecret = Type.Object(
  { channel: Channel, secret: Type.String({ description: 'With which messages are signed; shown this once.' }) },
  closed,
)

const tag = 'Alerts'

export const secretEndpoints = {
  rotateSecret: endpoint(
    {
      method: 'POST',
      path: '/api/v1/alerts/channels/{id}/rotate',
      scope: 'write',
      role: 'member',
      createsOnce: 'with secret',
      tag,
      summary: 'Make another secret',
      description:
        'For channels whose secret is made here (`webhook`). For 24 hours messages are signed with the secret before as well, so that receivers have time to change over. 409 if the kind of the channel has no such secret.',
      mayBeMissing: true,
      mayConflict: true,
    },
    { params: IdParams, response: RotatedSecret },
    {
      response: {
        channel: { ...channelExample, oldSecretUntil: '2017-03-09T10:09:18+00:00' },
        secret: 'whsec_YW5vdGhlciB0aGF0IGlzIG5vIHNlY3JldCE=',
      },
    },
  ),
}

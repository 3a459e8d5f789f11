// Addresses of mail that have to be confirmed before alerts are sent there, and the links that confirm them.
import { type Static, Type } from 'typebox'
import { endpoint } from '../route.ts'
import { closed, IdParams, Maybe, Moment } from '../shapes.ts'
import { Channel, channelExample } from './channels.ts'

export const Confirmation = Type.Object(
  {
    address: Type.String({ description: 'The address that alerts would be sent to.' }),
    by: Type.String({ description: 'Who wants it: the e-mail of the account.' }),
    confirmedAt: Maybe(Moment('When it was confirmed.'), 'Null: it was not.'),
  },
  closed,
)

export type Confirmation = Static<typeof Confirmation>

const example: Confirmation = { address: 'noc@example.org', by: 'ann@example.com', confirmedAt: null }
const confirmed: Confirmation = { ...example, confirmedAt: '2017-03-08T10:12:00+00:00' }

const query = Type.Object({
  t: Type.String({
    maxLength: 100,
    description: 'What the link has: the address, when it expires, the signature.',
    examples: ['5f2c8d1a90b3e476.1489054158.9f86d081884c7d659a2feaa0c55ad015'],
  }),
})

const tag = 'Alerts'
const path = '/api/v1/alerts/confirm'
const terms =
  'Links are good for 24 hours, as long as a channel of the user sends to the address: else 403. A browser is given a page, errors included. 429 for more than 60 requests a minute from one address.'

export const confirmingEndpoints = {
  getConfirmation: endpoint(
    {
      method: 'GET',
      path,
      scope: 'public',
      role: null,
      givesPage: true,
      tag,
      summary: 'Look at a link that confirms an address',
      description: `Which address the link would confirm, and for whom. It changes nothing, since scanners follow links. ${terms}`,
      mayBeMissing: true,
    },
    { query, response: Confirmation },
    { response: example },
  ),
  confirmByLink: endpoint(
    {
      method: 'POST',
      path,
      scope: 'public',
      role: null,
      givesPage: true,
      takesForm: true,
      tag,
      summary: 'Confirm an address by a link',
      description: `Alerts of the user may be sent to the address from now on, whichever of their channels it is in. ${terms}`,
      mayBeMissing: true,
    },
    { query, response: Confirmation },
    { response: confirmed },
  ),
  askConfirmation: endpoint(
    {
      method: 'POST',
      path: '/api/v1/alerts/channels/{id}/confirmation',
      scope: 'write',
      role: 'member',
      tag,
      summary: 'Ask again to confirm addresses',
      description:
        'Sends another confirming mail to each address of the channel that waits for one; the link of the one before stays good. 429 if the caller has had an address asked three times within an hour, or addresses 20 times within a day. No more than three such mails an hour, and ten a day, go to one address, whoever asks: what is more is not sent, and can be asked for later. 409 if the installation can send no links (`confirmedBy` is `admin`).',
      mayBeMissing: true,
      mayConflict: true,
    },
    { params: IdParams, response: Channel },
    { response: channelExample },
  ),
  confirmAddress: endpoint(
    {
      method: 'POST',
      path: '/api/v1/alerts/addresses',
      scope: 'admin',
      role: 'admin',
      tag,
      summary: 'Confirm an address for a user',
      description:
        'By an admin, in place of whoever reads what is sent there: the channels of that user may send to the address, those to come too.',
      mayBeMissing: true,
    },
    {
      body: Type.Object(
        {
          user: Type.String({ minLength: 1, maxLength: 254, description: 'The e-mail of the account.' }),
          address: Type.String({ minLength: 1, maxLength: 254, description: 'The address to be sent to.' }),
        },
        { description: 'Other members are ignored.' },
      ),
      response: Confirmation,
    },
    { body: { user: example.by, address: example.address }, response: confirmed },
  ),
}

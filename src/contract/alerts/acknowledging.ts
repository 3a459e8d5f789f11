// Links in messages by which whoever has got one takes note of its event.
import { type Static, Type } from 'typebox'
import { Saying } from '../events/event.ts'
import { overviewExample } from '../events/examples.ts'
import { endpoint } from '../route.ts'
import { closed, Maybe } from '../shapes.ts'
import { channelExample } from './channels.ts'

export const Acknowledgement = Type.Object(
  {
    eventId: Type.String({ description: 'The event that the message was about.' }),
    title: Type.String({ description: 'What the message said, as it is now.' }),
    by: Type.String({ description: 'In whose name the link takes note of it: the e-mail of the channel’s user.' }),
    channel: Type.String({ description: 'The channel that the message came by.' }),
    acknowledged: Maybe(Saying, 'Who has taken note of it. Null: nobody.'),
  },
  closed,
)

const query = Type.Object({
  t: Type.String({
    maxLength: 100,
    description: 'What the link has: the event, the channel, when it expires, the signature.',
    examples: [`${overviewExample.id}.${channelExample.id}.1489054158.9f86d081884c7d659a2feaa0c55ad015`],
  }),
})

export type Acknowledgement = Static<typeof Acknowledgement>

const example: Acknowledgement = {
  eventId: overviewExample.id,
  title: '[HIGH] NTP amplification on www.example.com (192.0.2.10): 252 Mbit/s, 67.6 kpackets/s, 65 × normal',
  by: 'ann@example.com',
  channel: channelExample.name,
  acknowledged: null,
}
const tag = 'Alerts'
const path = '/api/v1/alerts/acknowledge'
const terms =
  'Links are good for 24 hours, as long as their channel and its user are there, and the user may change something: else 403. A browser is given a page, errors included. 429 for more than 60 requests a minute from one address.'

export const acknowledgingEndpoints = {
  getAcknowledgement: endpoint(
    {
      method: 'GET',
      path,
      scope: 'public',
      role: null,
      givesPage: true,
      tag,
      summary: 'Look at a link of a message',
      description: `What the link in a message would do. It changes nothing, since scanners follow links. ${terms}`,
      mayBeMissing: true,
    },
    { query, response: Acknowledgement },
    { response: example },
  ),
  acknowledgeByLink: endpoint(
    {
      method: 'POST',
      path,
      scope: 'public',
      role: null,
      givesPage: true,
      takesForm: true,
      tag,
      summary: 'Acknowledge an event by a link',
      description: `Takes note of the event in the name of the channel’s user, whoever did first stays. ${terms}`,
      mayBeMissing: true,
    },
    { query, response: Acknowledgement },
    { response: { ...example, acknowledged: { by: example.by, at: '2017-03-08T10:12:00+00:00' } } },
  ),
}

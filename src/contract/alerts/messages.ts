// What messages say: how a channel's reader has them, and what one would say.
import { type Static, Type } from 'typebox'
import { overviewExample } from '../events/examples.ts'
import { endpoint } from '../route.ts'
import { closed, plainText } from '../shapes.ts'

export const languages = ['en', 'zh'] as const

/** Characters of a template. */
const templateMax = { title: 200, text: 2_500 } as const

/** What channels that people read have in common. */
export const readerSettings = {
  language: Type.Optional(Type.Enum([...languages], { default: 'en', description: 'The language of its messages.' })),
  timeZone: Type.Optional(
    Type.String({
      maxLength: 64,
      pattern: '^[A-Za-z][A-Za-z0-9_+/-]*$',
      default: 'UTC',
      description: 'The time zone of its messages, such as `Europe/Berlin`.',
    }),
  ),
  titleTemplate: Type.Optional(
    Type.String({
      maxLength: templateMax.title,
      pattern: plainText,
      description: 'Stands in for the title: plain text with places, such as `{{event.site}}`.',
    }),
  ),
  textTemplate: Type.Optional(
    Type.String({
      maxLength: templateMax.text,
      pattern: '^[^\\u0000-\\u0008\\u000b-\\u001f\\u007f-\\u009f\\u2028\\u2029]*$',
      description:
        'Stands in for the facts: some lines in the markup of the receiver, with places, such as `{{event.peak.bitsPerSecond|bits}}`.',
    }),
  ),
}

const Place = Type.Object(
  {
    name: Type.String({ description: 'As it stands between the braces.' }),
    description: Type.String(),
    forms: Type.Array(Type.String(), {
      description:
        'How it can be written, behind a `|`. Without one: a text as it is, a number plainly, a time as in messages.',
    }),
  },
  closed,
)

export const Places = Type.Array(Place, { description: 'What templates of titles and texts may have between braces.' })

export const MessageRequest = Type.Object(
  {
    ...readerSettings,
    eventId: Type.Optional(
      Type.String({ maxLength: 100, description: 'An event of the caller. Without it the attack is made up.' }),
    ),
    notice: Type.Optional(
      Type.Enum(['started', 'worsened', 'vector', 'continues', 'escalated', 'ended', 'resumed'], {
        description: 'What is told. Without it `started`.',
      }),
    ),
  },
  { description: 'Other members are ignored.' },
)

export const MessageText = Type.Object(
  {
    title: Type.String(),
    text: Type.String({ description: 'As people read it: markup of templates stays as it is.' }),
  },
  closed,
)

export type MessageRequest = Static<typeof MessageRequest>
export type MessageText = Static<typeof MessageText>

export const placesExample: Static<typeof Places> = [
  { name: 'event.site', description: 'The site that it is named after.', forms: ['upper'] },
]

export const messageEndpoints = {
  previewMessage: endpoint(
    {
      method: 'POST',
      path: '/api/v1/alerts/preview/message',
      scope: 'read',
      role: 'viewer',
      tag: 'Alerts',
      summary: 'Ask what a message would say',
      description:
        'About an event of the caller, or a made-up attack, by these templates. Nothing is sent. 400 names the places of a template that there are not, and those that there are.',
      mayBeMissing: true,
    },
    { body: MessageRequest, response: MessageText },
    {
      body: { eventId: overviewExample.id, textTemplate: '{{event.site}}: {{event.peak.bitsPerSecond|bits}}' },
      response: {
        title: '[HIGH] NTP amplification on www.example.com (192.0.2.10): 252 Mbit/s, 67.6 kpackets/s, 65 × normal',
        text: '*.example.com: 330 Mbit/s',
      },
    },
  ),
}

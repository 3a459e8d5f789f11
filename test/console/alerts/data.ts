// Channels of the scene, and the schemas of some kinds, as the service gives them.
import { endpoints, type Response } from '../../../src/contract/endpoints.ts'

type Channel = Response<'listChannels'>['channels'][number]
type Delivery = Response<'listDeliveries'>['deliveries'][number]
type Kind = Response<'listChannelKinds'>['kinds'][number]

const [example] = endpoints.listChannels.example.response.channels

const template = { type: 'string', maxLength: 2_500, description: 'Stands in for the facts.' }
const reader = {
  language: { enum: ['en', 'zh'], default: 'en', description: 'The language of its messages.' },
  timeZone: { type: 'string', maxLength: 64, pattern: '^[A-Za-z][A-Za-z0-9_+/-]*$', default: 'UTC' },
  titleTemplate: { ...template, maxLength: 200 },
  textTemplate: template,
}

export const places: Response<'listChannelKinds'>['places'] = [
  { name: 'event.site', description: 'The site that it is named after.', forms: ['upper'] },
  { name: 'event.peak.bitsPerSecond', description: 'Its highest second.', forms: ['bits', 'packets'] },
]

const uri = { type: 'string', format: 'uri', maxLength: 2_000 }
const secret = { type: 'string', pattern: '^whsec_[A-Za-z0-9+/=]{32,90}$' }
const object = (required: string[], properties: Record<string, unknown>) => ({
  ...{ type: 'object', required, properties },
  additionalProperties: false,
})

export const kinds: readonly Kind[] = [
  { kind: 'webhook', settings: object(['url'], { url: uri }), secrets: object(['secret'], { secret }) },
  {
    kind: 'mail',
    settings: object(['to'], {
      to: { type: 'array', items: { type: 'string' }, minItems: 1, maxItems: 20 },
      ...reader,
    }),
    secrets: object([], {}),
  },
  {
    kind: 'ntfy',
    settings: object(['topic'], { topic: { type: 'string' }, ...reader }),
    secrets: object([], { token: { type: 'string' } }),
  },
  { kind: 'slack', settings: object([], reader), secrets: object(['url'], { url: uri }) },
  {
    kind: 'syslog',
    settings: object(['target'], {
      target: { type: 'string', maxLength: 300 },
      sparkle: { type: 'string', description: 'What only a newer service has.' },
    }),
    secrets: object([], {}),
  },
]

/** `ago`: a moment that many minutes before now. */
export function channelsOf(ago: (minutes: number) => string): Channel[] {
  return [
    { ...example, id: 'a1', name: 'Everybody', kind: 'slack', settings: {}, last: null },
    {
      ...example,
      id: 'a2',
      createdAt: ago(9_000),
      last: { at: ago(4), milliseconds: 41, isDone: true, text: 'HTTP 204' },
    },
    {
      ...{
        ...example,
        id: 'a3',
        name: 'Ticket system',
        state: 'failing',
        failingSince: ago(190),
        createdAt: ago(9_000),
      },
      last: { at: ago(3), milliseconds: 12, isDone: false, text: 'HTTP 503' },
    },
    {
      ...{ ...example, id: 'a4', name: 'Old phone', kind: 'ntfy', state: 'disabled', createdAt: ago(90_000) },
      last: { at: ago(30_000), milliseconds: 212, isDone: false, text: 'HTTP 410: nothing more is wanted there' },
    },
  ]
}

const [delivery] = endpoints.listDeliveries.example.response.deliveries

/** What was told about these events, the latest first; `ago` as above. */
export function deliveriesOf(events: readonly string[], ago: (minutes: number) => string): Delivery[] {
  const states: Partial<Delivery>[] = [
    { state: 'sending', kind: 'worsened', number: 2, severity: 'critical', channelId: 'a2' },
    { state: 'due', channelId: 'a3', attempts: 4, due: ago(-12) },
    { state: 'done', channelId: 'a2' },
    { state: 'dead', channelId: 'a3', kind: 'ended', number: 2, attempts: 14, severity: 'medium' },
    { state: 'superseded', channelId: 'gone', kind: 'vector' },
  ]
  return states.map((changed, n) => ({
    ...{ ...delivery, eventId: events[n % events.length], at: ago(3 + 5 * n) },
    ...{ id: `d${n}`, ...changed },
  }))
}

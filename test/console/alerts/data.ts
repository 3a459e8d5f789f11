// Channels of the scene, and the schemas of some kinds, as the service gives them.
import { endpoints, type Response } from '../../../src/contract/endpoints.ts'
import type { EventOverview } from '../../../src/contract/events/event.ts'
import type { Answers } from '../canned.ts'

type Channel = Response<'listChannels'>['channels'][number]
type Delivery = Response<'listDeliveries'>['deliveries'][number]
type Kind = Response<'listChannelKinds'>['kinds'][number]
type Rule = Response<'listRules'>['rules'][number]
type Silence = Response<'listSilences'>['silences'][number]

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
    {
      ...{ ...example, id: 'a1', name: 'Everybody', kind: 'slack', settings: {}, last: null },
      quiet: { timeZone: 'Europe/Berlin', days: [], hours: '22:00-07:00' },
    },
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
export function deliveriesOf(
  events: readonly Pick<EventOverview, 'id' | 'site' | 'attackType'>[],
  ago: (minutes: number) => string,
): Delivery[] {
  const states: Partial<Delivery>[] = [
    { state: 'sending', kind: 'worsened', number: 2, severity: 'critical', channelId: 'a2' },
    { state: 'due', channelId: 'a3', attempts: 4, due: ago(-12) },
    { state: 'done', channelId: 'a2' },
    { state: 'dead', channelId: 'a3', kind: 'ended', number: 2, attempts: 14, severity: 'medium' },
    { state: 'superseded', channelId: 'gone', kind: 'vector' },
  ]
  return states.map((changed, n) => {
    const { id: eventId, site, attackType } = events[n % events.length]
    return { ...delivery, eventId, site, attackType, at: ago(3 + 5 * n), id: `d${n}`, ...changed }
  })
}

const [rule] = endpoints.listRules.example.response.rules
const { when } = rule
const anything = { severities: [], sites: [], groups: [], vectors: [], notices: when.notices }

/** In their order. `group`: the id of one of the scene. */
export function rulesOf(group: string): Rule[] {
  const plain: Rule = { ...rule, at: null, send: null, continuesMinutes: null, stop: false, when: anything }
  return [
    {
      ...{ ...plain, id: 'r1', name: 'Pager at night', send: ['a3'], stop: true, continuesMinutes: 30 },
      when: { ...anything, severities: ['high', 'critical'], groups: [group] },
      at: { timeZone: 'Europe/Berlin', days: [], hours: '18:00-08:00' },
    },
    {
      ...{ ...plain, id: 'r2', name: 'Amplification', send: ['a2', 'a1'] },
      when: {
        ...anything,
        ...{ sites: ['*.example.net'], notices: ['started', 'vector'] },
        vectors: ['udp@attack@amp_flood_target-NTP', 'udp@attack@amp_flood_target-DNS', 'tcp@*'],
      },
      ...{ group: { by: ['site'], waitSeconds: 30, everyMinutes: 15 }, endDelaySeconds: 300 },
      at: { timeZone: 'Asia/Shanghai', days: ['mon', 'tue', 'wed', 'thu', 'fri'], hours: '08:00-18:00' },
    },
    { ...plain, id: 'r3', name: 'Everything' },
    { ...plain, id: 'r4', name: 'All tenants', reach: 'installation', when: { ...anything, severities: ['critical'] } },
  ]
}

const [silence] = endpoints.listSilences.example.response.silences

/** `ago` as above, `group` as in rules. */
function silencesOf(group: string, ago: (minutes: number) => string): Silence[] {
  return [
    { ...silence, id: 's1', from: ago(95), until: ago(-25) },
    {
      ...{ ...silence, id: 's2', reason: 'New routers', sites: [], groups: [group], attacks: 0, openAttacks: 0 },
      ...{ from: ago(-1_170), until: ago(-1_410) },
    },
    {
      ...{ ...silence, id: 's3', reason: 'Load test of the game', sites: ['play.example.org'] },
      ...{ vectors: ['tcp@attack@syn_flood_target', 'unknown'], from: ago(1_200), until: ago(960), openAttacks: 0 },
    },
  ]
}

/** What is answered of rules and silences; `ago` as above. */
export function alertAnswers(ago: (minutes: number) => string): Answers {
  const [{ id: group }] = endpoints.listGroups.example.response.groups
  const rules = rulesOf(group)
  const unmets = ['time', 'vector', null, null] as const
  return {
    listRules: () => ({ rules }),
    previewAlert: () => ({
      told: [
        { channelId: 'a2', channel: 'Night shift', ruleId: 'r3', at: ago(0), heldBy: null },
        { channelId: 'a1', channel: 'Everybody', ruleId: 'r3', at: ago(-1_235), heldBy: 'quiet' },
      ],
      escalated: [],
      rules: rules.map(({ id: ruleId, name }, n) => ({ ruleId, name, unmet: unmets[n] })),
    }),
    listSilences: () => ({ silences: silencesOf(group, ago) }),
  }
}

// What the makers of services say that requests to them are like, written down from their documents: how a channel is set up for a server of the tests, and what
// each of its requests must be. Members that the documents do not have are refused.
import { type TSchema, Type } from 'typebox'
import type { forbidden } from './nasty.ts'

export interface Vendor {
  settings: (base: string) => Record<string, unknown>
  secrets: (base: string) => Record<string, string>
  /** Where a message that something goes on is sent to; `endPath`: one about its end. */
  path: string | RegExp
  endPath?: RegExp
  headers?: Record<string, string>
  /** The markup that is read in its texts. */
  reads: keyof typeof forbidden
  body: TSchema
  endBody?: TSchema
}

const closed = { additionalProperties: false } as const
const text = (maxLength: number) => Type.String({ minLength: 1, maxLength })
const object = (properties: Record<string, TSchema>) => Type.Object(properties, closed)
const maybe = Type.Optional
const url = Type.String({ pattern: '^https?://[^\\s]+$' })
const date = Type.String({ pattern: '^\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d(\\.\\d+)?(Z|[+-]\\d\\d:\\d\\d)$' })

/** docs.slack.dev/reference/block-kit: header, section, actions; docs.slack.dev/messaging/sending-messages-using-incoming-webhooks */
const plainText = (max: number) =>
  object({ type: Type.Literal('plain_text'), text: text(max), emoji: maybe(Type.Boolean()) })
const slack = object({
  text: text(4_000),
  mrkdwn: maybe(Type.Boolean()),
  unfurl_links: maybe(Type.Boolean()),
  blocks: Type.Array(
    Type.Union([
      object({ type: Type.Literal('header'), text: plainText(150) }),
      object({
        type: Type.Literal('section'),
        fields: Type.Array(plainText(2_000), { minItems: 1, maxItems: 10 }),
      }),
      object({ type: Type.Literal('section'), text: object({ type: Type.Literal('mrkdwn'), text: text(3_000) }) }),
      object({
        type: Type.Literal('actions'),
        elements: Type.Array(object({ type: Type.Literal('button'), text: plainText(75), url }), { maxItems: 25 }),
      }),
    ]),
    { minItems: 1, maxItems: 50 },
  ),
})

/** docs.mattermost.com/developers/integrate/reference/message-attachments; Rocket.Chat takes the same members. */
const attachments = object({
  attachments: Type.Array(
    object({
      fallback: text(4_000),
      color: Type.String({ pattern: '^#[0-9a-f]{6}$' }),
      title: text(4_000),
      title_link: maybe(url),
      text: maybe(text(4_000)),
      fields: Type.Array(object({ title: text(1_000), value: text(4_000), short: Type.Boolean() })),
    }),
    { minItems: 1, maxItems: 1 },
  ),
})

/** docs.discord.com/developers/resources/message#embed-object-embed-limits */
const discord = object({
  allowed_mentions: object({ parse: Type.Array(Type.String(), { maxItems: 0 }) }),
  embeds: Type.Array(
    object({
      title: text(256),
      url: maybe(url),
      description: maybe(text(4_096)),
      color: Type.Integer({ minimum: 0, maximum: 0xff_ff_ff }),
      fields: Type.Array(object({ name: text(256), value: text(1_024), inline: Type.Boolean() }), { maxItems: 25 }),
    }),
    { maxItems: 10 },
  ),
})

/** adaptivecards.io/schemas/adaptive-card.json, version 1.4: RichTextBlock, TextRun, Action.OpenUrl */
const run = object({
  type: Type.Literal('TextRun'),
  text: text(30_000),
  weight: maybe(Type.Enum(['default', 'lighter', 'bolder'])),
  size: maybe(Type.Enum(['default', 'small', 'medium', 'large', 'extraLarge'])),
  color: maybe(Type.Enum(['default', 'dark', 'light', 'accent', 'good', 'warning', 'attention'])),
})
const teams = object({
  type: Type.Literal('message'),
  attachments: Type.Array(
    object({
      contentType: Type.Literal('application/vnd.microsoft.card.adaptive'),
      contentUrl: Type.Null(),
      content: object({
        $schema: Type.Literal('http://adaptivecards.io/schemas/adaptive-card.json'),
        type: Type.Literal('AdaptiveCard'),
        version: Type.Literal('1.4'),
        body: Type.Array(object({ type: Type.Literal('RichTextBlock'), inlines: Type.Array(run) }), { minItems: 1 }),
        actions: Type.Array(object({ type: Type.Literal('Action.OpenUrl'), title: text(100), url })),
        msteams: object({ width: Type.Literal('Full') }),
      }),
    }),
    { minItems: 1, maxItems: 1 },
  ),
})

/** core.telegram.org/bots/api#sendmessage */
const telegram = object({
  chat_id: Type.Union([Type.String({ pattern: '^(-?\\d+|@\\w+)$' }), Type.Integer()]),
  message_thread_id: maybe(Type.Integer()),
  text: text(4_096),
  parse_mode: Type.Literal('HTML'),
  link_preview_options: object({ is_disabled: Type.Boolean() }),
})

/** docs.ntfy.sh/publish/#publish-as-json */
const ntfy = object({
  topic: Type.String({ pattern: '^[-_A-Za-z0-9]{1,64}$' }),
  title: text(250),
  message: text(4_096),
  priority: Type.Integer({ minimum: 1, maximum: 5 }),
  tags: Type.Array(Type.String()),
  click: maybe(url),
  actions: maybe(Type.Array(object({ action: Type.Literal('view'), label: text(100), url }), { maxItems: 3 })),
})

/** gotify.net/api-docs, POST /message; gotify.net/docs/msgextras */
const gotify = object({
  title: text(1_000),
  message: text(10_000),
  priority: Type.Integer({ minimum: 0, maximum: 10 }),
  extras: object({
    'client::display': object({ contentType: Type.Literal('text/plain') }),
    'client::notification': maybe(object({ click: object({ url }) })),
  }),
})

/** developer.pagerduty.com/docs/send-alert-event */
const pagerduty = object({
  routing_key: Type.String({ minLength: 32, maxLength: 32 }),
  event_action: Type.Literal('trigger'),
  dedup_key: text(255),
  payload: object({
    summary: text(1_024),
    source: text(255),
    severity: Type.Enum(['critical', 'error', 'warning', 'info']),
    timestamp: date,
    class: text(255),
    custom_details: Type.Record(Type.String(), Type.String()),
  }),
  client: maybe(Type.String()),
  client_url: maybe(url),
  links: maybe(Type.Array(object({ href: url, text: Type.String() }))),
})
const pagerdutyEnd = object({
  routing_key: Type.String({ minLength: 32, maxLength: 32 }),
  event_action: Type.Literal('resolve'),
  dedup_key: text(255),
})

/** docs.opsgenie.com/docs/alert-api: create, close */
const opsgenie = object({
  message: text(130),
  alias: text(512),
  description: text(15_000),
  entity: text(512),
  source: text(100),
  priority: Type.Enum(['P1', 'P2', 'P3', 'P4', 'P5']),
  tags: Type.Array(text(50), { maxItems: 20 }),
  details: Type.Record(Type.String(), Type.String()),
})
const opsgenieEnd = object({ source: text(100), note: text(25_000) })

/** github.com/prometheus/alertmanager, api/v2/openapi.yaml: postableAlerts */
const labels = Type.Record(Type.String({ pattern: '^[a-zA-Z_][a-zA-Z0-9_]*$' }), Type.String())
const alertmanager = Type.Array(
  object({ labels, annotations: labels, startsAt: date, endsAt: date, generatorURL: maybe(url) }),
  { minItems: 1 },
)

const chat = (path: string, reads: Vendor['reads'], body: TSchema): Vendor => ({
  settings: () => ({}),
  secrets: (base) => ({ url: `${base}${path}` }),
  path,
  reads,
  body,
})

const token = '123456:ABC-DEF1234ghIkl-zyx57W2v1u123ew11'

export const vendors: Readonly<Record<string, Vendor>> = {
  slack: chat('/services/T000/B000/token', 'slack', slack),
  mattermost: chat('/hooks/xxx', 'markdown', attachments),
  'rocket-chat': chat('/hooks/a/b', 'markdown', attachments),
  discord: chat('/api/webhooks/1/x', 'markdown', discord),
  teams: chat('/workflows/x/triggers/manual/paths/invoke?api-version=2016-06-01&sig=x', 'runs', teams),
  telegram: {
    settings: (server) => ({ server, chat: '-1001234567890' }),
    secrets: () => ({ token }),
    path: `/bot${token}/sendMessage`,
    reads: 'html',
    body: telegram,
  },
  ntfy: {
    settings: (server) => ({ server, topic: 'attacks' }),
    secrets: () => ({ token: 'tk_x' }),
    path: '/',
    headers: { authorization: 'Bearer tk_x' },
    reads: 'nothing',
    body: ntfy,
  },
  gotify: {
    settings: (server) => ({ server: `${server}/` }),
    secrets: () => ({ token: 'A.b-c' }),
    path: '/message',
    headers: { 'x-gotify-key': 'A.b-c' },
    reads: 'nothing',
    body: gotify,
  },
  pagerduty: {
    settings: (server) => ({ server }),
    secrets: () => ({ routingKey: 'a'.repeat(32) }),
    path: '/v2/enqueue',
    reads: 'nothing',
    body: pagerduty,
    endBody: pagerdutyEnd,
  },
  opsgenie: {
    settings: (server) => ({ server: `${server}/jsm/ops/integration` }),
    secrets: () => ({ apiKey: 'b'.repeat(36) }),
    path: '/jsm/ops/integration/v2/alerts',
    endPath: /^\/jsm\/ops\/integration\/v2\/alerts\/[0-9a-f]{24}\/close\?identifierType=alias$/,
    headers: { authorization: `GenieKey ${'b'.repeat(36)}` },
    reads: 'nothing',
    body: opsgenie,
    endBody: opsgenieEnd,
  },
  alertmanager: {
    settings: (base) => ({ urls: [base] }),
    secrets: () => ({ authorization: 'Bearer x' }),
    path: '/api/v2/alerts',
    headers: { authorization: 'Bearer x' },
    reads: 'nothing',
    body: alertmanager,
  },
}

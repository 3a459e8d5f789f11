// Settings of alerts.
import { X509Certificate } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { isAbsolute } from 'node:path'
import { type Static, Type } from 'typebox'
import { AppError } from '../errors.ts'

const smtpSettings = Type.Object(
  {
    host: Type.String({
      default: '',
      maxLength: 253,
      pattern: '^[A-Za-z0-9.:_-]*$',
      description:
        'The mail server that messages are given to, by its full name or address. Empty: there are no channels of kind `mail`.',
    }),
    port: Type.Integer({ default: 587, minimum: 1, maximum: 65_535, description: 'Its port.' }),
    tls: Type.Enum(['starttls', 'tls', 'none'], {
      default: 'starttls',
      description:
        'How the connection is encrypted: `starttls`: before anything else is said, or nothing is sent; `tls`: from the first octet (port 465); `none`: in the clear, for a server on this machine.',
    }),
    caFile: Type.String({
      default: '',
      description: 'PEM file of the authorities that its certificate must come from. Empty: those that Node.js knows.',
    }),
    user: Type.String({ default: '', maxLength: 254, description: 'Whom it knows us as. Empty: it asks for nobody.' }),
    password: Type.String({ default: '', secret: true, description: 'The password of the user.' }),
    from: Type.String({
      default: '',
      maxLength: 254,
      pattern: '^$|^[A-Za-z0-9.!#$%&*+/=?^_`{|}~-]{1,64}@[A-Za-z0-9.-]{1,189}$',
      expects: 'an e-mail address',
      description: 'Whom messages come from: floodgauge@example.net.',
    }),
  },
  { additionalProperties: false, description: 'The mail server of the installation, for channels of kind `mail`.' },
)

const heartbeatSettings = Type.Object(
  {
    url: Type.String({
      default: '',
      maxLength: 2_000,
      secret: true,
      description:
        'Where it is told that Floodgauge works: a check of healthchecks.io, Uptime Kuma and the like, which tells you when it hears nothing. Empty: nowhere.',
    }),
    everySeconds: Type.Integer({
      default: 60,
      minimum: 10,
      maximum: 3_600,
      description: 'How often, in seconds.',
    }),
  },
  {
    additionalProperties: false,
    description:
      'A sign of life for a service elsewhere: only while the service is ready, flows come in, and messages go out. See docs/alerts.md.',
  },
)

const Hook = Type.Object(
  {
    name: Type.String({ pattern: '^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$' }),
    command: Type.Array(Type.String({ minLength: 1, maxLength: 4_096 }), { minItems: 1, maxItems: 64 }),
    format: Type.Optional(Type.Enum(['json', 'text', 'fastnetmon'])),
    timeoutSeconds: Type.Optional(Type.Integer({ minimum: 1, maximum: 600 })),
    victimsMax: Type.Optional(Type.Integer({ minimum: 1, maximum: 256 })),
  },
  { additionalProperties: false },
)

export type Hook = Static<typeof Hook>

export const alertSettings = Type.Object(
  {
    allowedTargets: Type.Array(Type.String({ maxLength: 43, description: 'An address or a prefix, IPv4 or IPv6.' }), {
      default: [],
      maxItems: 1_000,
      description:
        'Networks that messages of any user may be sent to though they are not public. Without it users who are no admins reach public addresses only.',
    }),
    retentionDays: Type.Integer({
      default: 30,
      minimum: 1,
      maximum: 36_500,
      description: 'How long it is kept what was sent, in days.',
    }),
    perHour: Type.Integer({
      default: 30,
      minimum: 1,
      maximum: 3_600,
      description:
        'How many messages a channel for people is sent in an hour. Over it attacks that begin are told in one message every ten minutes.',
    }),
    hooks: Type.Array(Hook, {
      default: [],
      maxItems: 64,
      description:
        'Programs of this machine that channels of admins may run: `{ name, command: [/path, argument, …], format: json | text | fastnetmon, timeoutSeconds: 30, victimsMax: 16 }`. See docs/alerts.md.',
    }),
    smtp: smtpSettings,
    heartbeat: heartbeatSettings,
  },
  {
    additionalProperties: false,
    description: 'Who is told about attacks, and where. Channels are made by their users.',
  },
)

export type AlertSettings = Static<typeof alertSettings>

/** Throws AppError BAD_CONFIG where settings that fit the schema would lead nowhere. */
export function requireSoundAlerts({ hooks, smtp, heartbeat }: AlertSettings): void {
  const refuse = (text: string) => new AppError('BAD_CONFIG', text)
  const names = new Set<string>()
  for (const { name, command } of hooks) {
    if (names.has(name)) throw refuse(`alerts.hooks: there are two called ${name}`)
    names.add(name)
    if (!isAbsolute(command[0] ?? '')) throw refuse(`alerts.hooks: the command of ${name} is not an absolute path`)
  }
  if (heartbeat.url !== '' && !/^https?:$/.test(URL.parse(heartbeat.url)?.protocol ?? ''))
    throw refuse('alerts.heartbeat.url is no address of http or https')
  if (smtp.host === '') return
  if (smtp.from === '') throw refuse('alerts.smtp.host is set, and alerts.smtp.from is not')
  if (smtp.user !== '' && smtp.tls === 'none' && !['127.0.0.1', '::1', 'localhost'].includes(smtp.host))
    throw refuse('alerts.smtp.tls: without encryption the password would be sent in the clear')
  if (smtp.caFile === '') return
  try {
    new X509Certificate(readFileSync(smtp.caFile))
  } catch (error) {
    throw new AppError('BAD_CONFIG', `alerts.smtp.caFile: ${smtp.caFile} cannot be read`, { cause: error })
  }
}

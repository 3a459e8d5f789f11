// What is posted to webhooks, by type: THE table. A program on standard input (`exec` with `format: json`) is given the same.
import { type Static, type TSchema, Type } from 'typebox'
import { EventOverview, EventSeverity } from '../events/event.ts'
import { overviewExample } from '../events/examples.ts'
import { Count, closed, Maybe } from '../shapes.ts'

const Before = Type.Object({ severity: EventSeverity, label: Maybe(Type.String(), 'Null: of unknown kind.') }, closed)

export const EventMessage = Type.Object(
  {
    number: Type.Integer({ minimum: 1, description: 'The number of the message within the event.' }),
    severity: EventSeverity,
    before: Maybe(Before, 'What was told before. Null: nothing was.'),
    lateSeconds: Type.Optional(
      Count(
        'How long it could not be sent, where that is longer than other messages are tried: it is an end. Left out: it is in time.',
      ),
    ),
    event: EventOverview,
  },
  { ...closed, description: 'The event is as it is when the message is sent; `severity` is the highest so far.' },
)

export const OwnMessage = Type.Object(
  {
    severity: EventSeverity,
    subject: Type.String({ description: 'The exporter’s address, or the channel’s name; may be empty.' }),
    detail: Type.String({ description: 'What is known, in words; may be empty.' }),
    host: Type.String({ description: 'The name of the machine.' }),
    since: Type.String({ format: 'date-time', description: 'When it began.' }),
    until: Maybe(Type.String({ format: 'date-time' }), 'When it was over. Null: it goes on.'),
  },
  { ...closed, description: 'What Floodgauge itself cannot see or do. It is about no event.' },
)

const ReportedAttack = Type.Object(
  {
    site: Type.String(),
    address: Type.String(),
    severity: EventSeverity,
    bitsPerSecond: Type.Integer({ description: 'At worst.' }),
    isOver: Type.Boolean(),
  },
  closed,
)

const Attacks = Type.Integer({ minimum: 0 })

export const ReportMessage = Type.Object(
  {
    rule: Type.String({ description: 'The name of the rule that reports.' }),
    host: Type.String({ description: 'The name of the machine.' }),
    since: Type.String({ format: 'date-time' }),
    until: Type.String({ format: 'date-time' }),
    count: Count('Attacks that began within that time, and those from before that go on.'),
    open: Count('How many of them go on.'),
    more: Count('How many there were besides, which were not looked at: the lightest.'),
    bySeverity: Type.Object(
      { low: Attacks, medium: Attacks, high: Attacks, critical: Attacks },
      { ...closed, description: 'By the highest severity so far.' },
    ),
    heaviest: Type.Array(ReportedAttack, { description: 'The most severe and heaviest five.' }),
    goingOn: Type.Array(ReportedAttack, { description: 'The same of those that go on.' }),
  },
  { ...closed, description: 'All attacks of a day or a week that a rule is about, also where there was none.' },
)

/** A moment as `Date.toISOString` writes it. */
const Timestamp = Type.String({ format: 'date-time', description: 'When there was something to tell, ISO 8601.' })

interface WebhookRow {
  /** When it is sent. */
  when: string
  data: TSchema
  example: unknown
}

const example: Static<typeof EventMessage> = { number: 1, severity: 'high', before: null, event: overviewExample }
const told = { severity: 'medium', label: null } as const

const ofEvent = (when: string, given: Partial<typeof example> = { number: 2, before: told }): WebhookRow => ({
  when,
  data: EventMessage,
  example: { ...example, ...given },
})

const since = '2017-03-08T10:04:18.000Z'
const own: Static<typeof OwnMessage> = { severity: 'high', subject: '', detail: '', host: 'flows1', since, until: null }

const ofOwn = (when: string, given: Partial<typeof own> = {}): WebhookRow => ({
  when,
  data: OwnMessage,
  example: { ...own, ...given },
})

const attack = {
  site: 'shop.example.net',
  address: '192.0.2.10',
  severity: 'high',
  bitsPerSecond: 1_200_000_000,
  isOver: false,
} as const
const report: Static<typeof ReportMessage> = {
  ...{ rule: 'Every morning', host: 'flows1', since: '2017-03-07T07:00:00.000Z', until: '2017-03-08T07:00:00.000Z' },
  ...{ count: 1, open: 1, more: 0, bySeverity: { low: 0, medium: 0, high: 1, critical: 0 } },
  ...{ heaviest: [attack], goingOn: [attack] },
}

const exporter = { subject: '192.0.2.1' } as const
const until = '2017-03-08T10:09:18.000Z'

export const webhookTypes: Readonly<Record<string, WebhookRow>> = {
  'event.started': ofEvent('An event was made: the attack goes on, or was short.', {}),
  'event.worsened': ofEvent(
    'Its severity is higher than any before, and high or critical, or as severe as a rule asks for.',
  ),
  'event.vector': ofEvent('It is of another kind than before, where a rule asks for it.'),
  'event.continues': ofEvent('It goes on, as often as a rule asks for it.'),
  'event.escalated': ofEvent('Nobody has acknowledged it within the time of a rule, to the channels of that step.'),
  'event.ended': ofEvent('Its end is recorded.'),
  'event.resumed': ofEvent('It came back after its end.'),
  'exporter.silent': ofOwn(
    'Nothing came from an exporter for five minutes, and for ten times as long as usual.',
    exporter,
  ),
  'exporter.problem': ofOwn('An exporter has had a finding for five minutes that keeps attacks from being seen.', {
    ...{ ...exporter, severity: 'medium' },
    detail: 'loss: 12 % of its datagrams were lost',
  }),
  'exporter.recovered': ofOwn('Either is over.', { ...exporter, until }),
  'flows.none': ofOwn('No datagram came for two minutes.', { severity: 'critical' }),
  'flows.back': ofOwn('They come again.', { severity: 'critical', until }),
  'service.blind': ofOwn('The service was away for a minute or longer, or stood still: from then to then.', {
    ...{ severity: 'critical', until },
    detail: '2 attacks went on when it went away',
  }),
  'channel.failing': ofOwn('A channel has failed for five minutes, or a message to it was given up.', {
    subject: 'Night shift',
    detail: 'of ann@example.com: HTTP 503',
  }),
  'channel.recovered': ofOwn('It fails no more: it works again, or was deleted or turned off, as `detail` says.', {
    ...{ subject: 'Night shift', until },
    detail: 'of ann@example.com: HTTP 503; it works again',
  }),
  'site.proof_missing': ofOwn('The record that proved a site of yours is not found any more.', {
    subject: 'www.example.com',
    detail: 'of ann@example.com: there is no valid TXT record _floodgauge-host-challenge.www.example.com',
  }),
  'site.proof_found': ofOwn(
    'It is found again, another one proves the site, or, as `detail` then says, nothing is left to be proved.',
    {
      subject: 'www.example.com',
      until,
    },
  ),
  'report.digest': {
    when: 'A day or a week is over, where a rule reports on it.',
    data: ReportMessage,
    example: report,
  },
  'alert.test': ofEvent('You asked for it. The event is made up.', {}),
}

/** The whole body of a type. */
export function webhookBodyShape(type: string, { data }: WebhookRow): TSchema {
  return Type.Object({ type: Type.Literal(type), timestamp: Timestamp, data }, closed)
}

export function webhookExample(type: string, { example: data }: WebhookRow): unknown {
  return { type, timestamp: '2017-03-08T10:09:18.000Z', data }
}

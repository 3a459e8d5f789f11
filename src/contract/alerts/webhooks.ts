// What is posted to webhooks, by type: THE table. A program on standard input (`exec` with `format: json`) is given the same.
import { type Static, type TSchema, Type } from 'typebox'
import { EventOverview, EventSeverity } from '../events/event.ts'
import { overviewExample } from '../events/examples.ts'
import { closed, Maybe } from '../shapes.ts'

const Before = Type.Object({ severity: EventSeverity, label: Maybe(Type.String(), 'Null: of unknown kind.') }, closed)

export const EventMessage = Type.Object(
  {
    number: Type.Integer({ minimum: 1, description: 'The number of the message within the event.' }),
    severity: EventSeverity,
    before: Maybe(Before, 'What was told before. Null: nothing was.'),
    event: EventOverview,
  },
  { ...closed, description: 'The event is as it is when the message is sent; `severity` is the highest so far.' },
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

export const webhookTypes: Readonly<Record<string, WebhookRow>> = {
  'event.started': ofEvent('An event was made: the attack goes on, or was short.', {}),
  'event.worsened': ofEvent(
    'Its severity is higher than any before, and high or critical, or as severe as a rule asks for.',
  ),
  'event.vector': ofEvent('It is of another kind than before, where a rule asks for it.'),
  'event.continues': ofEvent('It goes on, as often as a rule asks for it.'),
  'event.ended': ofEvent('Its end is recorded.'),
  'event.resumed': ofEvent('It came back after its end.'),
  'alert.test': ofEvent('You asked for it. The event is made up.', {}),
}

/** The whole body of a type. */
export function webhookBodyShape(type: string, { data }: WebhookRow): TSchema {
  return Type.Object({ type: Type.Literal(type), timestamp: Timestamp, data }, closed)
}

export function webhookExample(type: string, { example: data }: WebhookRow): unknown {
  return { type, timestamp: '2017-03-08T10:09:18.000Z', data }
}

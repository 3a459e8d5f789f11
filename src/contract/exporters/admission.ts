// The shapes of who may send flows, and of what happened to exporters.
import { type Static, Type } from 'typebox'
import { allowedEntriesMax } from '../limits.ts'
import { Count, closed, Maybe, Moment } from '../shapes.ts'

export const ExporterNotice = Type.Object(
  {
    kind: Type.String({
      description:
        'What happened: new-sender (flows from an address that was not heard before, where the exporters are known), restart, sampling-jump (a rate more than 10 times off was told), refused (an exporter that had worked is not on the list of who may send). An open vocabulary.',
    }),
    address: Type.String({ description: 'Of the exporter.' }),
    first: Moment('When it happened first.'),
    last: Moment('When it happened last.'),
    count: Count('How often.'),
    text: Type.String({ description: 'What happened last, for people.' }),
  },
  closed,
)

const AddressRange = Type.String({
  minLength: 2,
  maxLength: 60,
  description: 'An address or a prefix, IPv4 or IPv6.',
  examples: ['192.0.2.1', '198.51.100.0/28', '2001:db8::/64'],
})

export const AllowedExporters = Type.Object(
  {
    source: Type.Enum(['anybody', 'configuration', 'here'], {
      description:
        'Where the list in force is from. anybody: there is none, and anybody who reaches the flow ports may send in any exporter’s name; configuration: `ingest.exporters`, which goes before whatever is set here; here: this interface, or the command line.',
    }),
    entries: Type.Array(AddressRange, { description: 'Who may send. Empty: anybody.' }),
    previous: Maybe(Type.Array(AddressRange), 'What was set before: give it back to undo a change. Null: nothing.'),
    changedAt: Maybe(Moment('When it was set.'), 'Null: it never was, or the configuration is in force.'),
    changedBy: Maybe(Type.String(), 'E-mail of who set it. Null: the command line, or nobody.'),
    senders: Type.Array(Type.String(), {
      description: 'Who sends now: addresses that have brought flows for minutes, and have sent within a day.',
    }),
  },
  { ...closed, description: 'Who may send flows.' },
)

export const AllowedChange = Type.Object(
  {
    entries: Type.Array(AddressRange, { maxItems: allowedEntriesMax, description: 'Who may send. Empty: anybody.' }),
    mayLeaveOut: Type.Optional(
      Type.Boolean({
        description: 'Exporters that send now may be left out. Without it a list that leaves any out is refused: 409.',
      }),
    ),
  },
  closed,
)

export type ExporterNotice = Static<typeof ExporterNotice>
export type AllowedExporters = Static<typeof AllowedExporters>

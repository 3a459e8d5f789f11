// How much an attack is under /api/v1: how long it was there, on average, at its peak, and in all.
import { Type } from 'typebox'
import { Amount, closed, Moment } from '../shapes.ts'

export const EventRates = Type.Object(
  {
    bytesPerSecond: Amount('Scaled by the sampling rate.'),
    packetsPerSecond: Amount('Scaled by the sampling rate.'),
    flowsPerSecond: Amount('Flow records, as received.'),
  },
  closed,
)

/** The members that an event, and each of its episodes, have. */
export const eventAmount = {
  activeSeconds: Amount('How long the attack was there: its pauses are left out.'),
  average: EventRates,
  peak: Type.Object(
    { ...EventRates.properties, at: Moment('When it was.') },
    { ...closed, description: 'The most of three seconds.' },
  ),
  total: Type.Object(
    {
      bytes: Amount('Scaled by the sampling rate.'),
      packets: Amount('Scaled by the sampling rate.'),
      flows: Amount('Flow records.'),
    },
    { ...closed, description: 'What came in the active time: `average` times `activeSeconds`.' },
  ),
}

/** What there is to know of an event that changes. */
export const eventProgress = {
  updatedAt: Moment('When the event last changed, what people say of it included.'),
  sequence: Type.Integer({
    minimum: 0,
    description:
      'The place of its last change among all changes of the caller\u2019s events: it rises, with gaps. See `changedSince`.',
  }),
  state: Type.Enum(['open', 'ended'], { description: 'open: the attack goes on.' }),
  phase: Type.Enum(['active', 'quiet', 'over', 'returned', 'closed'], {
    description:
      'active: the attack is seen. quiet: nothing of it was seen for some seconds. over: its end is reported, and it may come back. returned: it is seen again after that. closed: it does not come back, and nothing of the event changes any more but what people say of it.',
  }),
  start: Moment('When the attack began.'),
  lastSeen: Moment('When the attack was last seen so far.'),
  end: Type.Union([Moment('When it was over.'), Type.Null()], { description: 'Null while it goes on.' }),
  returns: Type.Integer({ minimum: 0, description: 'How often the attack came back after its end was reported.' }),
}

export const EventEpisode = Type.Object(
  {
    id: Type.String({
      pattern: '^[0-9a-f]{24}$',
      description: 'The id of its entry in the list under `/open`; that of the event for the first.',
    }),
    createdAt: Moment('When it became listable there.'),
    start: Moment('When the attack began, or came back.'),
    end: Type.Union([Moment('When it was last seen.'), Type.Null()], { description: 'Null while it goes on.' }),
    ...eventAmount,
  },
  closed,
)

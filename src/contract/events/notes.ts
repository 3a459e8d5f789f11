// The shapes of what people say of events, and of events that have to do with each other.
import { Type } from 'typebox'
import { closed } from '../shapes.ts'
import { Classification, EventOverview } from './event.ts'

export const EventNoteChange = Type.Object(
  {
    acknowledged: Type.Optional(
      Type.Boolean({ description: 'Whether the caller has taken note of it; who did first stays.' }),
    ),
    classification: Type.Optional(
      Type.Union([Classification, Type.Null()], { description: 'What it was. Null: it is not said.' }),
    ),
    text: Type.Optional(
      Type.String({
        maxLength: 2_000,
        pattern: '^[^\\u0000-\\u0008\\u000b-\\u001f\\u007f-\\u009f]*$',
        description: 'Plain text of some lines.',
      }),
    ),
  },
  { description: 'What is left out stays as it is. Other members are ignored.' },
)

export const RelatedEvents = Type.Object(
  {
    events: Type.Array(
      Type.Object(
        {
          event: EventOverview,
          because: Type.Array(Type.Enum(['site', 'address', 'time', 'sources']), {
            description:
              'What they have in common: the site, the victim, that one began within an hour of the other, or several of the heaviest sources.',
          }),
        },
        closed,
      ),
      { description: 'Those with most in common first, then the latest; 20 at most.' },
    ),
  },
  closed,
)

/** A table; see `docs/api.md`. */
export const EventTable = Type.String()

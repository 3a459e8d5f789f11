// Hours and days in a time zone.
import { Type } from 'typebox'
import { closed, Maybe } from '../shapes.ts'

const hoursPattern = '^([01][0-9]|2[0-3]):[0-5][0-9]-([01][0-9]|2[0-3]):[0-5][0-9]$'

export const TimeWindow = Type.Object(
  {
    timeZone: Type.String({
      maxLength: 64,
      description: 'A name of the IANA database.',
      examples: ['Europe/Berlin'],
    }),
    days: Type.Array(Type.Enum(['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun']), {
      maxItems: 7,
      description: 'Days on which it begins. Empty: on each.',
    }),
    hours: Maybe(
      Type.String({ pattern: hoursPattern, description: '`HH:MM-HH:MM`, on the next day where that is no later.' }),
      'Null: the whole day.',
    ),
  },
  closed,
)

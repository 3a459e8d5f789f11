// A moment in a query, in the forms that callers may use.
import { Type } from 'typebox'

/** time.ts takes a few forms more (a fraction, an offset without its plus sign), for the sake of sloppy callers. */
export const QueryMoment = (description: string) =>
  Type.Union(
    [
      Type.String({ format: 'date', description: 'A date: 00:00:00 UTC of that day.' }),
      Type.String({ format: 'date-time', description: 'ISO 8601 with an offset or `Z`.' }),
      Type.String({
        pattern: '^[0-9]{4}-(0[1-9]|1[0-2])-(0[1-9]|[12][0-9]|3[01]) ([01][0-9]|2[0-3]):[0-5][0-9]:[0-5][0-9]$',
        description: 'Date and time with a space between them, in UTC.',
      }),
    ],
    { description },
  )

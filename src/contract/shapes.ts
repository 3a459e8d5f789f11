// Shapes that several features share: moments, amounts, what may be null, moments in a query, and the body of an error.
import { type Static, type TSchema, Type } from 'typebox'
import { type RefusalReason, refusalReasons } from '../errors.ts'

export type { RefusalReason }

/** Moments as queries have them in examples: a day from its beginning to its end. */
export const queryExamples = { start: '2017-03-08T00:00:00+00:00', end: '2017-03-09' } as const

/** The object has the declared members and no others. */
export const closed = { additionalProperties: false } as const

export const Moment = (description: string) =>
  Type.String({ format: 'date-time', description: `${description} ISO 8601 with offset, in whole seconds.` })
export const Maybe = <Value extends TSchema>(value: Value, description: string) =>
  Type.Union([value, Type.Null()], { description })
export const Count = (description: string) => Type.Integer({ minimum: 0, description })
export const Amount = (description: string) => Type.Number({ minimum: 0, description })

/** An object with any text as the name of a member; the pattern of `Type.Record` would leave out texts with line breaks. */
export const Members = <Value extends TSchema>(value: Value, description?: string) =>
  Type.Unsafe<Record<string, Static<Value>>>({
    type: 'object',
    additionalProperties: value,
    ...(description === undefined ? {} : { description }),
  })

/** Pattern of a text on one line, without control characters. */
export const plainText = '^[^\\u0000-\\u001f\\u007f-\\u009f\\u2028\\u2029]*$'

export const IdParams = Type.Object({
  id: Type.String({
    minLength: 1,
    maxLength: 100,
    description: 'The id.',
    examples: ['58bfd7ae1f0a4b3c9d2e6f70'],
  }),
})

export const Deleted = Type.Object({ deleted: Type.Boolean() }, closed)

/** A moment in a query. time.ts takes a few forms more (a fraction, an offset without its plus sign), for sloppy callers. */
export const QueryMoment = (description: string, example: string) =>
  Type.Union(
    [
      Type.String({ format: 'date', description: 'A date: 00:00:00 UTC of that day.' }),
      Type.String({ format: 'date-time', description: 'ISO 8601 with an offset or `Z`.' }),
      Type.String({
        pattern: '^[0-9]{4}-(0[1-9]|1[0-2])-(0[1-9]|[12][0-9]|3[01]) ([01][0-9]|2[0-3]):[0-5][0-9]:[0-5][0-9]$',
        description: 'Date and time with a space between them, in UTC.',
      }),
    ],
    { description, examples: [example] },
  )

export const Problem = Type.Object(
  {
    title: Type.String({ description: 'What kind of problem it is.' }),
    status: Type.Integer({ description: 'The HTTP status.' }),
    detail: Type.String({ description: 'What is wrong with this request.' }),
    reason: Type.Optional(
      Type.String({
        description: `Why it is refused, as a word for programs that tell it to people: ${refusalReasons.join(', ')}. An open vocabulary; never under \`/open\`.`,
      }),
    ),
    errors: Type.Optional(
      Type.Array(
        Type.Object({
          parameter: Type.Optional(Type.String({ description: 'The query parameter or header that is wrong.' })),
          pointer: Type.Optional(Type.String({ description: 'The place in the body that is wrong (JSON Pointer).' })),
          detail: Type.String(),
        }),
      ),
    ),
  },
  { description: 'RFC 9457.' },
)

export type Problem = Static<typeof Problem>

// Settings of how people sign in.
import { type Static, Type } from 'typebox'

export const signOnSettings = Type.Object(
  {
    requireSecondFactor: Type.Enum(['none', 'admins', 'all'], {
      default: 'none',
      description:
        'Who has to give a code after the password. Whoever has no second factor yet can do nothing in the console but set it up. Tokens are not affected.',
    }),
  },
  { additionalProperties: false, description: 'How people sign in.' },
)

export type SignOnSettings = Static<typeof signOnSettings>

// Settings of alerts.
import { type Static, Type } from 'typebox'

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
  },
  {
    additionalProperties: false,
    description: 'Who is told about attacks, and where. Channels are made by their users.',
  },
)

export type AlertSettings = Static<typeof alertSettings>

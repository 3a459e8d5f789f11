// Settings of the store: where it lies, and how long it remembers.
import { type Static, Type } from 'typebox'
import { sitesPerUser } from '../contract/limits.ts'

/** The interface promises 365 days of events. */
const eventDaysMin = 365

export const storeSettings = Type.Object(
  {
    dir: Type.String({
      default: './data',
      minLength: 1,
      description: 'The data directory. It is made, readable by its owner alone, when it is missing.',
    }),
    retentionDays: Type.Object(
      {
        events: Type.Integer({
          default: 400,
          minimum: eventDaysMin,
          maximum: 36_500,
          description: 'How long events are kept, in days; at least 365, which the interface promises.',
        }),
        series: Type.Integer({
          default: 14,
          minimum: 1,
          maximum: 36_500,
          description: 'How long the traffic of each target by the minute is kept, in days.',
        }),
        bindings: Type.Integer({
          default: 400,
          minimum: 1,
          maximum: 36_500,
          description: 'How long a name that led to an address is kept after it was last confirmed, in days.',
        }),
        audit: Type.Integer({
          default: 400,
          minimum: 1,
          maximum: 36_500,
          description: 'How long entries of the audit log are kept, in days: the oldest are cut off, day by day.',
        }),
      },
      { additionalProperties: false, description: 'What is older is deleted, a little at a time.' },
    ),
    backup: Type.Object(
      {
        folder: Type.String({
          default: '',
          maxLength: 4_096,
          description:
            'Where backups are put, best on another disk. It is made, readable by its owner alone, when it is missing. Empty: none are made.',
        }),
        everyHours: Type.Integer({
          default: 24,
          minimum: 1,
          maximum: 8_760,
          description: 'A backup is made when the newest is as old as this, in hours.',
        }),
        keep: Type.Integer({
          default: 7,
          minimum: 1,
          maximum: 1_000,
          description: 'How many are kept: when another one was made and verified, the oldest is removed.',
        }),
      },
      { additionalProperties: false, description: 'Scheduled backups, each verified.' },
    ),
    siteQuota: Type.Integer({
      default: sitesPerUser.default,
      minimum: 0,
      maximum: sitesPerUser.max,
      description: 'How many sites a new user may have, unless another number is given for that user.',
    }),
  },
  { additionalProperties: false, description: 'What outlives the process: users, sites, events, traffic.' },
)

export type StoreSettings = Static<typeof storeSettings>

// The shapes of a user and of credentials, which sessions and the management of users share.
import { type Static, Type } from 'typebox'
import { closed, Maybe, Moment } from '../shapes.ts'

export const Email = Type.String({
  minLength: 3,
  maxLength: 254,
  description: 'The e-mail of the user; case does not matter.',
})
export const GivenPassword = Type.String({ minLength: 1, maxLength: 1000, description: 'The password.' })
export const NewPassword = Type.String({
  minLength: 10,
  maxLength: 200,
  description: 'The new password: 10 to 200 characters, more than three of them different, and not the e-mail.',
})

export const Scopes = Type.Array(Type.Enum(['read', 'write', 'admin']), {
  description: 'What it is good for. None includes another.',
})

export const Allowed = Type.Object(
  {
    networks: Type.Array(Type.String({ maxLength: 18 }), { maxItems: 1000, description: 'IPv4 networks (CIDR).' }),
    domains: Type.Array(Type.String({ maxLength: 253 }), {
      maxItems: 1000,
      description: 'Domains, with what is below.',
    }),
  },
  { ...closed, description: 'In which sites must lie.' },
)

export const Policy = Type.Enum(['single', 'assigned', 'verified', 'open'])

export const Role = Type.Enum(['viewer', 'member', 'admin'], {
  description:
    'What the user may do. viewer: see what is theirs, and change nothing; member: watch sites and answer for them; admin: look after the installation.',
})

export const User = Type.Object(
  {
    id: Type.String(),
    email: Type.String({ description: 'As it was given.' }),
    createdAt: Moment('When the user was made.'),
    role: Role,
    isAdmin: Type.Boolean({ description: 'Whether the role is `admin`.' }),
    siteQuota: Type.Integer({ minimum: 0, description: 'How many sites the user may have.' }),
    allowed: Maybe(Allowed, 'Null: anywhere.'),
    policy: Maybe(Policy, "Who may watch what, for this user. Null: as the installation's policy says."),
  },
  closed,
)

export type User = Static<typeof User>

export const userExample: User = {
  id: '5f0c2a9d31b7e846',
  email: 'ann@example.com',
  createdAt: '2017-03-01T08:00:00+00:00',
  role: 'admin',
  isAdmin: true,
  siteQuota: 1_000,
  allowed: null,
  policy: null,
}

export const passwordExample = 'correct horse battery staple'

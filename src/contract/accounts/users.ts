// The management of users and tokens.
import { type Static, Type } from 'typebox'
import { sitesPerUser } from '../limits.ts'
import { endpoint } from '../route.ts'
import { closed, Deleted, IdParams, Maybe, Moment, plainText } from '../shapes.ts'
import { Allowed, Email, NewPassword, Policy, passwordExample, Role, Scopes, User, userExample } from './user.ts'

export const ListedUser = Type.Object(
  {
    ...User.properties,
    siteCount: Type.Integer({ minimum: 0, description: 'How many sites the user has.' }),
    hasPassword: Type.Boolean({ description: 'Whether the user has a password to sign in with.' }),
    hasSecondFactor: Type.Boolean({ description: 'Whether a code is asked for after the password.' }),
    hasIdentity: Type.Boolean({ description: 'Whether the user has signed in by single sign-on.' }),
  },
  closed,
)

export const Users = Type.Object({ users: Type.Array(ListedUser) }, closed)

const userChanges = {
  siteQuota: Type.Optional(
    Type.Integer({ minimum: 0, maximum: sitesPerUser.max, description: 'How many sites the user may have.' }),
  ),
  allowed: Type.Optional(Maybe(Allowed, 'Null: anywhere.')),
  policy: Type.Optional(Maybe(Policy, "Null: as the installation's policy says.")),
  role: Type.Optional(Role),
  isAdmin: Type.Optional(
    Type.Boolean({
      description:
        'In place of `role`: true makes an admin, false a member of who is an admin. It must not contradict `role`.',
    }),
  ),
  password: Type.Optional(NewPassword),
}

export const UserRequest = Type.Object({ email: Email, ...userChanges }, { description: 'Other members are ignored.' })
export const UserChange = Type.Object(userChanges, { description: 'Other members are ignored.' })

export const Token = Type.Object(
  {
    id: Type.String(),
    name: Type.String({ description: 'What it is for.' }),
    scopes: Scopes,
    createdAt: Moment('When it was made.'),
    expiresAt: Maybe(Moment('When it expires.'), 'Null: never.'),
    lastUsedAt: Maybe(Moment('When it was last used, to half a minute.'), 'Null: it was not.'),
    state: Type.Enum(['active', 'suspended', 'expired'], {
      description: 'active: it works. suspended: it works no more until what `suspension` says is over.',
    }),
    suspension: Maybe(
      Type.Object(
        {
          since: Moment('Since when.'),
          reason: Type.Enum(['sign-on-refused'], {
            description:
              'sign-on-refused: single sign-on has refused its owner. All tokens of the owner work again after the next sign-in there that is accepted.',
          }),
        },
        closed,
      ),
      'Null: it is not suspended.',
    ),
    user: Type.Object({ id: Type.String(), email: Type.String() }, { ...closed, description: 'Its owner.' }),
  },
  closed,
)

export const Tokens = Type.Object({ tokens: Type.Array(Token) }, closed)

export const TokenQuery = Type.Object({
  user: Type.Optional(Type.String({ description: 'The id of a user, or `all`. For `admin`.', examples: ['all'] })),
})

export const TokenRequest = Type.Object(
  {
    name: Type.String({
      minLength: 1,
      maxLength: 100,
      pattern: plainText,
      description: 'What it is for, without control characters.',
    }),
    scopes: Type.Array(Type.Enum(['read', 'write', 'admin']), {
      minItems: 1,
      maxItems: 3,
      description: 'What it is to be good for.',
    }),
    expiresInDays: Type.Optional(
      Maybe(Type.Integer({ minimum: 1, maximum: 3_650 }), 'After how many days it expires. Null, or left out: never.'),
    ),
  },
  { description: 'Other members are ignored.' },
)

export const NewToken = Type.Object(
  { token: Token, secret: Type.String({ description: 'What the header has; shown this once.' }) },
  closed,
)

export type ListedUser = Static<typeof ListedUser>
export type Token = Static<typeof Token>

const listed: ListedUser = {
  ...userExample,
  siteCount: 12,
  hasPassword: true,
  hasSecondFactor: true,
  hasIdentity: false,
}

const token: Token = {
  id: '3be1d07f5c92a468',
  name: 'poller',
  scopes: ['read'],
  createdAt: '2017-03-01T08:00:00+00:00',
  expiresAt: null,
  lastUsedAt: '2017-03-08T10:09:18+00:00',
  state: 'active',
  suspension: null,
  user: { id: userExample.id, email: userExample.email },
}

const limits = {
  siteQuota: 100,
  allowed: { networks: ['192.0.2.0/24'], domains: ['example.com'] },
  policy: 'assigned' as const,
  role: 'viewer' as const,
}

export const userEndpoints = {
  listUsers: endpoint(
    {
      method: 'GET',
      path: '/api/v1/users',
      scope: 'admin',
      role: 'admin',
      tag: 'Accounts',
      summary: 'List users',
      description: 'All users, in the order in which they were created.',
    },
    { response: Users },
    { response: { users: [listed] } },
  ),
  addUser: endpoint(
    {
      method: 'POST',
      path: '/api/v1/users',
      scope: 'admin',
      role: 'admin',
      tag: 'Accounts',
      createsOnce: true,
      summary: 'Create a user',
      description:
        'Members that are left out have the defaults of the installation. Without a password the user cannot sign in.',
      mayConflict: true,
    },
    { body: UserRequest, response: ListedUser },
    { body: { email: 'bob@example.com', ...limits, password: passwordExample }, response: listed },
  ),
  changeUser: endpoint(
    {
      method: 'PATCH',
      path: '/api/v1/users/{id}',
      scope: 'admin',
      role: 'admin',
      tag: 'Accounts',
      summary: 'Change a user',
      description:
        'Changes the given members. A new password ends all sessions of the user; a user who is no longer an admin loses the tokens for `admin`. 409 for callers who would take the role from themselves, and where no admin would be left.',
      mayBeMissing: true,
      mayConflict: true,
    },
    { params: IdParams, body: UserChange, response: ListedUser },
    { body: limits, response: listed },
  ),
  deleteUser: endpoint(
    {
      method: 'DELETE',
      path: '/api/v1/users/{id}',
      scope: 'admin',
      role: 'admin',
      tag: 'Accounts',
      summary: 'Delete a user',
      description:
        'Deletes a user with all tokens, sessions, sites, groups and events. 409 for the caller, and where no admin would be left.',
      mayBeMissing: true,
      mayConflict: true,
    },
    { params: IdParams, response: Deleted },
    { response: { deleted: true } },
  ),
  listTokens: endpoint(
    {
      method: 'GET',
      path: '/api/v1/tokens',
      scope: 'read',
      role: 'viewer',
      tag: 'Accounts',
      summary: 'List tokens',
      description: 'The tokens of the caller; or with `user`, which is for `admin`, those of another user or of all.',
      mayBeMissing: true,
    },
    { query: TokenQuery, response: Tokens },
    { response: { tokens: [token] } },
  ),
  addToken: endpoint(
    {
      method: 'POST',
      path: '/api/v1/tokens',
      scope: 'write',
      role: 'viewer',
      tag: 'Accounts',
      createsOnce: 'with secret',
      summary: 'Create a token',
      description:
        'Creates a token of the caller, and shows its secret once. It takes a session or a token for `admin`; the new token has no scope that those lack, nor one beyond the role of the user, and does not outlive a token. 409 if the user has 100 tokens.',
      mayConflict: true,
    },
    { body: TokenRequest, response: NewToken },
    {
      body: { name: 'poller', scopes: ['read' as const], expiresInDays: null },
      response: { token, secret: '0f9d1c2e-5b7a-4c1d-8e3f-2a6b9c0d1e2f' },
    },
  ),
  revokeToken: endpoint(
    {
      method: 'DELETE',
      path: '/api/v1/tokens/{id}',
      scope: 'write',
      role: 'viewer',
      tag: 'Accounts',
      summary: 'Revoke a token',
      description: 'Revokes a token of the caller; for `admin`, of any user. It takes effect within a second.',
      mayBeMissing: true,
    },
    { params: IdParams, response: Deleted },
    { response: { deleted: true } },
  ),
}

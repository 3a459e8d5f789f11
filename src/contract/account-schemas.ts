// The shapes of accounts: who is calling, sessions, set-up.
import { type Static, type TSchema, Type } from 'typebox'
import type { accountRoutes } from './account-routes.ts'
import type { EndpointSchemas } from './schemas.ts'

const closed = { additionalProperties: false } as const

const Moment = (description: string) =>
  Type.String({ format: 'date-time', description: `${description} ISO 8601 with offset, in whole seconds.` })
const Maybe = <Value extends TSchema>(value: Value, description: string) =>
  Type.Union([value, Type.Null()], { description })

/** On one line. */
export const plainText = '^[^\\u0000-\\u001f\\u007f-\\u009f\\u2028\\u2029]*$'

const Email = Type.String({
  minLength: 3,
  maxLength: 254,
  description: 'The e-mail of the user; case does not matter.',
})
const GivenPassword = Type.String({ minLength: 1, maxLength: 1000, description: 'The password.' })
const NewPassword = Type.String({
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

export const User = Type.Object(
  {
    id: Type.String(),
    email: Type.String({ description: 'As it was given.' }),
    createdAt: Moment('When the user was made.'),
    isAdmin: Type.Boolean({ description: 'Whether the user looks after the installation.' }),
    siteQuota: Type.Integer({ minimum: 0, description: 'How many sites the user may have.' }),
    allowed: Maybe(Allowed, 'Null: anywhere.'),
    policy: Maybe(Policy, "Who may watch what, for this user. Null: as the installation's policy says."),
  },
  closed,
)

export const Session = Type.Object(
  {
    id: Type.String(),
    createdAt: Moment('When it began.'),
    seenAt: Moment('When it was last used, to half a minute.'),
    expiresAt: Moment('When it ends, however much it is used.'),
    address: Type.String({ description: 'The remote address that it was begun from.' }),
    agent: Type.String({ description: 'What the browser called itself.' }),
    isThis: Type.Boolean({ description: 'Whether it is the session of this request.' }),
  },
  closed,
)

export const Sessions = Type.Object({ sessions: Type.Array(Session) }, closed)

export const Identity = Type.Object(
  {
    user: User,
    scopes: Scopes,
    session: Maybe(Session, 'Null: a token was given.'),
    csrfToken: Maybe(
      Type.String(),
      'What `X-CSRF-Token` must have in every request that changes something. Null: a token was given.',
    ),
    policy: Type.Object(
      {
        sites: Policy,
        sessionIdleSeconds: Type.Integer({ description: 'A session that is not used for so long ends.' }),
        passwordLengthMin: Type.Integer({ description: 'Characters.' }),
        passwordLengthMax: Type.Integer({ description: 'Characters.' }),
        hostsPerRequest: Type.Integer({ description: 'How many sites a request may add.' }),
        requestsPerMinute: Type.Integer({ description: 'That a session or a token may make. 0: any number.' }),
      },
      { ...closed, description: 'What holds for the caller; `sites`: who may watch what.' },
    ),
  },
  closed,
)

export const SetupState = Type.Object(
  {
    state: Type.Enum(['open', 'done', 'expired'], {
      description:
        'open: the code makes the first admin; done: an admin can sign in; expired: the code is no longer valid, until the service starts again.',
    }),
  },
  closed,
)

export const SetupRequest = Type.Object(
  {
    code: Type.String({ maxLength: 100, description: 'Of the one-time link.' }),
    email: Email,
    password: NewPassword,
  },
  { description: 'Other members are ignored.' },
)

export const SetupOutcome = Type.Object(
  {
    identity: Identity,
    token: Type.String({ description: 'The secret of a token, shown this once.' }),
  },
  closed,
)

export const SignInRequest = Type.Object(
  { email: Email, password: GivenPassword },
  { description: 'Other members are ignored.' },
)

export const SignInLinkRequest = Type.Object(
  {
    email: Email,
    code: Type.String({ maxLength: 100, description: 'The code of the link.' }),
    password: Type.Optional(NewPassword),
  },
  { description: 'Other members are ignored.' },
)

export const PasswordChange = Type.Object(
  { current: GivenPassword, password: NewPassword },
  { description: 'Other members are ignored.' },
)

export const Ended = Type.Object({ ended: Type.Boolean({ description: 'Whether a session has ended.' }) }, closed)

export const IdParams = Type.Object({
  id: Type.String({ minLength: 1, maxLength: 100, description: 'The id.' }),
})

export const ListedUser = Type.Object(
  {
    ...User.properties,
    siteCount: Type.Integer({ minimum: 0, description: 'How many sites the user has.' }),
    hasPassword: Type.Boolean({ description: 'Whether the user has a password to sign in with.' }),
  },
  closed,
)

export const Users = Type.Object({ users: Type.Array(ListedUser) }, closed)

const userChanges = {
  siteQuota: Type.Optional(
    Type.Integer({ minimum: 0, maximum: 1_000_000, description: 'How many sites the user may have.' }),
  ),
  allowed: Type.Optional(Maybe(Allowed, 'Null: anywhere.')),
  policy: Type.Optional(Maybe(Policy, "Null: as the installation's policy says.")),
  isAdmin: Type.Optional(Type.Boolean({ description: 'Whether the user looks after the installation.' })),
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

export const Deleted = Type.Object({ deleted: Type.Boolean() }, closed)

export const accountSchemas = {
  getSetup: { response: SetupState },
  setUp: { body: SetupRequest, response: SetupOutcome },
  signIn: { body: SignInRequest, response: Identity },
  signInByLink: { body: SignInLinkRequest, response: Identity },
  getSession: { response: Identity },
  signOut: { response: Ended },
  listSessions: { response: Sessions },
  endSession: { params: IdParams, response: Ended },
  changePassword: { body: PasswordChange, response: Identity },
  listUsers: { response: Users },
  addUser: { body: UserRequest, response: ListedUser },
  changeUser: { params: IdParams, body: UserChange, response: ListedUser },
  deleteUser: { params: IdParams, response: Deleted },
  listTokens: { query: TokenQuery, response: Tokens },
  addToken: { body: TokenRequest, response: NewToken },
  revokeToken: { params: IdParams, response: Deleted },
} as const satisfies Record<keyof typeof accountRoutes, EndpointSchemas>

export type User = Static<typeof User>
export type Session = Static<typeof Session>
export type ListedUser = Static<typeof ListedUser>
export type Token = Static<typeof Token>
export type Identity = Static<typeof Identity>

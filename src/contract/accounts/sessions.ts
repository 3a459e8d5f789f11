// Set-up, signing in, sessions and the caller's own password.
import { type Static, Type } from 'typebox'
import { endpoint } from '../route.ts'
import { closed, IdParams, Maybe, Moment } from '../shapes.ts'
import { GivenCode } from './second-factor.ts'
import { Email, GivenPassword, NewPassword, Policy, passwordExample, Scopes, User, userExample } from './user.ts'

export const Session = Type.Object(
  {
    id: Type.String(),
    createdAt: Moment('When it began.'),
    seenAt: Moment('When it was last used, to half a minute.'),
    expiresAt: Moment('When it ends, however much it is used.'),
    address: Type.String({ description: 'The remote address that it was begun from.' }),
    agent: Type.String({ description: 'What the browser called itself.' }),
    isThis: Type.Boolean({ description: 'Whether it is the session of this request.' }),
    way: Type.Enum(['password', 'link', 'provider'], {
      description: 'How it was begun; link: by a one-time link; provider: by single sign-on.',
    }),
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
    hasPassword: Type.Boolean({ description: 'Whether the user has a password to sign in with.' }),
    secondFactor: Type.Enum(['off', 'on', 'missing'], {
      description:
        'on: a code is asked for after the password; missing: the user has to set it up, and a session is good for nothing else.',
    }),
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
  {
    email: Email,
    password: GivenPassword,
    code: Type.Optional(GivenCode),
  },
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

export const SignedOut = Type.Object(
  {
    ...Ended.properties,
    location: Maybe(
      Type.String(),
      'Where the browser goes to sign out of the provider as well. Null: there is no such place, or the session was begun otherwise.',
    ),
  },
  closed,
)

export type Session = Static<typeof Session>
export type Identity = Static<typeof Identity>

const session: Session = {
  id: '91c2f04b7ad3e658',
  createdAt: '2017-03-08T10:00:00+00:00',
  seenAt: '2017-03-08T10:09:18+00:00',
  expiresAt: '2017-03-22T10:00:00+00:00',
  address: '198.51.100.23',
  agent: 'Mozilla/5.0',
  isThis: true,
  way: 'password',
}

export const identityExample: Identity = {
  user: userExample,
  scopes: ['read', 'write', 'admin'],
  session,
  csrfToken: 'd2f1c67b90ae43d58c7e0f12ab34cd56ef7890123456789abcdef0123456789a',
  hasPassword: true,
  secondFactor: 'on',
  policy: {
    sites: 'single',
    sessionIdleSeconds: 86_400,
    passwordLengthMin: 10,
    passwordLengthMax: 200,
    hostsPerRequest: 1_000,
    requestsPerMinute: 600,
  },
}

export const sessionEndpoints = {
  getSetup: endpoint(
    {
      method: 'GET',
      path: '/api/v1/setup',
      scope: 'public',
      role: null,
      tag: 'Accounts',
      summary: 'Get the state of the set-up',
      description:
        'The service is set up when an admin can sign in. Until then the code of the one-time link, printed when the service starts, creates one.',
    },
    { response: SetupState },
    { response: { state: 'open' as const } },
  ),
  setUp: endpoint(
    {
      method: 'POST',
      path: '/api/v1/setup',
      scope: 'public',
      role: null,
      tag: 'Accounts',
      summary: 'Create the first admin',
      description:
        'Creates an admin with a password, a token for all scopes, and a session, whose cookie comes with the answer. A user of that e-mail who was created by the command line becomes that admin. 403 if the code is wrong; 409 if the service is set up already or the link has expired.',
      mayConflict: true,
    },
    { body: SetupRequest, response: SetupOutcome },
    {
      body: { code: 'W3p1fHc2Zl9yQkY0V0pXa0hRb2xjTmRr', email: userExample.email, password: passwordExample },
      response: { identity: identityExample, token: '0f9d1c2e-5b7a-4c1d-8e3f-2a6b9c0d1e2f' },
    },
  ),
  signIn: endpoint(
    {
      method: 'POST',
      path: '/api/v1/session',
      scope: 'public',
      role: null,
      tag: 'Accounts',
      summary: 'Sign in',
      description:
        'Begins a session, whose cookie comes with the answer. 401 for an unknown e-mail, a user without a password and a wrong password alike. Of a user with a second factor `code` is needed as well: 401 with `/code` among the errors if it is missing, wrong, or was used before. 429 after some failures, for the account and for the remote address.',
    },
    { body: SignInRequest, response: Identity },
    { body: { email: userExample.email, password: passwordExample }, response: identityExample },
  ),
  signInByLink: endpoint(
    {
      method: 'POST',
      path: '/api/v1/session/link',
      scope: 'public',
      role: null,
      tag: 'Accounts',
      summary: 'Sign in by a one-time link',
      description:
        'Begins a session for the user of a link that `floodgauge user add` or `floodgauge user link` printed, and ends the link. With `password` it becomes the password of the user, and all other sessions end. A link that was used, has expired or belongs to another e-mail is answered with 403.',
    },
    { body: SignInLinkRequest, response: Identity },
    {
      body: { email: userExample.email, code: '3d1c5b7a-9e2f-4a6b-8c0d-1e2f3a4b5c6d', password: passwordExample },
      response: identityExample,
    },
  ),
  getSession: endpoint(
    {
      method: 'GET',
      path: '/api/v1/session',
      scope: 'any',
      role: 'viewer',
      tag: 'Accounts',
      summary: 'Get the caller',
      description: 'The user, the scopes of the credentials, and the limits that apply.',
    },
    { response: Identity },
    { response: identityExample },
  ),
  signOut: endpoint(
    {
      method: 'DELETE',
      path: '/api/v1/session',
      scope: 'any',
      role: 'viewer',
      tag: 'Accounts',
      summary: 'Sign out',
      description:
        'Ends the session of the request. A token stays as it is. `location`: where to go to sign out of the provider too.',
    },
    { response: SignedOut },
    { response: { ended: true, location: null } },
  ),
  listSessions: endpoint(
    {
      method: 'GET',
      path: '/api/v1/sessions',
      scope: 'read',
      role: 'viewer',
      tag: 'Accounts',
      summary: 'List sessions',
      description: 'The sessions of the caller, the last used first.',
    },
    { response: Sessions },
    { response: { sessions: [session] } },
  ),
  endSession: endpoint(
    {
      method: 'DELETE',
      path: '/api/v1/sessions/{id}',
      scope: 'write',
      role: 'viewer',
      tag: 'Accounts',
      summary: 'End a session',
      description: 'Ends a session of the caller.',
      mayBeMissing: true,
    },
    { params: IdParams, response: Ended },
    { response: { ended: true } },
  ),
  changePassword: endpoint(
    {
      method: 'PUT',
      path: '/api/v1/password',
      scope: 'write',
      role: 'viewer',
      tag: 'Accounts',
      summary: 'Change the password',
      description:
        'Changes the password of the caller, who must give the present one: 403 if it is wrong. All sessions end, except that of the request, which is replaced by a new one.',
    },
    { body: PasswordChange, response: Identity },
    { body: { current: passwordExample, password: 'incorrect zebra battery staple' }, response: identityExample },
  ),
}

// Single sign-on by a provider (OpenID Connect).
import { Type } from 'typebox'
import { endpoint } from '../route.ts'
import { closed, Maybe } from '../shapes.ts'
import { Identity, identityExample } from './sessions.ts'

export const SignOn = Type.Object(
  {
    passwords: Type.Boolean({ description: 'Whether people sign in with passwords.' }),
    provider: Maybe(
      Type.Object({ label: Type.String({ description: 'What its button says.' }) }, closed),
      'Null: there is no single sign-on.',
    ),
  },
  closed,
)

export const SignOnStart = Type.Object(
  {
    next: Type.Optional(
      Type.String({ maxLength: 500, description: 'Where to go afterwards: a path of the console, `/events`.' }),
    ),
  },
  { description: 'Other members are ignored.' },
)

export const SignOnLocation = Type.Object(
  { location: Type.String({ description: 'The address at the provider that the browser goes to.' }) },
  closed,
)

export const SignOnFinish = Type.Object(
  {
    query: Type.String({ maxLength: 8_000, description: 'Of the address that the provider sent the browser back to.' }),
  },
  { description: 'Other members are ignored.' },
)

export const SignOnOutcome = Type.Object(
  { identity: Identity, next: Type.String({ description: 'Where to go now: a path of the console.' }) },
  closed,
)

export const signOnEndpoints = {
  getSignOn: endpoint(
    {
      method: 'GET',
      path: '/api/v1/sign-on',
      scope: 'public',
      role: null,
      tag: 'Accounts',
      summary: 'Get the ways to sign in',
      description: 'Whether there is single sign-on, and whether passwords are taken as well.',
    },
    { response: SignOn },
    { response: { passwords: true, provider: { label: 'Example Ltd' } } },
  ),
  startSignOn: endpoint(
    {
      method: 'POST',
      path: '/api/v1/sign-on',
      scope: 'public',
      role: null,
      tag: 'Accounts',
      summary: 'Begin single sign-on',
      description:
        'Answers where the browser has to go, with a cookie that binds what comes back to it for a quarter of an hour. 409 if there is no single sign-on; 503 if the provider cannot be reached.',
      mayConflict: true,
    },
    { body: SignOnStart, response: SignOnLocation },
    {
      body: { next: '/events' },
      response: {
        location: 'https://login.example.net/authorize?client_id=floodgauge&response_type=code&code_challenge=E9Mel',
      },
    },
  ),
  finishSignOn: endpoint(
    {
      method: 'POST',
      path: '/api/v1/session/sign-on',
      scope: 'public',
      role: null,
      tag: 'Accounts',
      summary: 'Sign in by the provider',
      description:
        'Begins a session for whom the provider vouches for, in the browser that asked. 403 if another browser asked, the answer was used before, or the provider or the rules of the installation do not let the user in; 503 if the provider cannot be reached.',
      mayConflict: true,
    },
    { body: SignOnFinish, response: SignOnOutcome },
    {
      body: { query: 'code=SplxlOBeZQQYbYS6WxSbIA&state=6w1.L2V2ZW50cw.Yx' },
      response: { identity: identityExample, next: '/events' },
    },
  ),
}

// The endpoints of accounts as plain data: set-up, signing in, passwords.
import type { Route } from './route.ts'

export const accountRoutes = {
  getSetup: {
    method: 'GET',
    path: '/api/v1/setup',
    scope: 'public',
    tag: 'Accounts',
    summary: 'Get whether there is a first user',
    description:
      'The service is set up when it has a user. Until then the code of the one-time link, printed when the service starts, makes one.',
  },
  setUp: {
    method: 'POST',
    path: '/api/v1/setup',
    scope: 'public',
    tag: 'Accounts',
    summary: 'Make the first user',
    description:
      'Makes the first user, an admin, with a password, a token for everything, and a session, whose cookie comes with the answer. A wrong code is answered with 403; with 409 when the service is set up already, or the time of the link is over.',
    mayConflict: true,
  },
  signIn: {
    method: 'POST',
    path: '/api/v1/session',
    scope: 'public',
    tag: 'Accounts',
    summary: 'Sign in',
    description:
      'Begins a session, whose cookie comes with the answer. An unknown e-mail, a user without a password and a wrong password are answered alike: 401. After some failures the account and the remote address have to wait: 429.',
  },
  getSession: {
    method: 'GET',
    path: '/api/v1/session',
    scope: 'any',
    tag: 'Accounts',
    summary: 'Get who is calling',
    description: 'The user, what the credentials are good for, and what holds for them.',
  },
  signOut: {
    method: 'DELETE',
    path: '/api/v1/session',
    scope: 'any',
    tag: 'Accounts',
    summary: 'Sign out',
    description: 'Ends the session of the request. A token stays as it is.',
  },
  listSessions: {
    method: 'GET',
    path: '/api/v1/sessions',
    scope: 'read',
    tag: 'Accounts',
    summary: 'List sessions',
    description: 'Where the caller is signed in, the session that was last used first.',
  },
  endSession: {
    method: 'DELETE',
    path: '/api/v1/sessions/{id}',
    scope: 'write',
    tag: 'Accounts',
    summary: 'End a session',
    description: 'Ends a session of the caller.',
    mayBeMissing: true,
  },
  changePassword: {
    method: 'PUT',
    path: '/api/v1/password',
    scope: 'write',
    tag: 'Accounts',
    summary: 'Change the password',
    description:
      'Changes the password of the caller, who must give the present one: a wrong one is answered with 403. All sessions end, but for the one of the request, which goes on as a new one.',
  },
} as const satisfies Record<string, Route>

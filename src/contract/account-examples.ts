// Examples of what is said of accounts.
import type { Identity, Session, User } from './account-schemas.ts'

const user: User = {
  id: '5f0c2a9d31b7e846',
  email: 'ann@example.com',
  createdAt: '2017-03-01T08:00:00+00:00',
  isAdmin: true,
  siteQuota: 1_000,
  allowed: null,
  policy: null,
}

const session: Session = {
  id: '91c2f04b7ad3e658',
  createdAt: '2017-03-08T10:00:00+00:00',
  seenAt: '2017-03-08T10:09:18+00:00',
  expiresAt: '2017-03-22T10:00:00+00:00',
  address: '198.51.100.23',
  agent: 'Mozilla/5.0',
  isThis: true,
}

const identity: Identity = {
  user,
  scopes: ['read', 'write', 'admin'],
  session,
  csrfToken: 'd2f1c67b90ae43d58c7e0f12ab34cd56ef7890123456789abcdef0123456789a',
  policy: {
    sites: 'single',
    sessionIdleSeconds: 86_400,
    passwordLengthMin: 10,
    passwordLengthMax: 200,
    hostsPerRequest: 1_000,
    requestsPerMinute: 600,
  },
}

const password = 'correct horse battery staple'

export const accountExamples = {
  getSetup: { response: { state: 'open' as const } },
  setUp: {
    body: { code: 'W3p1fHc2Zl9yQkY0V0pXa0hRb2xjTmRr', email: user.email, password },
    response: { identity, token: '0f9d1c2e-5b7a-4c1d-8e3f-2a6b9c0d1e2f' },
  },
  signIn: { body: { email: user.email, password }, response: identity },
  getSession: { response: identity },
  signOut: { response: { ended: true } },
  listSessions: { response: { sessions: [session] } },
  endSession: { response: { ended: true } },
  changePassword: { body: { current: password, password: 'incorrect zebra battery staple' }, response: identity },
}

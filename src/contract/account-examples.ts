// Examples of what is said of accounts.
import type { Identity, ListedUser, Session, Token, User } from './account-schemas.ts'

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

const listed: ListedUser = { ...user, siteCount: 12, hasPassword: true }

const token: Token = {
  id: '3be1d07f5c92a468',
  name: 'poller',
  scopes: ['read'],
  createdAt: '2017-03-01T08:00:00+00:00',
  expiresAt: null,
  lastUsedAt: '2017-03-08T10:09:18+00:00',
  user: { id: user.id, email: user.email },
}

const limits = {
  siteQuota: 100,
  allowed: { networks: ['192.0.2.0/24'], domains: ['example.com'] },
  policy: 'assigned' as const,
  isAdmin: false,
}

const password = 'correct horse battery staple'

export const accountExamples = {
  getSetup: { response: { state: 'open' as const } },
  setUp: {
    body: { code: 'W3p1fHc2Zl9yQkY0V0pXa0hRb2xjTmRr', email: user.email, password },
    response: { identity, token: '0f9d1c2e-5b7a-4c1d-8e3f-2a6b9c0d1e2f' },
  },
  signIn: { body: { email: user.email, password }, response: identity },
  signInByLink: {
    body: { email: user.email, code: '3d1c5b7a-9e2f-4a6b-8c0d-1e2f3a4b5c6d', password },
    response: identity,
  },
  getSession: { response: identity },
  signOut: { response: { ended: true } },
  listSessions: { response: { sessions: [session] } },
  endSession: { response: { ended: true } },
  changePassword: { body: { current: password, password: 'incorrect zebra battery staple' }, response: identity },
  listUsers: { response: { users: [listed] } },
  addUser: { body: { email: 'bob@example.com', ...limits, password }, response: listed },
  changeUser: { body: limits, response: listed },
  deleteUser: { response: { deleted: true } },
  listTokens: { response: { tokens: [token] } },
  addToken: {
    body: { name: 'poller', scopes: ['read' as const], expiresInDays: null },
    response: { token, secret: '0f9d1c2e-5b7a-4c1d-8e3f-2a6b9c0d1e2f' },
  },
  revokeToken: { response: { deleted: true } },
}

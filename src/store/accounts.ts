// The part of the store that knows who may do what: users, their tokens, passwords, links and sessions.
import type { Policy } from '../access/policy.ts'
import type { Role, Scope } from '../access/roles.ts'

export interface User {
  id: string
  /** As given; compared without case. */
  email: string
  createdMs: number
  /** How many sites the user may have. */
  siteQuota: number
  /** Networks (CIDR) and domains that the user's sites must lie in; null: anything. */
  allowed: { networks: string[]; domains: string[] } | null
  /** Who may watch what, for this user; null: as everybody. */
  policy: Policy | null
  /** What the user may do: see access/roles.ts. */
  role: Role
  /** Whether the user has a password, and so can sign in. */
  hasPassword: boolean
  /** Whether a code is asked for after the password. */
  hasSecondFactor: boolean
  /** Whether the user is known to a provider of single sign-on, and so can sign in. */
  hasIdentity: boolean
}

/** Whether the user looks after the installation, and can sign in to do so. */
export function mayAdminister({ role, hasPassword, hasIdentity }: User): boolean {
  return role === 'admin' && (hasPassword || hasIdentity)
}

export type NewUser = Omit<
  User,
  'id' | 'createdMs' | 'policy' | 'role' | 'hasPassword' | 'hasSecondFactor' | 'hasIdentity'
> & {
  /** Without it: as everybody. */
  policy?: Policy | null
  /** Without it: a member. */
  role?: Role
  /** See password.ts. Without it the user cannot sign in. */
  passwordHash?: string
}

export interface Token {
  id: string
  userId: string
  name: string
  scopes: Scope[]
  createdMs: number
  expiresMs: number | null
  lastUsedMs: number | null
  /** Since when it is good for nothing because its user is refused (see `refuseIdentities`); null: the user is not. */
  suspendedMs: number | null
}

/** What has expired is so for good, whatever becomes of its user. */
export function tokenState({ expiresMs, suspendedMs }: Token, nowMs: number): 'active' | 'suspended' | 'expired' {
  if (expiresMs !== null && expiresMs <= nowMs) return 'expired'
  return suspendedMs === null ? 'active' : 'suspended'
}

export type NewToken = Omit<Token, 'id' | 'createdMs' | 'lastUsedMs' | 'suspendedMs'>

/** The session or the token of the user who makes a token, by its id. */
export interface TokenMaker {
  kind: 'session' | 'token'
  id: string
}

/** A token found by the hash of its secret, with its owner: what authentication needs, in one read. */
export interface Credential {
  token: Token
  user: User
}

/** How a user has signed in. */
export const sessionWays = ['password', 'link', 'provider'] as const
export type SessionWay = (typeof sessionWays)[number]

/** That a user has signed in. */
export interface Session {
  id: string
  userId: string
  createdMs: number
  /** When it was last used. */
  seenMs: number
  /** When it ends, however much it is used. */
  expiresMs: number
  /** The remote address that it was begun from, and what the browser called itself. */
  address: string
  agent: string
  way: SessionWay
}

export type NewSession = Omit<Session, 'id' | 'createdMs' | 'seenMs' | 'way'> & {
  /** Without it: by password. */
  way?: SessionWay
}

export interface Accounts {
  /** Throws AppError CONFLICT when the e-mail is taken. */
  addUser(user: NewUser): Promise<User>
  userByEmail(email: string): Promise<User | null>
  userById(id: string): Promise<User | null>
  /** In the order in which they were made. */
  listUsers(): Promise<User[]>
  /**
   * Who is no admin any more loses the tokens for `admin`. Throws AppError NOT_FOUND, and with `keepAdmin` CONFLICT where no admin would be left.
   */
  updateUser(
    id: string,
    change: Partial<Pick<User, 'siteQuota' | 'allowed' | 'policy' | 'role'>>,
    options?: { keepAdmin: boolean },
  ): Promise<void>
  /**
   * With tokens, sessions, sites and events, the events in short transactions: when it fails on the way, the user can do nothing any more,
   * and the rest goes with the next attempt. False when there was no such user. Throws AppError CONFLICT with `keepAdmin` where no admin would be
   * left.
   */
  deleteUser(id: string, options?: { keepAdmin: boolean }): Promise<boolean>

  /** Null: the user cannot sign in any more. All sessions and the sign-in link of the user end. Throws AppError NOT_FOUND. */
  setPassword(userId: string, passwordHash: string | null): Promise<void>
  /** Null: there is no such user. */
  passwordOf(email: string): Promise<{ user: User; passwordHash: string | null } | null>

  /** Takes the place of the link that the user had. Throws AppError NOT_FOUND. */
  setSignInLink(userId: string, link: { codeHash: Uint8Array; expiresMs: number }): Promise<void>
  /** The user of a link that has not expired. */
  userOfSignInLink(codeHash: Uint8Array): Promise<User | null>
  /**
   * Ends the link, and with a password sets it and ends all sessions of the user: all of it or nothing. Null when there is no such link, or it
   * has expired.
   */
  redeemSignInLink(codeHash: Uint8Array, passwordHash: string | null): Promise<User | null>

  /**
   * It is good for nothing that its user may not do. With a maker: it must still be there when the token is written; and a token that a token makes
   * is good for nothing that the maker is not, and does not outlive it. Throws AppError FORBIDDEN.
   */
  addToken(token: NewToken, secretHash: Uint8Array, maker?: TokenMaker): Promise<Token>
  /** Also of a token that has expired; null of one whose user is refused (see `refuseIdentities`). */
  credentialByHash(secretHash: Uint8Array): Promise<Credential | null>
  listTokens(userId: string): Promise<Token[]>
  /** False when there was no such token; with `userId`: none of that user. */
  revokeToken(id: string, userId?: string): Promise<boolean>
  touchTokens(used: { id: string; atMs: number }[]): Promise<void>

  /** A user has 50 sessions at most: those last used longest ago end, as do those that have expired. */
  addSession(session: NewSession, secretHash: Uint8Array): Promise<Session>
  /** Also of a session that has expired. */
  sessionByHash(secretHash: Uint8Array): Promise<{ session: Session; user: User } | null>
  /** Last used first; also those that have expired. */
  listSessions(userId: string): Promise<Session[]>
  /** False when the user had no such session. */
  endSession(userId: string, id: string): Promise<boolean>
  touchSessions(used: { id: string; atMs: number }[]): Promise<void>
}

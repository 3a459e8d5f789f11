// Users, tokens and sessions as the interface shows them. Pure.
import type { Session as WireSession } from '../../contract/accounts/sessions.ts'
import type { User as WireUser } from '../../contract/accounts/user.ts'
import type { ListedUser, Token as WireToken } from '../../contract/accounts/users.ts'
import { formatTime } from '../../contract/time.ts'
import { tokenState } from '../../store/accounts.ts'
import type { Session, Token, User } from '../../store/store.ts'

export function presentUser({ id, email, createdMs, role, siteQuota, allowed, policy }: User): WireUser {
  return { id, email, createdAt: formatTime(createdMs), role, isAdmin: role === 'admin', siteQuota, allowed, policy }
}

export function presentListedUser(user: User, siteCount: number): ListedUser {
  return {
    ...presentUser(user),
    siteCount,
    hasPassword: user.hasPassword,
    hasSecondFactor: user.hasSecondFactor,
    hasIdentity: user.hasIdentity,
  }
}

export function presentToken(token: Token, { id, email }: User, nowMs: number): WireToken {
  const { createdMs, expiresMs, lastUsedMs, suspendedMs } = token
  return {
    id: token.id,
    name: token.name,
    scopes: token.scopes,
    createdAt: formatTime(createdMs),
    expiresAt: expiresMs === null ? null : formatTime(expiresMs),
    lastUsedAt: lastUsedMs === null ? null : formatTime(lastUsedMs),
    state: tokenState(token, nowMs),
    suspension: suspendedMs === null ? null : { since: formatTime(suspendedMs), reason: 'sign-on-refused' },
    user: { id, email },
  }
}

/** `thisId`: the session of the request; null when it has none. */
export function presentSession(session: Session, thisId: string | null): WireSession {
  const { id, createdMs, seenMs, expiresMs, address, agent, way } = session
  return {
    id,
    createdAt: formatTime(createdMs),
    seenAt: formatTime(seenMs),
    expiresAt: formatTime(expiresMs),
    address,
    agent,
    isThis: id === thisId,
    way,
  }
}

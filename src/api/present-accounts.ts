// Users, tokens and sessions as the interface shows them. Pure.
import type { Session as WireSession, User as WireUser } from '../contract/account-schemas.ts'
import { formatTime } from '../contract/time.ts'
import type { Session, User } from '../store/store.ts'

export function presentUser({ id, email, createdMs, isAdmin, siteQuota, allowed, policy }: User): WireUser {
  return { id, email, createdAt: formatTime(createdMs), isAdmin, siteQuota, allowed, policy }
}

/** `thisId`: the session of the request; null when it has none. */
export function presentSession(session: Session, thisId: string | null): WireSession {
  const { id, createdMs, seenMs, expiresMs, address, agent } = session
  return {
    id,
    createdAt: formatTime(createdMs),
    seenAt: formatTime(seenMs),
    expiresAt: formatTime(expiresMs),
    address,
    agent,
    isThis: id === thisId,
  }
}

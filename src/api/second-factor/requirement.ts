// Who must have a second factor, and what somebody may do who has none. Pure.
import { type Scope, scopesOf } from '../../access/roles.ts'
import type { Session, User } from '../../store/store.ts'
import type { SignOnSettings } from '../sign-on/settings.ts'

export type Requirement = SignOnSettings['requireSecondFactor']

/** on: there is one; missing: it has to be set up before anything else; off: there need not be one. */
export type SecondFactorState = 'off' | 'on' | 'missing'

/** Without a password nobody is asked for a code after it. */
export function isRequiredOf({ role, hasPassword }: User, requirement: Requirement): boolean {
  return hasPassword && (requirement === 'all' || (requirement === 'admins' && role === 'admin'))
}

/** `session`: null: none. Where a provider vouches for somebody, second factors are its own affair. */
export function secondFactorOf(
  user: User,
  session: Pick<Session, 'way'> | null,
  requirement: Requirement,
): SecondFactorState {
  if (user.hasSecondFactor) return 'on'
  return session?.way !== 'provider' && isRequiredOf(user, requirement) ? 'missing' : 'off'
}

/** What a session of the user is good for. */
export function scopesOfSession(user: User, session: Pick<Session, 'way'>, requirement: Requirement): readonly Scope[] {
  return secondFactorOf(user, session, requirement) === 'missing' ? [] : scopesOf(user.role)
}

// Who the caller is, as whoever signs in and the console are told.
import type { Scope } from '../../access/roles.ts'
import type { AccessSettings } from '../../access/settings.ts'
import type { Identity } from '../../contract/accounts/sessions.ts'
import { hostsMax, passwordLength } from '../../contract/limits.ts'
import type { Session, SessionWay, User } from '../../store/store.ts'
import { deviceCookieOf, type Peer, sessionCookie } from '../http/peer.ts'
import { scopesOfSession, secondFactorOf } from '../second-factor/requirement.ts'
import type { HttpSettings } from '../settings.ts'
import type { SignOnSettings } from '../sign-on/settings.ts'
import { presentSession, presentUser } from './present.ts'
import { csrfToken, type Sessions } from './sessions.ts'
import type { SignIn } from './sign-in.ts'

export interface IdentityOptions {
  sessions: Sessions
  signIn: Pick<SignIn, 'deviceOf'>
  settings: Pick<HttpSettings, 'ratePerMinute'>
  signOn: Pick<SignOnSettings, 'requireSecondFactor'>
  /** `policy` holds for users who have none of their own. */
  access: Pick<AccessSettings, 'policy'>
}

interface Caller {
  user: User
  scopes: readonly Scope[]
  session: Session | null
  secret: string | null
}

export type Identities = ReturnType<typeof createIdentities>

export function createIdentities({ sessions, signIn, settings, signOn, access }: IdentityOptions) {
  const of = ({ user, scopes, session, secret }: Caller): Identity => ({
    user: presentUser(user),
    scopes: [...scopes],
    session: session === null ? null : presentSession(session, session.id),
    csrfToken: session === null || secret === null ? null : csrfToken(secret),
    hasPassword: user.hasPassword,
    secondFactor: secondFactorOf(user, session, signOn.requireSecondFactor),
    policy: {
      sites: user.policy ?? access.policy,
      sessionIdleSeconds: sessions.idleSeconds,
      passwordLengthMin: passwordLength.min,
      passwordLengthMax: passwordLength.max,
      hostsPerRequest: hostsMax,
      requestsPerMinute: settings.ratePerMinute,
    },
  })

  /** What is answered to who has just signed in. */
  const begin = async (
    user: User,
    peer: Peer,
    way: SessionWay,
  ): Promise<{ body: Identity; headers: Record<string, string[]> }> => {
    // Only who has given the password is known by it again.
    const device = way === 'provider' ? null : await signIn.deviceOf(user)
    const { session, secret } = await sessions.begin(user.id, peer, way)
    return {
      body: of({ user, scopes: scopesOfSession(user, session, signOn.requireSecondFactor), session, secret }),
      headers: {
        'set-cookie': [
          sessionCookie(peer, secret, sessions.keepSeconds(way)),
          ...(device === null ? [] : [deviceCookieOf(peer, device)]),
        ],
      },
    }
  }

  return { of, begin }
}

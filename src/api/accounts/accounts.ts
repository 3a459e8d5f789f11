// The endpoints of set-up, sessions and passwords.

import type { Clock } from '../../clock.ts'
import type { sessionEndpoints } from '../../contract/accounts/sessions.ts'
import type { RefusalReason } from '../../errors.ts'
import { emailKey, isEmail } from '../../store/email.ts'
import { passwordFault } from '../../store/password.ts'
import type { Store, User } from '../../store/store.ts'
import { hashTokenSecret } from '../../store/token-secret.ts'
import type { Handlers } from '../http/endpoints.ts'
import { sessionCookie } from '../http/peer.ts'
import { ProblemError, refusal } from '../http/problem.ts'
import type { SecondFactorCheck } from '../second-factor/check.ts'
import type { Provider } from '../sign-on/provider.ts'
import type { SignOnSettings } from '../sign-on/settings.ts'
import type { Identities } from './identity.ts'
import { presentSession } from './present.ts'
import type { Sessions } from './sessions.ts'
import type { Setup } from './setup.ts'
import type { SignIn } from './sign-in.ts'

export interface SessionHandlerOptions {
  store: Pick<Store, 'listSessions' | 'endSession' | 'setPassword' | 'userOfSignInLink' | 'redeemSignInLink'>
  clock: Clock
  sessions: Sessions
  signIn: SignIn
  secondFactors: SecondFactorCheck
  setup: Setup
  identities: Identities
  /** Null: there is no single sign-on. */
  provider: Provider | null
  signOn: Pick<SignOnSettings, 'passwords'>
}

export function createSessionHandlers(options: SessionHandlerOptions): Handlers<keyof typeof sessionEndpoints> {
  const { store, clock, sessions, signIn, identities, provider } = options

  return {
    ...waysIn(options),

    getSession: async ({ scopes, session, peer }, user) => ({
      body: identities.of({ user, scopes, session, secret: peer.secret }),
    }),

    signOut: async ({ session, peer }, user) => {
      if (session === null) return { body: { ended: false, location: null } }
      const ended = await store.endSession(user.id, session.id)
      sessions.forget((each) => each.session.id === session.id)
      const location = session.way === 'provider' && provider !== null ? await provider.end() : null
      return { body: { ended, location }, headers: { 'set-cookie': sessionCookie(peer, '', 0) } }
    },

    listSessions: async ({ session }, { id }) => {
      const nowMs = clock.now()
      const idleMs = sessions.idleSeconds * 1000
      const live = (await store.listSessions(id)).filter(
        (each) => each.id === session?.id || (each.expiresMs > nowMs && each.seenMs + idleMs > nowMs),
      )
      return { body: { sessions: live.map((each) => presentSession(each, session?.id ?? null)) } }
    },

    endSession: async ({ params }, user) => {
      if (!(await store.endSession(user.id, params.id))) {
        throw new ProblemError('NOT_FOUND', 'The caller has no such session')
      }
      sessions.forget((each) => each.session.id === params.id)
      return { body: { ended: true } }
    },

    changePassword: async ({ body, scopes, session, peer }, user) => {
      requirePassword(body.password, user.email)
      const { address, device } = peer
      const known = await signIn.check({ email: user.email, password: body.current, address, device })
      if (known === null) throw new ProblemError('FORBIDDEN', 'The present password is another one')
      await store.setPassword(user.id, await signIn.hash(body.password))
      sessions.forget((each) => each.user.id === user.id)
      return session === null
        ? { body: identities.of({ user, scopes, session, secret: null }) }
        : identities.begin(user, peer, session.way)
    },
  }
}

/** The endpoints that strangers may ask: to set the service up, and to sign in. */
function waysIn({
  store,
  sessions,
  signIn,
  secondFactors,
  identities,
  signOn,
  setup,
}: SessionHandlerOptions): Pick<
  Handlers<keyof typeof sessionEndpoints>,
  'getSetup' | 'setUp' | 'signIn' | 'signInByLink'
> {
  const requireCode = async (user: User, code: string | undefined, device: string | null) => {
    if (!user.hasSecondFactor) return
    if (code === undefined) throw badCode('A code of the authenticator is needed as well')
    const isKnownDevice = await signIn.isDeviceOf(user, device)
    if (!(await secondFactors.isCode(user, code, { isKnownDevice })))
      throw badCode('The code is wrong, or was used before')
  }

  return {
    getSetup: async () => ({ body: { state: await setup.state() } }),

    setUp: async ({ body, peer }) => {
      const email = body.email.trim()
      await requireOpen(setup)
      if (!setup.isCode(body.code)) throw new ProblemError('FORBIDDEN', 'This is not the code that the service printed')
      if (!isEmail(email)) throw badBody('/email', 'It is no e-mail address')
      requirePassword(body.password, email)
      const made = await setup.createUser(email, await signIn.hash(body.password))
      if (made === null) throw refusal('set-up-already', 'CONFLICT', 'The service is set up already')
      const { body: known, headers } = await identities.begin(made.user, peer, 'password')
      return { body: { identity: known, token: made.secret }, headers }
    },

    signIn: async ({ body, peer }) => {
      if (!signOn.passwords)
        throw refusal('password-not-taken', 'FORBIDDEN', 'Passwords are not taken here: sign in by the provider')
      const { address, device } = peer
      const user = await signIn.check({ ...body, address, device })
      if (user === null) throw new ProblemError('UNAUTHENTICATED', 'The e-mail or the password is wrong')
      await requireCode(user, body.code, device)
      return identities.begin(user, peer, 'password')
    },

    signInByLink: async ({ body, peer }) => {
      const codeHash = hashTokenSecret(body.code)
      // Before the password is hashed: strangers must not make the service work.
      const known = await store.userOfSignInLink(codeHash)
      if (known === null || emailKey(known.email) !== emailKey(body.email.trim())) throw noSuchLink()
      const { password } = body
      if (password !== undefined) requirePassword(password, known.email)
      const user = await store.redeemSignInLink(codeHash, password === undefined ? null : await signIn.hash(password))
      if (user === null) throw noSuchLink()
      if (password !== undefined) sessions.forget((each) => each.user.id === user.id)
      return identities.begin(user, peer, 'link')
    },
  }
}

function badCode(detail: string): ProblemError {
  return new ProblemError('UNAUTHENTICATED', 'The second factor is not proved', [{ pointer: '/code', detail }])
}

async function requireOpen(setup: Setup): Promise<void> {
  const state = await setup.state()
  if (state === 'done') throw refusal('set-up-already', 'CONFLICT', 'The service is set up already')
  if (state === 'expired')
    throw refusal('set-up-expired', 'CONFLICT', 'The link has expired: start the service again for another')
}

function noSuchLink(): ProblemError {
  return new ProblemError('FORBIDDEN', 'The link was used already, has expired, or belongs to another e-mail')
}

/** Throws a problem, 404, when there is no such user. */
export async function requireUser(store: Pick<Store, 'userById'>, id: string): Promise<User> {
  const user = await store.userById(id)
  if (user === null) throw new ProblemError('NOT_FOUND', 'There is no such user')
  return user
}

export function requirePassword(password: string, email: string): void {
  const fault = passwordFault(password, email)
  if (fault !== null) throw badBody('/password', fault.text, fault.reason)
}

export function badBody(pointer: string, detail: string, reason?: RefusalReason): ProblemError {
  return new ProblemError('BAD_REQUEST', 'The body is not valid', [{ pointer, detail }], undefined, reason)
}

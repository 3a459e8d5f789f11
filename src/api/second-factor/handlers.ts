// The endpoints of the second factor.
import { randomBytes } from 'node:crypto'
import type { Clock } from '../../clock.ts'
import type { secondFactorEndpoints } from '../../contract/accounts/second-factor.ts'
import { formatTime } from '../../contract/time.ts'
import type { SecretBox } from '../../store/secret-box.ts'
import type { Session, Store, User } from '../../store/store.ts'
import { requireUser } from '../accounts/accounts.ts'
import type { Sessions } from '../accounts/sessions.ts'
import type { SignIn } from '../accounts/sign-in.ts'
import type { Handlers } from '../http/endpoints.ts'
import type { Peer } from '../http/peer.ts'
import { ProblemError, refusal } from '../http/problem.ts'
import type { HttpSettings } from '../settings.ts'
import type { SignOnSettings } from '../sign-on/settings.ts'
import type { SecondFactorCheck } from './check.ts'
import { hashesOf, newRecoveryCodes } from './recovery-codes.ts'
import { isRequiredOf } from './requirement.ts'
import { base32, keyUri, secretBytes, stepOf } from './totp.ts'

export interface SecondFactorHandlerOptions {
  store: Pick<
    Store,
    | 'userById'
    | 'setSecondFactor'
    | 'secondFactorOf'
    | 'confirmSecondFactor'
    | 'setRecoveryCodes'
    | 'deleteSecondFactor'
  >
  clock: Clock
  secrets: SecretBox
  sessions: Sessions
  signIn: SignIn
  secondFactors: SecondFactorCheck
  settings: Pick<HttpSettings, 'publicUrl'>
  signOn: Pick<SignOnSettings, 'requireSecondFactor'>
}

export function createSecondFactorHandlers(
  options: SecondFactorHandlerOptions,
): Handlers<keyof typeof secondFactorEndpoints> {
  const { store, sessions, signIn, secondFactors, signOn } = options

  const forget = (userId: string) => sessions.forget(({ user }) => user.id === userId)

  const requireCode = async (user: User, code: string, peer: Peer) => {
    if (!user.hasSecondFactor) throw refusal('no-second-factor', 'CONFLICT', 'There is no second factor')
    const isKnownDevice = await signIn.isDeviceOf(user, peer.device)
    if (!(await secondFactors.isCode(user, code, { isKnownDevice }))) throw wrongCode()
  }

  return {
    ...waysOn(options),

    getSecondFactor: async (_input, user) => {
      const known = await store.secondFactorOf(user.id)
      const sinceMs = known?.confirmedMs ?? null
      return {
        body: {
          isOn: sinceMs !== null,
          isRequired: isRequiredOf(user, signOn.requireSecondFactor),
          since: sinceMs === null ? null : formatTime(sinceMs),
          recoveryCodesLeft: known?.recoveryCodesLeft ?? 0,
        },
      }
    },

    renewRecoveryCodes: async ({ body, session, peer }, user) => {
      requirePerson(session)
      await requireCode(user, body.code, peer)
      const recoveryCodes = newRecoveryCodes()
      await store.setRecoveryCodes(user.id, hashesOf(recoveryCodes))
      return { body: { recoveryCodes } }
    },

    endSecondFactor: async ({ body, session, peer }, user) => {
      requirePerson(session)
      if (isRequiredOf(user, signOn.requireSecondFactor))
        throw refusal('second-factor-required', 'CONFLICT', 'This installation asks for a second factor')
      await requireCode(user, body.code, peer)
      const deleted = await store.deleteSecondFactor(user.id)
      forget(user.id)
      return { body: { deleted } }
    },

    resetSecondFactor: async ({ params }, caller) => {
      const user = await requireUser(store, params.id)
      if (user.id === caller.id)
        throw refusal('own-second-factor', 'CONFLICT', 'Nobody can reset their own: a code turns it off')
      const deleted = await store.deleteSecondFactor(user.id)
      forget(user.id)
      return { body: { deleted } }
    },
  }
}

/** What turns it on. */
function waysOn({
  store,
  clock,
  secrets,
  sessions,
  signIn,
  secondFactors,
  settings,
}: SecondFactorHandlerOptions): Pick<
  Handlers<keyof typeof secondFactorEndpoints>,
  'setUpSecondFactor' | 'confirmSecondFactor'
> {
  return {
    setUpSecondFactor: async ({ body, session, peer }, user) => {
      requirePerson(session)
      if (!user.hasPassword)
        throw refusal('no-password', 'CONFLICT', 'A code is asked for after a password, and there is none')
      const { address, device } = peer
      const known = await signIn.check({ email: user.email, password: body.password, address, device })
      if (known === null) throw new ProblemError('FORBIDDEN', 'The password is another one')
      const secret = randomBytes(secretBytes)
      await store.setSecondFactor(user.id, secrets.seal(secret, user.id))
      return {
        body: { secret: base32(secret), uri: keyUri({ secret, email: user.email, issuer: issuerOf(settings) }) },
      }
    },

    confirmSecondFactor: async ({ body, session }, user) => {
      requirePerson(session)
      const waiting = await store.secondFactorOf(user.id)
      if (waiting === null || waiting.confirmedMs !== null)
        throw refusal('nothing-to-confirm', 'CONFLICT', 'There is nothing to confirm')
      const secret = secondFactors.openSecret(user.id, waiting.sealedSecret)
      const step = stepOf(body.code.replaceAll(/\s/g, ''), secret, clock.now())
      if (step === null) throw wrongCode()
      const recoveryCodes = newRecoveryCodes()
      const isConfirmed = await store.confirmSecondFactor(user.id, { step, codeHashes: hashesOf(recoveryCodes) })
      if (!isConfirmed) throw refusal('nothing-to-confirm', 'CONFLICT', 'There is nothing to confirm')
      sessions.forget((each) => each.user.id === user.id)
      return { body: { recoveryCodes } }
    },
  }
}

function requirePerson(session: Session | null): void {
  if (session === null) throw new ProblemError('FORBIDDEN', 'It is for people who have signed in')
}

function wrongCode(): ProblemError {
  return new ProblemError('FORBIDDEN', 'The code is wrong, or was used before')
}

/** What the authenticator calls this installation: with its host, of which somebody may have several. */
function issuerOf({ publicUrl }: Pick<HttpSettings, 'publicUrl'>): string {
  return publicUrl === '' ? 'Floodgauge' : `Floodgauge ${new URL(publicUrl).host}`
}

// Whether a code is the user's: of the authenticator, each step once, or one of the recovery codes. Who fails has to wait, longer each time; a browser
// that the account has signed in from waits for its own failures only.
import type { Clock } from '../../clock.ts'
import type { SecretBox } from '../../store/secret-box.ts'
import type { Store, User } from '../../store/store.ts'
import { ProblemError, refusal } from '../http/problem.ts'
import { BackOff } from '../limits/back-off.ts'
import { recoveryCodeHash } from './recovery-codes.ts'
import { stepOf } from './totp.ts'

export interface SecondFactorOptions {
  store: Pick<Store, 'secondFactorOf' | 'takeStep' | 'takeRecoveryCode'>
  secrets: SecretBox
  clock: Clock
}

export class SecondFactorCheck {
  readonly #options: SecondFactorOptions
  /** Only who has the password comes as far as this, so that a stranger keeps nobody waiting; a code has a million values, of which three are right. */
  readonly #failures = new BackOff({ free: 5, firstMs: 1_000, mostMs: 900_000 })
  readonly counters = { succeeded: 0, recovered: 0, failed: 0, throttled: 0 }

  constructor(options: SecondFactorOptions) {
    this.#options = options
  }

  /** How many accounts had their failures forgotten early. */
  get evicted(): number {
    return this.#failures.evicted
  }

  /** `isKnownDevice`: see `SignIn`. Throws a ProblemError: TOO_MANY_REQUESTS, or CONFLICT where codes cannot be checked. */
  async isCode(user: User, given: string, { isKnownDevice }: { isKnownDevice: boolean }): Promise<boolean> {
    const nowMs = this.#options.clock.now()
    const key = isKnownDevice ? `${user.id} device` : user.id
    const waitMs = this.#failures.take(key, nowMs)
    if (waitMs > 0) {
      this.counters.throttled++
      throw new ProblemError('TOO_MANY_REQUESTS', 'Too many wrong codes', [], Math.ceil(waitMs / 1000))
    }
    const kind = await this.#take(user.id, given, nowMs)
    if (kind === null) {
      this.counters.failed++
      return false
    }
    this.counters[kind]++
    this.#failures.forgive(key, { entirely: true })
    return true
  }

  /** The secret that makes the codes. Throws a ProblemError CONFLICT where its key is not here. */
  openSecret(userId: string, sealedSecret: Uint8Array): Uint8Array {
    const secret = this.#options.secrets.open(sealedSecret, userId)
    if (secret === null) throw keyMissing(this.#options.secrets.file)
    return secret
  }

  async #take(userId: string, given: string, nowMs: number): Promise<'succeeded' | 'recovered' | null> {
    const { store } = this.#options
    const hash = recoveryCodeHash(given)
    if (hash !== null) return (await store.takeRecoveryCode(userId, hash)) ? 'recovered' : null
    const known = await store.secondFactorOf(userId)
    if (known === null || known.confirmedMs === null) return null
    const step = stepOf(given.replaceAll(/\s/g, ''), this.openSecret(userId, known.sealedSecret), nowMs)
    return step !== null && (await store.takeStep(userId, step)) ? 'succeeded' : null
  }
}

function keyMissing(file: string): ProblemError {
  const name = file.replace(/^.*\//, '')
  const detail = `Codes cannot be checked: the key of this installation (${name}) is not beside its data. Use a recovery code, or ask your administrator`
  return refusal('second-factor-key', 'CONFLICT', detail)
}

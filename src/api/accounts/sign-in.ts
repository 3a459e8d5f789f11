// Whether an e-mail and a password belong together. Failures cost the same whatever is wrong, and after some of them the account and the
// remote address have to wait. A browser that the account has signed in from waits for its own failures, not for those of strangers. No more than a few passwords are looked at in one moment, since
// each takes memory and a processor.
import { createHmac, timingSafeEqual } from 'node:crypto'
import type { Clock } from '../../clock.ts'
import type { Crowding } from '../../fair-table.ts'
import { addressBlock, partyBlocks } from '../../net/address-block.ts'
import { emailKey } from '../../store/email.ts'
import type { PasswordHashing } from '../../store/password.ts'
import type { Store, User } from '../../store/store.ts'
import { ProblemError } from '../http/problem.ts'
import { BackOff } from '../limits/back-off.ts'

const atOnce = 2
const waitingMax = 16
/** Who can have many addresses: a site has an IPv6 /48, which is 65,536 networks. */
const blockLengths = { ipv4: 24, ipv6: 48 }

export interface Attempt {
  email: string
  password: string
  address: string
  /** What the browser was given when the account signed in from it; null: nothing. */
  device: string | null
}

interface SignInOptions {
  store: Pick<Store, 'passwordOf'>
  clock: Clock
  passwords: PasswordHashing
}

export class SignIn {
  readonly #store: Pick<Store, 'passwordOf'>
  readonly #clock: Clock
  readonly #passwords: PasswordHashing
  /** A stranger who guesses must not keep the owner out for long. */
  readonly #accounts = new BackOff({ free: 5, firstMs: 1_000, mostMs: 60_000 })
  /** Those of who comes with the device of the account: strangers who guess do not keep them waiting, nor does who has stolen it guess for free. */
  readonly #devices = new BackOff({ free: 5, firstMs: 1_000, mostMs: 60_000 })
  readonly #addresses = new BackOff({ free: 10, firstMs: 1_000, mostMs: 900_000 })
  readonly #waiting: (() => void)[] = []
  #running = 0
  readonly counters = { succeeded: 0, failed: 0, throttled: 0, busy: 0 }

  constructor({ store, clock, passwords }: SignInOptions) {
    this.#store = store
    this.#clock = clock
    this.#passwords = passwords
  }

  /** How many accounts and addresses had their failures forgotten early. */
  get evicted(): number {
    return this.#accounts.evicted + this.#devices.evicted + this.#addresses.evicted
  }

  /** Who crowds the tables of failures. */
  get tables(): Readonly<Record<string, () => Crowding>> {
    return {
      'sign-in-accounts': () => this.#accounts.crowding(),
      'sign-in-devices': () => this.#devices.crowding(),
      'sign-in-addresses': () => this.#addresses.crowding(),
    }
  }

  /** Null: they do not belong together. Throws a ProblemError TOO_MANY_REQUESTS. */
  async check({ email, password, address, device }: Attempt): Promise<User | null> {
    const nowMs = this.#clock.now()
    const account = emailKey(email.trim())
    const network = addressBlock(address, partyBlocks)
    const block = addressBlock(address, blockLengths)
    const known = await this.#store.passwordOf(account)
    const attempts = isDevice(device, known?.passwordHash ?? '') ? this.#devices : this.#accounts
    // An attempt that is refused counts nowhere: whoever makes an account wait does not make its owner's address wait as well.
    const waitMs = this.#addresses.waitOf(network, nowMs) || attempts.waitOf(account, nowMs)
    if (waitMs > 0) {
      this.counters.throttled++
      throw tooMany('Too many failed attempts', Math.ceil(waitMs / 1000))
    }
    this.#addresses.take(network, nowMs, block)
    attempts.take(account, nowMs, block)
    const isRight = await this.#inTurn(() => this.#passwords.isPassword(password, known?.passwordHash ?? null))
    if (known === null || !isRight) {
      this.counters.failed++
      return null
    }
    this.counters.succeeded++
    attempts.forgive(account, { entirely: true })
    this.#addresses.forgive(network, { entirely: false })
    return known.user
  }

  /** Whether the browser has what it was given when the user signed in from it. */
  async isDeviceOf({ email }: User, device: string | null): Promise<boolean> {
    return isDevice(device, (await this.#store.passwordOf(email))?.passwordHash ?? '')
  }

  /** What a browser is given that a user has signed in from, to be known again; null: the user has no password. */
  async deviceOf({ email }: User): Promise<string | null> {
    const known = await this.#store.passwordOf(email)
    return known === null || known.passwordHash === null ? null : deviceOf(known.passwordHash)
  }

  /** Throws a ProblemError TOO_MANY_REQUESTS. */
  hash(password: string): Promise<string> {
    return this.#inTurn(() => this.#passwords.hash(password))
  }

  async #inTurn<Result>(work: () => Promise<Result>): Promise<Result> {
    if (this.#running >= atOnce) {
      if (this.#waiting.length >= waitingMax) {
        this.counters.busy++
        throw tooMany('Too many sign in at this moment', 1)
      }
      await new Promise<void>((resolve) => this.#waiting.push(resolve))
    } else this.#running++
    try {
      return await work()
    } finally {
      // The place passes on to whoever waits.
      const next = this.#waiting.shift()
      if (next === undefined) this.#running--
      else next()
    }
  }
}

/** Follows from the hash of the password, which only the store has: it is kept nowhere, and a new password ends it. */
function deviceOf(passwordHash: string): string {
  return createHmac('sha256', passwordHash).update('floodgauge device').digest('hex')
}

/** Costs the same whether there is such an account or not. */
function isDevice(given: string | null, passwordHash: string): boolean {
  const known = Buffer.from(deviceOf(passwordHash))
  const device = Buffer.from((given ?? '').padEnd(known.length).slice(0, known.length))
  return timingSafeEqual(device, known) && passwordHash !== '' && given?.length === known.length
}

function tooMany(detail: string, retryAfterSeconds: number): ProblemError {
  return new ProblemError('TOO_MANY_REQUESTS', detail, [], retryAfterSeconds)
}

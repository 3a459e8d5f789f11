// What an authenticator on a phone does, with a secret that is typed into it.
import { hotp, stepAt } from '../../src/api/second-factor/totp.ts'

const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'

export interface Authenticator {
  /** The code of this moment, or of a later step. */
  code(laterSteps?: number): string
}

/** `secret`: in Base32 (RFC 4648). */
export function authenticator(secret: string, now: () => number = Date.now): Authenticator {
  const bits = [...secret].map((letter) => alphabet.indexOf(letter).toString(2).padStart(5, '0')).join('')
  const bytes = Buffer.from((bits.match(/.{8}/g) ?? []).map((octet) => Number.parseInt(octet, 2)))
  return { code: (laterSteps = 0) => hotp(bytes, stepAt(now()) + laterSteps) }
}

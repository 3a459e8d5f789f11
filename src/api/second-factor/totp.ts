// Codes by time (TOTP, RFC 6238) over codes by counter (HOTP, RFC 4226), as every authenticator makes them: SHA-1, six digits, steps of 30 seconds.
import { createHmac, timingSafeEqual } from 'node:crypto'

const stepMs = 30_000
const digits = 6
/** Steps before and after the present one whose codes are taken as well: clocks differ, and typing takes a while (RFC 6238 section 5.2). */
const driftSteps = 1
/** As many as SHA-1 gives: RFC 4226 section 4, R6. */
export const secretBytes = 20

export function hotp(secret: Uint8Array, counter: number): string {
  const message = Buffer.alloc(8)
  message.writeBigUInt64BE(BigInt(counter))
  const mac = createHmac('sha1', secret).update(message).digest()
  // RFC 4226 section 5.3: the last four bits say where the number begins.
  const number = mac.readUInt32BE(mac[mac.length - 1] & 15) & 0x7fff_ffff
  return String(number % 10 ** digits).padStart(digits, '0')
}

export function stepAt(nowMs: number): number {
  return Math.floor(nowMs / stepMs)
}

/** The step that the code is of; null: of none that may be taken now. Takes as long whichever it is. */
export function stepOf(code: string, secret: Uint8Array, nowMs: number): number | null {
  const given = Buffer.from(code.padEnd(digits).slice(0, digits), 'latin1')
  const present = stepAt(nowMs)
  let found: number | null = null
  for (let step = Math.max(0, present - driftSteps); step <= present + driftSteps; step++) {
    if (timingSafeEqual(given, Buffer.from(hotp(secret, step)))) found = step
  }
  return /^\d{6}$/.test(code) ? found : null
}

/** What a QR code says to an authenticator (the Key URI format). `issuer`: whose account it is. */
export function keyUri({ secret, email, issuer }: { secret: Uint8Array; email: string; issuer: string }): string {
  const label = `${encodeURIComponent(issuer)}:${encodeURIComponent(email)}`
  return `otpauth://totp/${label}?secret=${base32(secret)}&issuer=${encodeURIComponent(issuer)}`
}

const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'

/** RFC 4648 section 6, without padding: five bits a letter, of as many octets as make whole letters. */
export function base32(bytes: Uint8Array): string {
  const bits = [...bytes].map((byte) => byte.toString(2).padStart(8, '0')).join('')
  return (bits.match(/.{5}/g) ?? []).map((five) => alphabet[Number.parseInt(five, 2)]).join('')
}

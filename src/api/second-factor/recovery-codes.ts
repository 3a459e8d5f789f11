// Codes for who has lost the device that makes the others: made here, shown once, kept as hashes, and good once each.
import { createHash, randomBytes } from 'node:crypto'
import { base32 } from './totp.ts'

const codes = 10
/** 80 bits: too many to be guessed from a fast hash, and sixteen letters. */
const codeBytes = 10

/** `abcd-efgh-ijkl-mnop`. */
export function newRecoveryCodes(): string[] {
  return Array.from({ length: codes }, () => {
    const letters = base32(randomBytes(codeBytes)).toLowerCase()
    return (letters.match(/.{4}/g) ?? []).join('-')
  })
}

/** As people type them: capitals, spaces and hyphens do not matter. Null: it is no such code. */
export function recoveryCodeHash(code: string): Uint8Array | null {
  const letters = code.toLowerCase().replaceAll(/[\s-]/g, '')
  return /^[a-z2-7]{16}$/.test(letters) ? createHash('sha256').update(letters, 'utf8').digest() : null
}

export function hashesOf(given: readonly string[]): Uint8Array[] {
  return given.map(recoveryCodeHash).filter((hash) => hash !== null)
}

// The secret of a token: made here, shown once, and kept only as its hash.
import { hash, randomUUID } from 'node:crypto'

/** 122 random bits, in the shape of a UUID. */
export function newTokenSecret(): string {
  return randomUUID()
}

/**
 * What is stored, and looked up, in place of the secret. A fast hash is right: the secret is random and long, so that it cannot be guessed
 * from its hash. A look-up by the hash tells nothing of the secret by its timing.
 */
export function hashTokenSecret(secret: string): Uint8Array {
  return hash('sha256', secret.trim().toLowerCase(), 'buffer')
}

// Passwords: which may be one, and the hash that is kept in their place. Argon2id (RFC 9106) at the cost that OWASP recommends; the cost is in
// the hash, so that another one can be chosen later.
import { argon2Sync, randomBytes, timingSafeEqual } from 'node:crypto'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { passwordLength } from '../contract/limits.ts'
import type { RefusalReason } from '../errors.ts'

/** Who makes the hashes of passwords and looks at them, on whichever thread. */
export interface PasswordHashing {
  hash(password: string): Promise<string>
  isPassword(password: string, passwordHash: string | null): Promise<boolean>
}

export interface PasswordCost {
  memoryKib: number
  passes: number
  lanes: number
}

const recommended: PasswordCost = { memoryKib: 19_456, passes: 2, lanes: 1 }
const saltBytes = 16
const hashBytes = 32

/** $argon2id$v=19$m=19456,t=2,p=1$salt$hash, both in Base64 without padding. */
const form = /^\$argon2id\$v=19\$m=(\d{4,5}),t=(\d{1,2}),p=(\d)\$([A-Za-z0-9+/]{22})\$([A-Za-z0-9+/]{43})$/

/** Why the text cannot be the password of the user; null when it can. */
export function passwordFault(password: string, email: string): { text: string; reason: RefusalReason } | null {
  const { min, max } = passwordLength
  const length = [...password].length
  if (length < min || length > max)
    return { text: `A password has ${min} to ${max} characters`, reason: 'password-length' }
  if (new Set(password).size < 4)
    return { text: 'A password has more than three different characters', reason: 'password-plain' }
  if (password.toLowerCase() === email.toLowerCase())
    return { text: 'A password is not the e-mail', reason: 'password-email' }
  return null
}

/** A PHC string. Takes some 60 ms of this thread and 19 MiB. */
export function hashPassword(password: string, cost = recommended): string {
  const salt = randomBytes(saltBytes)
  const hash = derive(password, salt, cost)
  return `$argon2id$v=19$m=${cost.memoryKib},t=${cost.passes},p=${cost.lanes}$${base64(salt)}$${base64(hash)}`
}

/** Costs the same whether there is a hash, and whether it is of this password. `cost`: of the hashes that there are. */
export function isPassword(password: string, passwordHash: string | null, cost = recommended): boolean {
  const parts = form.exec(passwordHash ?? '')
  const [memoryKib, passes, lanes] = parts === null ? [] : parts.slice(1, 4).map(Number)
  const known = parts === null ? cost : { memoryKib, passes, lanes }
  const salt = parts === null ? Buffer.alloc(saltBytes) : Buffer.from(parts[4], 'base64')
  const expected = parts === null ? Buffer.alloc(hashBytes) : Buffer.from(parts[5], 'base64')
  const isSame = timingSafeEqual(derive(password, salt, known), expected)
  return isSame && parts !== null
}

/** On the thread that calls, which does nothing else meanwhile, but first what else it has to do. */
export function hashingHere(cost = recommended): PasswordHashing {
  return {
    hash: async (password) => {
      await nextTurn()
      return hashPassword(password, cost)
    },
    isPassword: async (password, passwordHash) => {
      await nextTurn()
      return isPassword(password, passwordHash, cost)
    },
  }
}

/** What looks the same is the same: an accented letter may come as one code point or as two. */
function derive(password: string, salt: Uint8Array, { memoryKib, passes, lanes }: PasswordCost): Uint8Array {
  const options = { nonce: salt, parallelism: lanes, tagLength: hashBytes, memory: memoryKib, passes }
  return argon2Sync('argon2id', { message: password.normalize('NFKC'), ...options })
}

function base64(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString('base64').replaceAll('=', '')
}

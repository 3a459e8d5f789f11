// Links that say what they are good for, signed so that nobody makes one up, and good for a day. Nothing is stored for them.
import { createHmac, timingSafeEqual } from 'node:crypto'

const goodForMs = 86_400_000
/** Characters of the signature, which are 128 bits. */
const signatureLength = 32
/** What is read of a link is bounded before anything is computed. */
const tokenLengthMax = 100
const form = /^(([0-9a-f]{1,32}(?:\.[0-9a-f]{1,32})*)\.([0-9]{10,11}))\.([0-9a-f]{32})$/

export interface LinkOptions {
  /** Empty: nobody knows where the service is, and there are no links. */
  publicUrl: string
  /** The key of these links alone; null: there is none. */
  key: () => Uint8Array | null
}

export class SignedLinks {
  readonly #options: LinkOptions
  readonly #path: string

  constructor(path: string, options: LinkOptions) {
    this.#options = options
    this.#path = path
  }

  /** `parts`: hexadecimal, each with its own length. Null: there can be no link. */
  urlFor(parts: readonly string[], nowMs: number): string | null {
    const { publicUrl, key } = this.#options
    const secret = publicUrl === '' ? null : key()
    if (secret === null) return null
    const what = `${parts.join('.')}.${Math.floor((nowMs + goodForMs) / 1_000)}`
    return `${publicUrl.replace(/\/+$/, '')}${this.#path}?t=${what}.${signatureOf(what, secret)}`
  }

  /** Null: nobody here has signed it. */
  read(token: string, nowMs: number): { parts: string[]; isExpired: boolean } | null {
    const secret = this.#options.key()
    const [, what, parts, seconds, signature] = form.exec(token.slice(0, tokenLengthMax)) ?? []
    if (secret === null || what === undefined) return null
    if (!timingSafeEqual(Buffer.from(signature), Buffer.from(signatureOf(what, secret)))) return null
    return { parts: parts.split('.'), isExpired: nowMs > Number(seconds) * 1_000 }
  }
}

function signatureOf(what: string, key: Uint8Array): string {
  return createHmac('sha256', key).update(what).digest('hex').slice(0, signatureLength)
}

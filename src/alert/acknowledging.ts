// Links by which whoever has got a message takes note of its event, without signing in: signed, so that nobody makes one up, and good for a day. They are good
// for what the message was about and in the name of the channel that it came by, whose end is theirs, too.
import { createHmac, timingSafeEqual } from 'node:crypto'
import { acknowledgingEndpoints } from '../contract/alerts/acknowledging.ts'

/** For what a link is good. */
export interface AcknowledgingLink {
  eventId: string
  /** The channel that its message came by. */
  channelId: string
}

export interface ReadLink extends AcknowledgingLink {
  isExpired: boolean
}

const goodForMs = 86_400_000
/** Characters of the signature, which are 128 bits. */
const signatureLength = 32
/** What is read of a link is bounded before anything is computed. */
export const tokenLengthMax = 100
const form = /^(([0-9a-f]{24})\.([0-9a-f]{16})\.([0-9]{10,11}))\.([0-9a-f]{32})$/
const { path } = acknowledgingEndpoints.getAcknowledgement.route

interface LinkOptions {
  /** Empty: nobody knows where the service is, and there are no links. */
  publicUrl: string
  /** The key of these links alone; null: there is none. */
  key: () => Uint8Array | null
}

export class AcknowledgingLinks {
  readonly #options: LinkOptions

  constructor(options: LinkOptions) {
    this.#options = options
  }

  /** Null: there can be none. */
  urlFor({ eventId, channelId }: AcknowledgingLink, nowMs: number): string | null {
    const { publicUrl, key } = this.#options
    const secret = publicUrl === '' ? null : key()
    if (secret === null) return null
    const what = `${eventId}.${channelId}.${Math.floor((nowMs + goodForMs) / 1_000)}`
    return `${publicUrl.replace(/\/+$/, '')}${path}?t=${what}.${signatureOf(what, secret)}`
  }

  /** Null: nobody here has signed it. */
  read(token: string, nowMs: number): ReadLink | null {
    const secret = this.#options.key()
    const [, what, eventId, channelId, seconds, signature] = form.exec(token.slice(0, tokenLengthMax)) ?? []
    if (secret === null || what === undefined) return null
    if (!timingSafeEqual(Buffer.from(signature), Buffer.from(signatureOf(what, secret)))) return null
    return { eventId, channelId, isExpired: nowMs > Number(seconds) * 1_000 }
  }
}

function signatureOf(what: string, key: Uint8Array): string {
  return createHmac('sha256', key).update(what).digest('hex').slice(0, signatureLength)
}

// Links by which whoever has got a message takes note of its event, without signing in. They are good for what the message was about and in the name of the
// channel that it came by, whose end is theirs, too.
import { acknowledgingEndpoints } from '../contract/alerts/acknowledging.ts'
import { type LinkOptions, SignedLinks } from './signed-links.ts'

/** For what a link is good. */
interface AcknowledgingLink {
  eventId: string
  /** The channel that its message came by. */
  channelId: string
}

interface ReadLink extends AcknowledgingLink {
  isExpired: boolean
}

const { path } = acknowledgingEndpoints.getAcknowledgement.route

export class AcknowledgingLinks {
  readonly #links: SignedLinks

  constructor(options: LinkOptions) {
    this.#links = new SignedLinks(path, options)
  }

  /** Null: there can be none. */
  urlFor({ eventId, channelId }: AcknowledgingLink, nowMs: number): string | null {
    return this.#links.urlFor([eventId, channelId], nowMs)
  }

  /** Null: nobody here has signed it. */
  read(token: string, nowMs: number): ReadLink | null {
    const { parts = [], isExpired = false } = this.#links.read(token, nowMs) ?? {}
    const [eventId, channelId] = parts
    return parts.length === 2 ? { eventId, channelId, isExpired } : null
  }
}

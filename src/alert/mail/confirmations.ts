// Has addresses confirmed that users send mail to and nobody vouched for: a mail with a link goes there, at a bounded pace whoever asks, and nothing else does until
// somebody has clicked. Where the service cannot make links, an admin confirms.
import type { Clock } from '../../clock.ts'
import { confirmingEndpoints } from '../../contract/alerts/confirming.ts'
import type { Logger } from '../../log.ts'
import type { Channel } from '../alert-store.ts'
import type { ChannelKind, ChannelOwner, Installation } from '../channels/kind.ts'
import { type LinkOptions, SignedLinks } from '../signed-links.ts'
import { type AddressStore, type Asking, type AskingPaces, addressKey, type MailAddress } from './address-store.ts'
import { confirmingMail } from './confirming-mail.ts'

/** An hour and a day: a stranger is bothered by no more, and no user bothers more strangers. */
const paces: AskingPaces = { perAddressHour: 3, perAddressDay: 10, perUserDay: 20 }
/** An address is asked again by itself when the links that it has are over. */
const linksMs = 86_400_000

type Asker = { id: string; role: string; email: string }

export interface WaitingAddress {
  address: string
  askedMs: number | null
  problem: string
}

interface ReadConfirmation {
  addressId: string
  isExpired: boolean
}

interface ConfirmationsOptions {
  store: AddressStore
  kinds: ReadonlyMap<string, ChannelKind>
  installation: Pick<Installation, 'mailer' | 'publicUrl'>
  key: LinkOptions['key']
  clock: Clock
  log: Logger
  /** Called with a user whose addresses have changed. */
  onChanged: (userId: string) => void
}

export class Confirmations {
  /** Confirming mails by what came of them. */
  readonly counts = { sent: 0, failed: 0, putOff: 0, refused: 0 }
  readonly #options: ConfirmationsOptions
  readonly #links: SignedLinks
  readonly #end = new AbortController()
  /** Mails that are under way. */
  readonly #sending = new Set<Promise<void>>()

  constructor(options: ConfirmationsOptions) {
    this.#options = options
    const { publicUrl } = options.installation
    this.#links = new SignedLinks(confirmingEndpoints.getConfirmation.route.path, { publicUrl, key: options.key })
  }

  /** Who confirms: whoever reads a mail with a link, or an admin, where the service knows of no address of its own. */
  get by(): 'link' | 'admin' {
    const { mailer, publicUrl } = this.#options.installation
    return mailer === null || publicUrl === '' ? 'admin' : 'link'
  }

  async stop(): Promise<void> {
    this.#end.abort()
    await this.sent()
  }

  /** Everything that is under way is settled. */
  async sent(): Promise<void> {
    await Promise.all(this.#sending)
  }

  /** Those that wait for a word, of each channel of the user. */
  async waitingOf(user: Asker, channels: readonly Channel[]): Promise<Map<string, WaitingAddress[]>> {
    const known = await this.#known(user)
    return new Map(channels.map((channel) => [channel.id, this.#waiting(channel, user, known)]))
  }

  /** Asks those of the channel that were not asked while links are good. */
  async askNew(user: Asker, channel: Channel): Promise<void> {
    if (this.by === 'admin') return
    const { clock } = this.#options
    const waiting = this.#waiting(channel, user, await this.#known(user))
    const isDue = ({ askedMs }: WaitingAddress) => askedMs === null || clock.now() - askedMs > linksMs
    await this.#ask(user, channel, waiting.filter(isDue))
  }

  /** Asks all of them. How many were not, since the user has had them asked too often. */
  async askAgain(user: Asker, channel: Channel): Promise<{ refused: number }> {
    return this.#ask(user, channel, this.#waiting(channel, user, await this.#known(user)))
  }

  /** Null: nobody here has signed it. */
  read(token: string, nowMs: number): ReadConfirmation | null {
    const { parts = [], isExpired = false } = this.#links.read(token, nowMs) ?? {}
    return parts.length === 1 ? { addressId: parts[0], isExpired } : null
  }

  urlFor({ id }: Pick<MailAddress, 'id'>, nowMs: number): string | null {
    return this.#links.urlFor([id], nowMs)
  }

  /** Whether the channel sends to it. */
  isOf({ kind, settings }: Pick<Channel, 'kind' | 'settings'>, { address }: Pick<MailAddress, 'address'>): boolean {
    const nobody = { email: '', reach: 'public' } as const
    const all = this.#options.kinds.get(kind)?.unconfirmed?.(settings, nobody) ?? []
    return all.some((each) => addressKey(each) === addressKey(address))
  }

  #known({ id, role }: Asker): Promise<MailAddress[]> {
    return role === 'admin' ? Promise.resolve([]) : this.#options.store.addressesOf(id)
  }

  #waiting(
    { kind, settings }: Pick<Channel, 'kind' | 'settings'>,
    user: Asker,
    known: readonly MailAddress[],
  ): WaitingAddress[] {
    const waiting = this.#options.kinds.get(kind)?.unconfirmed?.(settings, ownerFrom(user, known)) ?? []
    return waiting.map((address) => {
      const { askedMs = null, problem = '' } =
        known.find((each) => addressKey(each.address) === addressKey(address)) ?? {}
      return { address, askedMs, problem }
    })
  }

  async #ask(user: Asker, channel: Channel, addresses: readonly WaitingAddress[]): Promise<{ refused: number }> {
    const { store, log } = this.#options
    let refused = 0
    for (const { address } of addresses) {
      const asking = await store.askAddress(user.id, address, paces)
      if (asking.outcome === 'asks') this.#begin(asking, user, channel)
      else if (asking.outcome === 'put-off') {
        this.counts.putOff++
        log.warn({ address }, 'a mail that asks to confirm an address was not sent: others have had it asked too often')
      } else {
        this.counts.refused++
        refused++
      }
    }
    return { refused }
  }

  /** The user does not wait for the mail server, whose time would tell who else asks. */
  #begin(asking: Asking, user: Asker, channel: Channel): void {
    const { log, onChanged } = this.#options
    const sending = this.#send(asking, user, channel)
      .catch((error) => log.error({ err: error }, 'what became of a mail that asks to confirm could not be written'))
      .finally(() => {
        this.#sending.delete(sending)
        onChanged(user.id)
      })
    this.#sending.add(sending)
  }

  async #send({ id, address }: Asking, user: Asker, channel: Channel): Promise<void> {
    const { store, clock, installation } = this.#options
    const url = this.urlFor(address, clock.now())
    const sent =
      url === null || installation.mailer === null
        ? { outcome: 'failed', text: 'its secrets cannot be opened' }
        : await installation.mailer.send(
            { ...confirmingMail({ url, by: user.email }, channel.settings.language), ...this.#envelope(id, address) },
            this.#end.signal,
          )
    const isDone = sent.outcome === 'done'
    this.counts[isDone ? 'sent' : 'failed']++
    if (!isDone) await store.askingFailed(id, address, sent.text)
  }

  #envelope(id: number, { id: addressId, address }: MailAddress) {
    return { to: [address], id: `confirm_${addressId}_${id}`, threadId: null, channelId: null }
  }
}

/** A user as the owner of channels. */
export function ownerFrom({ role, email }: Omit<Asker, 'id'>, known: readonly MailAddress[]): ChannelOwner {
  const confirmed = known.filter(({ confirmedMs }) => confirmedMs !== null)
  return {
    reach: role === 'admin' ? 'any' : 'public',
    email,
    confirmed: new Set(confirmed.map(({ address }) => addressKey(address))),
  }
}

// What a store keeps of addresses that mail of users goes to and that nobody vouched for: who confirmed them, and how often somebody was asked to.

/** An address that a user sends to, and that is not the one of the account. */
export interface MailAddress {
  /** Hexadecimal, by which links name it. */
  id: string
  userId: string
  /** As its user wrote it when it was first asked. */
  address: string
  /** When its user last had it asked, Unix milliseconds; null: never. */
  askedMs: number | null
  /** Why the last confirming mail was not sent, in our own words; empty: it was. */
  problem: string
  /** Null: nobody has confirmed it. */
  confirmedMs: number | null
}

/** How many confirming mails there may be. */
export interface AskingPaces {
  /** To one address, an hour: those that one user has sent, and those of everybody. */
  perAddressHour: number
  /** To one address, whoever asks, a day. */
  perAddressDay: number
  /** Those that one user has sent, a day. */
  perUserDay: number
}

/**
 * `asks`: a mail may be sent. `put-off`: it may not, since others have had the address asked: users are not to hear of each other, so that it is asked as far
 * as its user can tell. `too-often`: that user has.
 */
export type AskingOutcome = 'asks' | 'put-off' | 'too-often'

export interface Asking {
  id: number
  outcome: AskingOutcome
  address: MailAddress
}

export interface AddressStore {
  /** Those of a user, confirmed or not. */
  addressesOf(userId: string): Promise<MailAddress[]>
  addressById(id: string): Promise<MailAddress | null>
  /** Counts that the user has it asked, and says whether a mail may be sent. */
  askAddress(userId: string, address: string, paces: AskingPaces): Promise<Asking>
  /** The mail of an asking was not sent: it does not count for others. */
  askingFailed(id: number, address: MailAddress, problem: string): Promise<void>
  /** What waits for it is due now. */
  confirmAddress(userId: string, address: string): Promise<MailAddress>
}

/** By which an address is the same: see `sameAddress`. */
export function addressKey(address: string): string {
  return address.toLowerCase()
}

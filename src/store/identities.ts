// The part of the store that knows which user is who at a provider of single sign-on.
import type { User } from './accounts.ts'

/** A user as the provider names them: `subject` is given to nobody else, and does not change (OpenID Connect Core section 2). */
export interface ProviderIdentity {
  issuer: string
  subject: string
}

export interface ProviderIdentities {
  userOfIdentity(identity: ProviderIdentity): Promise<User | null>
  /** A user has one of an issuer. Throws AppError CONFLICT where the user has another, or another user has it, and NOT_FOUND. */
  bindIdentity(userId: string, identity: ProviderIdentity): Promise<void>
  /** With the sessions that they began. False: there were none. */
  deleteIdentities(userId: string): Promise<boolean>
  /**
   * The user is let in no more: sessions that the provider began end, and tokens are good for nothing until `acceptIdentities`, or until there is no
   * identity. False: it was so before.
   */
  refuseIdentities(userId: string): Promise<boolean>
  /** False: the user was not refused. */
  acceptIdentities(userId: string): Promise<boolean>
}

// What a store keeps of the mails that users sent: how many each has sent within the last 24 hours, so that a restart does not let them begin again, and whom a
// mail is still for that the server has for some.
import type { Deferral } from './deferrals.ts'

export interface MailStore {
  /** Counts a mail that the user is about to send, and gives it a number. Null: the user has sent `max` within 24 hours, and it is not counted. */
  countMail(userId: string, max: number): Promise<number | null>
  /** The mail of that number was not sent after all. */
  uncountMail(id: number): Promise<void>
  /** Null: the server has it for nobody, or for all. */
  deferralOf(mailId: string): Promise<Deferral | null>
  /** Null: forgets it. Of a channel the latest 100 are kept, and none of one that is gone. */
  keepDeferral(mail: { id: string; channelId: string }, deferral: Deferral | null): Promise<void>
}

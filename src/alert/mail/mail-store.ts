// What a store keeps of the mails that users sent: how many each has sent within the last 24 hours, so that a restart does not let them begin again.

export interface MailStore {
  /** Counts a mail that the user is about to send, and gives it a number. Null: the user has sent `max` within 24 hours, and it is not counted. */
  countMail(userId: string, max: number): Promise<number | null>
  /** The mail of that number was not sent after all. */
  uncountMail(id: number): Promise<void>
}

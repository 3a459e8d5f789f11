// How many mails users sent within the last 24 hours, and for whom a mail is still to be sent.
import type { MailStore } from '../../../alert/mail/mail-store.ts'
import type { Clock } from '../../../clock.ts'
import type { Database } from '../database.ts'
import { json, number } from '../rows.ts'

const dayMs = 86_400_000
/** Deferrals of one channel, whose messages are sent one after the other. */
const deferralsMax = 100

/** Each finds its rows by an index: one attempt of a mail runs all but the last. */
export const mailStatements = {
  prune: 'DELETE FROM mails_sent WHERE at_ms <= ?',
  // The clock was set back: what was sent counts from now on, neither longer than a day nor not at all.
  redate: 'UPDATE mails_sent SET at_ms = ?1 WHERE at_ms > ?1',
  count: 'SELECT count(*) AS count FROM mails_sent WHERE user_id = ?',
  add: 'INSERT INTO mails_sent (user_id, at_ms) VALUES (?, ?) RETURNING id',
  remove: 'DELETE FROM mails_sent WHERE id = ?',
} as const

export function createMails(database: Database, { clock }: { clock: Clock }): MailStore {
  const [prune, redate] = [database.prepare(mailStatements.prune), database.prepare(mailStatements.redate)]
  const [count, add] = [database.prepare(mailStatements.count), database.prepare(mailStatements.add)]
  const remove = database.prepare(mailStatements.remove)
  const deferral = database.prepare('SELECT * FROM mail_deferrals WHERE mail_id = ?')
  const forget = database.prepare('DELETE FROM mail_deferrals WHERE mail_id = ?')
  const keep = database.prepare(`
    INSERT INTO mail_deferrals (mail_id, channel_id, left_to, taken, attempts, since_ms)
    SELECT ?1, ?2, ?3, ?4, ?5, ?6 WHERE EXISTS (SELECT 1 FROM alert_channels WHERE id = ?2)`)
  const cut = database.prepare(`
    DELETE FROM mail_deferrals WHERE channel_id = ?1 AND mail_id NOT IN (
      SELECT mail_id FROM mail_deferrals WHERE channel_id = ?1 ORDER BY since_ms DESC LIMIT ${deferralsMax})`)

  return {
    async countMail(userId, max) {
      const step = () => {
        const nowMs = clock.now()
        redate.run(nowMs)
        prune.run(nowMs - dayMs)
        if (number(count.get(userId) ?? {}, 'count') >= max) return null
        return number(add.get(userId, nowMs) ?? {}, 'id')
      }
      // A loss of power may undo it: then some of the last mails count for nothing.
      return database.write(step, { durable: false })
    },

    async uncountMail(id) {
      database.write(() => remove.run(id), { durable: false })
    },

    async deferralOf(mailId) {
      const row = database.read(() => deferral.get(mailId))
      if (row === undefined) return null
      const [taken, attempts, sinceMs] = [number(row, 'taken'), number(row, 'attempts'), number(row, 'since_ms')]
      return { left: json(row, 'left_to'), taken, attempts, sinceMs }
    },

    async keepDeferral({ id, channelId }, kept) {
      const step = () => {
        forget.run(id)
        if (kept === null) return
        keep.run(id, channelId, JSON.stringify(kept.left), kept.taken, kept.attempts, kept.sinceMs)
        cut.run(channelId)
      }
      // A loss of power may undo it: then all of its recipients get it again.
      database.write(step, { durable: false })
    },
  }
}

// How many mails users sent within the last 24 hours.
import type { MailStore } from '../../../alert/mail/mail-store.ts'
import type { Clock } from '../../../clock.ts'
import type { Database } from '../database.ts'
import { number } from '../rows.ts'

const dayMs = 86_400_000

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
  }
}

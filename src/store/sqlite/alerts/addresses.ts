// Addresses of mail that have to be confirmed, and the mails that ask for it.
import {
  type AddressStore,
  type AskingOutcome,
  addressKey,
  type MailAddress,
} from '../../../alert/mail/address-store.ts'
import type { Clock } from '../../../clock.ts'
import type { Database } from '../database.ts'
import { number, numberOrNull, type Row, text } from '../rows.ts'

const hourMs = 3_600_000
const dayMs = 86_400_000
/** What nobody has confirmed is forgotten after as long. */
const unconfirmedMs = 30 * dayMs

function prepareStatements(database: Database) {
  return {
    list: database.prepare('SELECT * FROM mail_addresses WHERE user_id = ? ORDER BY address_key'),
    byId: database.prepare('SELECT * FROM mail_addresses WHERE id = ?'),
    one: database.prepare('SELECT * FROM mail_addresses WHERE user_id = ? AND address_key = ?'),
    add: database.prepare(
      'INSERT INTO mail_addresses (id, user_id, address_key, address) VALUES (?, ?, ?, ?) ON CONFLICT DO NOTHING',
    ),
    asked: database.prepare(`UPDATE mail_addresses SET asked_ms = ?, problem = '' WHERE id = ?`),
    problem: database.prepare('UPDATE mail_addresses SET problem = ? WHERE id = ?'),
    confirm: database.prepare('UPDATE mail_addresses SET confirmed_ms = ? WHERE id = ? AND confirmed_ms IS NULL'),
    forget: database.prepare('DELETE FROM mail_addresses WHERE user_id = ? AND confirmed_ms IS NULL AND asked_ms < ?'),
    addAsking: database.prepare(
      'INSERT INTO mail_askings (user_id, address_key, asked_ms, is_sent) VALUES (?, ?, ?, ?) RETURNING id',
    ),
    unsent: database.prepare('UPDATE mail_askings SET is_sent = 0 WHERE id = ?'),
    prune: database.prepare('DELETE FROM mail_askings WHERE asked_ms <= ?'),
    ofUser: database.prepare(`
      SELECT count(*) AS day, coalesce(sum(address_key = ?2 AND asked_ms > ?4), 0) AS hour
      FROM mail_askings WHERE user_id = ?1 AND asked_ms > ?3`),
    ofAll: database.prepare(`
      SELECT count(*) AS day, coalesce(sum(asked_ms > ?3), 0) AS hour
      FROM mail_askings WHERE address_key = ?1 AND asked_ms > ?2 AND is_sent = 1`),
    // What an attempt under way finds says nothing about it any more.
    changed: database.prepare(`UPDATE alert_channels SET version = version + 1 WHERE id IN (${sendingTo})`),
    due: database.prepare(`
      UPDATE deliveries SET due_ms = ?3 WHERE state = 'due' AND due_ms > ?3 AND channel_id IN (${sendingTo})`),
  }
}

/** Channels of the user (?1) that send to the address (?2). */
const sendingTo = `
  SELECT c.id FROM alert_channels c WHERE c.user_id = ?1 AND c.kind = 'mail' AND EXISTS (
    SELECT 1 FROM json_each(c.settings, '$.to') t WHERE lower(t.value) = ?2)`

export function createAddresses(
  database: Database,
  { clock, newId }: { clock: Clock; newId: () => string },
): AddressStore {
  const statements = prepareStatements(database)
  const one = (userId: string, address: string): MailAddress => {
    statements.add.run(newId(), userId, addressKey(address), address)
    const row = statements.one.get(userId, addressKey(address))
    if (row === undefined) throw new Error('an address that was written is not there')
    return addressFrom(row)
  }

  return {
    async addressesOf(userId) {
      return database.read(() => statements.list.all(userId)).map(addressFrom)
    },

    async addressById(id) {
      const row = database.read(() => statements.byId.get(id))
      return row === undefined ? null : addressFrom(row)
    },

    async askAddress(userId, given, paces) {
      const key = addressKey(given)
      return database.write(() => {
        const nowMs = clock.now()
        const [dayAgo, hourAgo] = [nowMs - dayMs, nowMs - hourMs]
        statements.prune.run(dayAgo)
        statements.forget.run(userId, nowMs - unconfirmedMs)
        const own = statements.ofUser.get(userId, key, dayAgo, hourAgo) ?? {}
        const all = statements.ofAll.get(key, dayAgo, hourAgo) ?? {}
        const address = one(userId, given)
        if (number(own, 'hour') >= paces.perAddressHour || number(own, 'day') >= paces.perUserDay)
          return { id: 0, outcome: 'too-often', address }
        const isCrowded = number(all, 'hour') >= paces.perAddressHour || number(all, 'day') >= paces.perAddressDay
        const outcome: AskingOutcome = isCrowded ? 'put-off' : 'asks'
        const id = number(statements.addAsking.get(userId, key, nowMs, Number(!isCrowded)) ?? {}, 'id')
        statements.asked.run(nowMs, address.id)
        return { id, outcome, address: { ...address, askedMs: nowMs, problem: '' } }
      })
    },

    async askingFailed(id, address, problem) {
      database.write(
        () => {
          statements.unsent.run(id)
          statements.problem.run(problem, address.id)
        },
        { durable: false },
      )
    },

    async confirmAddress(userId, given) {
      return database.write(() => {
        const nowMs = clock.now()
        const { id } = one(userId, given)
        if (statements.confirm.run(nowMs, id).changes > 0) {
          statements.changed.run(userId, addressKey(given))
          statements.due.run(userId, addressKey(given), nowMs)
        }
        return one(userId, given)
      })
    },
  }
}

function addressFrom(row: Row): MailAddress {
  return {
    id: text(row, 'id'),
    userId: text(row, 'user_id'),
    address: text(row, 'address'),
    askedMs: numberOrNull(row, 'asked_ms'),
    problem: text(row, 'problem'),
    confirmedMs: numberOrNull(row, 'confirmed_ms'),
  }
}

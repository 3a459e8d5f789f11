// Sessions of the console, each by the hash of its secret.
import type { Clock } from '../../../clock.ts'
import { type Accounts, sessionWays } from '../../accounts.ts'
import type { Session } from '../../store.ts'
import type { Journal } from '../audit/journal.ts'
import type { Database } from '../database.ts'
import { number, type Row, text } from '../rows.ts'
import { noSuchUser, userColumnsOf, userFrom } from './users.ts'

type Sessions = Pick<Accounts, 'addSession' | 'sessionByHash' | 'listSessions' | 'endSession' | 'touchSessions'>

const sessionsMax = 50
const columns = 'id, user_id, created_ms, seen_ms, expires_ms, address, agent, way'

interface SessionOptions {
  clock: Clock
  newId: () => string
  /** Is told who has signed in. */
  journal: Pick<Journal, 'identify'>
}

export function createSessions(database: Database, { clock, newId, journal }: SessionOptions): Sessions {
  const selectEmail = database.prepare('SELECT email FROM users WHERE id = ?')
  const insertSession = database.prepare(
    `INSERT INTO sessions (${columns}, secret_hash) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)`,
  )
  const selectSession = database.prepare(`
    SELECT s.id AS session_id, s.user_id, s.created_ms AS session_created_ms, s.seen_ms, s.expires_ms, s.address, s.agent,
           s.way, ${userColumnsOf('u')}
    FROM sessions s JOIN users u ON u.id = s.user_id
    WHERE s.secret_hash = ?`)
  const selectSessions = database.prepare(`
    SELECT ${columns} FROM sessions WHERE user_id = ? ORDER BY seen_ms DESC, id`)
  const deleteSession = database.prepare('DELETE FROM sessions WHERE user_id = ? AND id = ?')
  const deleteExpired = database.prepare('DELETE FROM sessions WHERE user_id = ? AND expires_ms <= ?')
  const deleteStale = database.prepare(`
    DELETE FROM sessions WHERE id IN (
      SELECT id FROM sessions WHERE user_id = ? ORDER BY seen_ms DESC, id LIMIT -1 OFFSET ${sessionsMax - 1})`)
  const touchSession = database.prepare('UPDATE sessions SET seen_ms = max(seen_ms, ?) WHERE id = ?')

  return {
    async addSession(given, secretHash) {
      const nowMs = clock.now()
      const session: Session = { way: 'password', ...given, id: newId(), createdMs: nowMs, seenMs: nowMs }
      const { id, userId, createdMs, seenMs, expiresMs, address, agent, way } = session
      database.write(() => {
        const user = selectEmail.get(userId)
        if (user === undefined) throw noSuchUser()
        journal.identify({ id: userId, email: text(user, 'email') })
        deleteExpired.run(userId, nowMs)
        deleteStale.run(userId)
        insertSession.run(id, userId, createdMs, seenMs, expiresMs, address, agent, way, secretHash)
      })
      return session
    },

    async sessionByHash(secretHash) {
      const row = database.read(() => selectSession.get(secretHash))
      if (row === undefined) return null
      const session = sessionFrom({ ...row, id: row.session_id, created_ms: row.session_created_ms })
      return { session, user: userFrom(row) }
    },

    async listSessions(userId) {
      return database.read(() => selectSessions.all(userId)).map(sessionFrom)
    },

    async endSession(userId, id) {
      return database.write(() => deleteSession.run(userId, id).changes) !== 0
    },

    async touchSessions(used) {
      if (used.length === 0) return
      database.write(
        () => {
          for (const { id, atMs } of used) touchSession.run(atMs, id)
        },
        { durable: false },
      )
    },
  }
}

function sessionFrom(row: Row): Session {
  return {
    id: text(row, 'id'),
    userId: text(row, 'user_id'),
    createdMs: number(row, 'created_ms'),
    seenMs: number(row, 'seen_ms'),
    expiresMs: number(row, 'expires_ms'),
    address: text(row, 'address'),
    agent: text(row, 'agent'),
    way: wayFrom(text(row, 'way')),
  }
}

/** A word that this version does not know, of a newer one, is held to what holds for a password. */
function wayFrom(word: string): Session['way'] {
  return sessionWays.find((way) => way === word) ?? 'password'
}

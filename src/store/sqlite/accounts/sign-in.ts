// Passwords, and links that sign in without one. A new password ends every session.
import type { Clock } from '../../../clock.ts'
import type { Accounts } from '../../accounts.ts'
import { emailKey } from '../../email.ts'
import type { Journal } from '../audit/journal.ts'
import type { Database } from '../database.ts'
import { textOrNull } from '../rows.ts'
import { requireUserIn, userColumns, userFrom } from './users.ts'

type SignIn = Pick<Accounts, 'setPassword' | 'passwordOf' | 'setSignInLink' | 'userOfSignInLink' | 'redeemSignInLink'>

interface SignInOptions {
  clock: Clock
  /** Is told whose link was good. */
  journal: Pick<Journal, 'identify'>
}

export function createSignIn(database: Database, { clock, journal }: SignInOptions): SignIn {
  const requireUser = requireUserIn(database)
  const updatePassword = database.prepare('UPDATE users SET password_hash = ? WHERE id = ?')
  const selectPassword = database.prepare(`SELECT ${userColumns}, password_hash FROM users WHERE email_key = ?`)
  const insertLink = database.prepare(
    'INSERT OR REPLACE INTO sign_in_links (user_id, code_hash, expires_ms) VALUES (?, ?, ?)',
  )
  const deleteLink = database.prepare('DELETE FROM sign_in_links WHERE code_hash = ?')
  const selectUserOfLink = database.prepare(`
    SELECT ${userColumns} FROM users
    WHERE id = (SELECT user_id FROM sign_in_links WHERE code_hash = ? AND expires_ms > ?)`)
  const deleteLinkOf = database.prepare('DELETE FROM sign_in_links WHERE user_id = ?')
  const deleteSessions = database.prepare('DELETE FROM sessions WHERE user_id = ?')

  return {
    async setPassword(userId, passwordHash) {
      database.write(() => {
        requireUser(userId)
        updatePassword.run(passwordHash, userId)
        deleteSessions.run(userId)
        deleteLinkOf.run(userId)
      })
    },

    async passwordOf(email) {
      const row = database.read(() => selectPassword.get(emailKey(email)))
      return row === undefined ? null : { user: userFrom(row), passwordHash: textOrNull(row, 'password_hash') }
    },

    async setSignInLink(userId, { codeHash, expiresMs }) {
      database.write(() => {
        requireUser(userId)
        insertLink.run(userId, codeHash, expiresMs)
      })
    },

    async userOfSignInLink(codeHash) {
      const row = database.read(() => selectUserOfLink.get(codeHash, clock.now()))
      return row === undefined ? null : userFrom(row)
    },

    async redeemSignInLink(codeHash, passwordHash) {
      return database.write(() => {
        const row = selectUserOfLink.get(codeHash, clock.now())
        if (row === undefined) return null
        const user = userFrom(row)
        journal.identify(user)
        deleteLink.run(codeHash)
        if (passwordHash === null) return user
        updatePassword.run(passwordHash, user.id)
        deleteSessions.run(user.id)
        return { ...user, hasPassword: true }
      })
    },
  }
}

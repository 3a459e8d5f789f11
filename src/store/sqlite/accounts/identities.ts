// Who users are at providers of single sign-on.
import type { Clock } from '../../../clock.ts'
import { AppError } from '../../../errors.ts'
import type { ProviderIdentities } from '../../identities.ts'
import type { Database } from '../database.ts'
import { isDuplicate } from '../errors.ts'
import { requireUserIn, userColumnsOf, userFrom } from './users.ts'

export function createIdentities(database: Database, { clock }: { clock: Clock }): ProviderIdentities {
  const requireUser = requireUserIn(database)
  const selectUser = database.prepare(`
    SELECT ${userColumnsOf('u')} FROM provider_identities i JOIN users u ON u.id = i.user_id
    WHERE i.issuer = ? AND i.subject = ?`)
  const insert = database.prepare(
    'INSERT INTO provider_identities (issuer, subject, user_id, created_ms) VALUES (?, ?, ?, ?)',
  )
  const deleteAll = database.prepare('DELETE FROM provider_identities WHERE user_id = ?')
  const deleteSessions = database.prepare(`DELETE FROM sessions WHERE user_id = ? AND way = 'provider'`)
  const refuse = database.prepare(
    'UPDATE provider_identities SET refused_ms = ? WHERE user_id = ? AND refused_ms IS NULL',
  )
  const accept = database.prepare(
    'UPDATE provider_identities SET refused_ms = NULL WHERE user_id = ? AND refused_ms IS NOT NULL',
  )

  return {
    async userOfIdentity({ issuer, subject }) {
      const row = database.read(() => selectUser.get(issuer, subject))
      return row === undefined ? null : userFrom(row)
    },

    async bindIdentity(userId, { issuer, subject }) {
      try {
        database.write(() => {
          requireUser(userId)
          insert.run(issuer, subject, userId, clock.now())
        })
      } catch (error) {
        if (!isDuplicate(error)) throw error
        throw new AppError('CONFLICT', 'the user or the identity is bound already', { cause: error })
      }
    },

    async deleteIdentities(userId) {
      return database.write(() => {
        deleteSessions.run(userId)
        return deleteAll.run(userId).changes !== 0
      })
    },

    async refuseIdentities(userId) {
      return database.write(() => {
        deleteSessions.run(userId)
        return refuse.run(clock.now(), userId).changes !== 0
      })
    },

    async acceptIdentities(userId) {
      return database.write(() => accept.run(userId).changes) !== 0
    },
  }
}

// Users and tokens.

import { policies } from '../../access/policy.ts'
import type { Clock } from '../../clock.ts'
import { AppError } from '../../errors.ts'

import type { Accounts, Credential, Token, User } from '../accounts.ts'

import { emailKey } from '../email.ts'
import { deletedPerChunk, untilDone } from './chunks.ts'
import type { Database } from './database.ts'
import { isDuplicate } from './errors.ts'
import { json, jsonOrNull, number, numberOrNull, type Row, text, textOrNull } from './rows.ts'

type Users = Pick<
  Accounts,
  | 'addUser'
  | 'userByEmail'
  | 'userById'
  | 'listUsers'
  | 'updateUser'
  | 'deleteUser'
  | 'addToken'
  | 'credentialByHash'
  | 'listTokens'
  | 'revokeToken'
  | 'touchTokens'
>

export const userColumns =
  'id, email, created_ms, site_quota, allowed, policy, is_admin, password_hash IS NOT NULL AS has_password'
const tokenColumns = 'id, user_id, name, scopes, created_ms, expires_ms, last_used_ms'

export function createUsers(database: Database, { clock, newId }: { clock: Clock; newId: () => string }): Users {
  const requireUser = requireUserIn(database)
  const deleteUser = createDeleteUser(database)
  const raiseSitesVersion = database.prepare('UPDATE sites_version SET version = version + 1')
  const insertUser = database.prepare(
    'INSERT INTO users (id, email, email_key, created_ms, site_quota, allowed, policy, is_admin, password_hash) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)',
  )
  const selectUser = database.prepare(`SELECT ${userColumns} FROM users WHERE email_key = ?`)
  const selectById = database.prepare(`SELECT ${userColumns} FROM users WHERE id = ?`)
  const selectUsers = database.prepare(`SELECT ${userColumns} FROM users ORDER BY created_ms, email_key`)
  const updateQuota = database.prepare('UPDATE users SET site_quota = ? WHERE id = ?')
  const updateAllowed = database.prepare('UPDATE users SET allowed = ? WHERE id = ?')
  const updatePolicy = database.prepare('UPDATE users SET policy = ? WHERE id = ?')
  const updateAdmin = database.prepare('UPDATE users SET is_admin = ? WHERE id = ?')
  const deleteAdminTokens = database.prepare(`DELETE FROM tokens WHERE user_id = ? AND scopes LIKE '%"admin"%'`)
  const insertToken = database.prepare(`
    INSERT INTO tokens (id, user_id, secret_hash, name, scopes, created_ms, expires_ms) VALUES (?, ?, ?, ?, ?, ?, ?)`)
  const selectCredential = database.prepare(`
    SELECT t.id AS token_id, t.user_id, t.name, t.scopes, t.created_ms AS token_created_ms, t.expires_ms, t.last_used_ms,
           u.id, u.email, u.created_ms, u.site_quota, u.allowed, u.policy, u.is_admin,
           u.password_hash IS NOT NULL AS has_password
    FROM tokens t JOIN users u ON u.id = t.user_id
    WHERE t.secret_hash = ?`)
  const selectTokens = database.prepare(`
    SELECT ${tokenColumns} FROM tokens WHERE user_id = ? ORDER BY created_ms, id`)
  const deleteToken = database.prepare('DELETE FROM tokens WHERE id = ?1 AND (?2 IS NULL OR user_id = ?2)')
  const touchToken = database.prepare('UPDATE tokens SET last_used_ms = max(coalesce(last_used_ms, 0), ?) WHERE id = ?')

  return {
    async addUser(given) {
      const { passwordHash = null, isAdmin = false, policy = null, ...rest } = given
      const hasPassword = passwordHash !== null
      const user: User = { ...rest, policy, isAdmin, hasPassword, id: newId(), createdMs: clock.now() }
      const { id, email, createdMs, siteQuota, allowed } = user
      const values = [createdMs, siteQuota, jsonText(allowed), policy, Number(isAdmin), passwordHash]
      try {
        database.write(() => insertUser.run(id, email, emailKey(email), ...values))
      } catch (error) {
        if (!isDuplicate(error)) throw error
        throw new AppError('CONFLICT', `there is a user ${email} already`, { cause: error })
      }
      return user
    },

    async userByEmail(email) {
      const row = database.read(() => selectUser.get(emailKey(email)))
      return row === undefined ? null : userFrom(row)
    },

    async userById(id) {
      const row = database.read(() => selectById.get(id))
      return row === undefined ? null : userFrom(row)
    },

    async listUsers() {
      return database.read(() => selectUsers.all()).map(userFrom)
    },

    async updateUser(id, change) {
      database.write(() => {
        requireUser(id)
        if (change.siteQuota !== undefined) updateQuota.run(change.siteQuota, id)
        if (change.isAdmin !== undefined) updateAdmin.run(Number(change.isAdmin), id)
        if (change.isAdmin === false) deleteAdminTokens.run(id)
        if (change.allowed !== undefined) updateAllowed.run(jsonText(change.allowed), id)
        if (change.policy !== undefined) updatePolicy.run(change.policy, id)
        // Which sites are watched depends on them.
        if (change.allowed !== undefined || change.policy !== undefined) raiseSitesVersion.run()
      })
    },

    deleteUser,

    async addToken(given, secretHash) {
      const token: Token = { ...given, id: newId(), createdMs: clock.now(), lastUsedMs: null }
      const { id, userId, name, scopes, createdMs, expiresMs } = token
      database.write(() => {
        requireUser(userId)
        insertToken.run(id, userId, secretHash, name, JSON.stringify(scopes), createdMs, expiresMs)
      })
      return token
    },

    async credentialByHash(secretHash) {
      const row = database.read(() => selectCredential.get(secretHash))
      return row === undefined ? null : credentialFrom(row)
    },

    async listTokens(userId) {
      return database.read(() => selectTokens.all(userId)).map(tokenFrom)
    },

    async revokeToken(id, userId) {
      return database.write(() => deleteToken.run(id, userId ?? null).changes) !== 0
    },

    async touchTokens(used) {
      if (used.length === 0) return
      database.write(
        () => {
          for (const { id, atMs } of used) touchToken.run(atMs, id)
        },
        { durable: false },
      )
    },
  }
}

/** Throws AppError NOT_FOUND when there is no user of the id. */
export function requireUserIn(database: Database): (id: string) => void {
  const userExists = database.prepare('SELECT 1 FROM users WHERE id = ?')
  return (id) => {
    if (userExists.get(id) === undefined) throw new AppError('NOT_FOUND', 'there is no such user')
  }
}

function createDeleteUser(database: Database): Accounts['deleteUser'] {
  const disarm = ['UPDATE users SET password_hash = NULL WHERE id = ?']
    .concat(
      ['tokens', 'sessions', 'sign_in_links', 'idempotency_keys', 'sites'].map(
        (table) => `DELETE FROM ${table} WHERE user_id = ?`,
      ),
    )
    .map((sql) => database.prepare(sql))
  const raiseSitesVersion = database.prepare('UPDATE sites_version SET version = version + 1')
  const deleteEvents = database.prepare(`
    DELETE FROM events WHERE user_id = ?1 AND (created_ms, id) IN (
      SELECT created_ms, id FROM events WHERE user_id = ?1 ORDER BY created_ms, id LIMIT ${deletedPerChunk})`)
  const deleteRow = database.prepare('DELETE FROM users WHERE id = ?')

  return async (id) => {
    database.write(() => {
      for (const statement of disarm) statement.run(id)
      raiseSitesVersion.run()
    })
    await untilDone(() => {
      const count = Number(database.write(() => deleteEvents.run(id).changes, { durable: false }))
      return count === 0 ? null : count
    })
    return database.write(() => {
      const { changes } = deleteRow.run(id)
      // What the user was allowed is nobody's from now on.
      if (changes !== 0) raiseSitesVersion.run()
      return changes !== 0
    })
  }
}

function jsonText(value: object | null): string | null {
  return value === null ? null : JSON.stringify(value)
}

export function userFrom(row: Row): User {
  return {
    id: text(row, 'id'),
    email: text(row, 'email'),
    createdMs: number(row, 'created_ms'),
    siteQuota: number(row, 'site_quota'),
    allowed: jsonOrNull<NonNullable<User['allowed']>>(row, 'allowed'),
    policy: policyFrom(textOrNull(row, 'policy')),
    isAdmin: number(row, 'is_admin') !== 0,
    hasPassword: number(row, 'has_password') !== 0,
  }
}

/** A word that this version does not know, of a newer one, allows least. */
function policyFrom(word: string | null): User['policy'] {
  return word === null ? null : (policies.find((policy) => policy === word) ?? 'assigned')
}

function tokenFrom(row: Row): Token {
  return {
    id: text(row, 'id'),
    userId: text(row, 'user_id'),
    name: text(row, 'name'),
    scopes: json<Token['scopes']>(row, 'scopes'),
    createdMs: number(row, 'created_ms'),
    expiresMs: numberOrNull(row, 'expires_ms'),
    lastUsedMs: numberOrNull(row, 'last_used_ms'),
  }
}

function credentialFrom(row: Row): Credential {
  const token = tokenFrom({ ...row, id: row.token_id, created_ms: row.token_created_ms })
  return { token, user: userFrom(row) }
}

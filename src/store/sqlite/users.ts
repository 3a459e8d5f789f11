// Users and tokens.
import type { Clock } from '../../clock.ts'
import { AppError } from '../../errors.ts'
import { policies } from '../../targets/policy.ts'
import { emailKey } from '../email.ts'
import type { Credential, Store, Token, User } from '../store.ts'
import type { Database } from './database.ts'
import { isDuplicate } from './errors.ts'
import { json, jsonOrNull, number, numberOrNull, type Row, text, textOrNull } from './rows.ts'

type Users = Pick<
  Store,
  | 'addUser'
  | 'userByEmail'
  | 'listUsers'
  | 'updateUser'
  | 'addToken'
  | 'credentialByHash'
  | 'listTokens'
  | 'revokeToken'
  | 'touchTokens'
>

const userColumns = 'id, email, created_ms, site_quota, allowed, policy'
const tokenColumns = 'id, user_id, name, scopes, created_ms, expires_ms, last_used_ms'

export function createUsers(database: Database, { clock, newId }: { clock: Clock; newId: () => string }): Users {
  const raiseSitesVersion = database.prepare('UPDATE sites_version SET version = version + 1')
  const insertUser = database.prepare(
    'INSERT INTO users (id, email, email_key, created_ms, site_quota, allowed, policy) VALUES (?, ?, ?, ?, ?, ?, ?)',
  )
  const selectUser = database.prepare(`SELECT ${userColumns} FROM users WHERE email_key = ?`)
  const selectUsers = database.prepare(`SELECT ${userColumns} FROM users ORDER BY created_ms, email_key`)
  const updateQuota = database.prepare('UPDATE users SET site_quota = ? WHERE id = ?')
  const updateAllowed = database.prepare('UPDATE users SET allowed = ? WHERE id = ?')
  const updatePolicy = database.prepare('UPDATE users SET policy = ? WHERE id = ?')
  const userExists = database.prepare('SELECT 1 FROM users WHERE id = ?')
  const insertToken = database.prepare(`
    INSERT INTO tokens (id, user_id, secret_hash, name, scopes, created_ms, expires_ms) VALUES (?, ?, ?, ?, ?, ?, ?)`)
  const selectCredential = database.prepare(`
    SELECT t.id AS token_id, t.user_id, t.name, t.scopes, t.created_ms AS token_created_ms, t.expires_ms, t.last_used_ms,
           u.id, u.email, u.created_ms, u.site_quota, u.allowed, u.policy
    FROM tokens t JOIN users u ON u.id = t.user_id
    WHERE t.secret_hash = ?`)
  const selectTokens = database.prepare(`
    SELECT ${tokenColumns} FROM tokens WHERE user_id = ? ORDER BY created_ms, id`)
  const deleteToken = database.prepare('DELETE FROM tokens WHERE id = ?')
  const touchToken = database.prepare('UPDATE tokens SET last_used_ms = max(coalesce(last_used_ms, 0), ?) WHERE id = ?')

  function requireUser(id: string): void {
    if (userExists.get(id) === undefined) throw new AppError('NOT_FOUND', 'there is no such user')
  }

  return {
    async addUser(given) {
      const user: User = { policy: null, ...given, id: newId(), createdMs: clock.now() }
      const { id, email, createdMs, siteQuota, allowed, policy } = user
      try {
        database.write(() =>
          insertUser.run(id, email, emailKey(email), createdMs, siteQuota, jsonText(allowed), policy),
        )
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

    async listUsers() {
      return database.read(() => selectUsers.all()).map(userFrom)
    },

    async updateUser(id, change) {
      database.write(() => {
        requireUser(id)
        if (change.siteQuota !== undefined) updateQuota.run(change.siteQuota, id)
        if (change.allowed !== undefined) updateAllowed.run(jsonText(change.allowed), id)
        if (change.policy !== undefined) updatePolicy.run(change.policy, id)
        // Which sites are watched depends on them.
        if (change.allowed !== undefined || change.policy !== undefined) raiseSitesVersion.run()
      })
    },

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

    async revokeToken(id) {
      return database.write(() => deleteToken.run(id).changes) !== 0
    },

    async touchTokens(used) {
      if (used.length === 0) return
      database.write(
        () => {
          for (const { tokenId, atMs } of used) touchToken.run(atMs, tokenId)
        },
        { durable: false },
      )
    },
  }
}

function jsonText(value: object | null): string | null {
  return value === null ? null : JSON.stringify(value)
}

function userFrom(row: Row): User {
  return {
    id: text(row, 'id'),
    email: text(row, 'email'),
    createdMs: number(row, 'created_ms'),
    siteQuota: number(row, 'site_quota'),
    allowed: jsonOrNull<NonNullable<User['allowed']>>(row, 'allowed'),
    policy: policyFrom(textOrNull(row, 'policy')),
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

// Tokens, each by the hash of its secret.
import type { Clock } from '../../../clock.ts'
import type { Accounts, Credential, Token } from '../../accounts.ts'
import type { Database } from '../database.ts'
import { json, number, numberOrNull, type Row, text } from '../rows.ts'
import { requireUserIn, userFrom } from './users.ts'

type Tokens = Pick<Accounts, 'addToken' | 'credentialByHash' | 'listTokens' | 'revokeToken' | 'touchTokens'>

const tokenColumns = 'id, user_id, name, scopes, created_ms, expires_ms, last_used_ms'

export function createTokens(database: Database, { clock, newId }: { clock: Clock; newId: () => string }): Tokens {
  const requireUser = requireUserIn(database)
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

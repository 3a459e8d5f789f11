// Tokens, each by the hash of its secret.
import { roleFrom, type Scope, scopesOf } from '../../../access/roles.ts'
import type { Clock } from '../../../clock.ts'
import { AppError } from '../../../errors.ts'
import type { Accounts, Credential, NewToken, Token, TokenMaker } from '../../accounts.ts'
import type { Database } from '../database.ts'
import { json, number, numberOrNull, type Row, text } from '../rows.ts'
import { noSuchUser, userColumnsOf, userFrom } from './users.ts'

type Tokens = Pick<Accounts, 'addToken' | 'credentialByHash' | 'listTokens' | 'revokeToken' | 'touchTokens'>

/** Since when the user is refused, null where that is not so. A user may be known to several providers. */
const suspendedSql = 'SELECT min(refused_ms) AS suspended_ms FROM provider_identities WHERE user_id = ?1'

const tokenColumns = `id, user_id, name, scopes, created_ms, expires_ms, last_used_ms, (${suspendedSql}) AS suspended_ms`

/** Tokens of a user whom the provider of single sign-on has refused are as if they were not there. */
const credentialSql = `
  SELECT t.id AS token_id, t.user_id, t.name, t.scopes, t.created_ms AS token_created_ms, t.expires_ms, t.last_used_ms,
         ${userColumnsOf('u')}
  FROM tokens t JOIN users u ON u.id = t.user_id
  WHERE t.secret_hash = ?
    AND NOT EXISTS (SELECT 1 FROM provider_identities WHERE user_id = t.user_id AND refused_ms IS NOT NULL)`

export function createTokens(database: Database, { clock, newId }: { clock: Clock; newId: () => string }): Tokens {
  const insertToken = database.prepare(`
    INSERT INTO tokens (id, user_id, secret_hash, name, scopes, created_ms, expires_ms) VALUES (?, ?, ?, ?, ?, ?, ?)`)
  const selectCredential = database.prepare(credentialSql)
  const selectSuspended = database.prepare(suspendedSql)
  const selectTokens = database.prepare(`
    SELECT ${tokenColumns} FROM tokens WHERE user_id = ?1 ORDER BY created_ms, id`)
  const deleteToken = database.prepare('DELETE FROM tokens WHERE id = ?1 AND (?2 IS NULL OR user_id = ?2)')
  const selectMakingToken = database.prepare('SELECT scopes, expires_ms FROM tokens WHERE id = ? AND user_id = ?')
  const selectMakingSession = database.prepare('SELECT 1 FROM sessions WHERE id = ? AND user_id = ?')
  const selectRole = database.prepare('SELECT role FROM users WHERE id = ?')
  const touchToken = database.prepare('UPDATE tokens SET last_used_ms = max(coalesce(last_used_ms, 0), ?) WHERE id = ?')

  /** Throws when the user may not do what the token is to be good for. A role may be lost while a request is on its way. */
  const requireRole = ({ userId, scopes }: NewToken) => {
    const row = selectRole.get(userId)
    if (row === undefined) throw noSuchUser()
    const role = roleFrom(text(row, 'role'))
    requireScopes(scopes, scopesOf(role), `the user is ${role === 'admin' ? 'an' : 'a'} ${role}`)
  }

  /** When the new token expires: no later than the token that makes it. Who makes it may have lost that right while the request was on its way. */
  const expiryBy = ({ kind, id }: TokenMaker, { userId, scopes, expiresMs }: NewToken): number | null => {
    const row = (kind === 'token' ? selectMakingToken : selectMakingSession).get(id, userId)
    if (row === undefined) throw new AppError('FORBIDDEN', 'what made the token is good no more')
    if (kind === 'session') return expiresMs
    requireScopes(scopes, json<Token['scopes']>(row, 'scopes'), 'what makes it lacks that scope')
    const until = numberOrNull(row, 'expires_ms')
    return until === null ? expiresMs : Math.min(until, expiresMs ?? until)
  }

  return {
    async addToken(given, secretHash, maker) {
      return database.write(() => {
        requireRole(given)
        const expiresMs = maker === undefined ? given.expiresMs : expiryBy(maker, given)
        const suspendedMs = numberOrNull(selectSuspended.get(given.userId) ?? {}, 'suspended_ms')
        const token: Token = { ...given, expiresMs, id: newId(), createdMs: clock.now(), lastUsedMs: null, suspendedMs }
        const { id, userId, name, scopes, createdMs } = token
        insertToken.run(id, userId, secretHash, name, JSON.stringify(scopes), createdMs, expiresMs)
        return token
      })
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

function requireScopes(wanted: readonly Scope[], had: readonly Scope[], why: string): void {
  const lacking = wanted.find((scope) => !had.includes(scope))
  if (lacking !== undefined)
    throw new AppError('FORBIDDEN', `no token for \`${lacking}\` can be had: ${why}`, { reason: 'scope-lacking' })
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
    suspendedMs: numberOrNull(row, 'suspended_ms'),
  }
}

function credentialFrom(row: Row): Credential {
  const token = tokenFrom({ ...row, id: row.token_id, created_ms: row.token_created_ms, suspended_ms: null })
  return { token, user: userFrom(row) }
}

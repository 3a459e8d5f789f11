// Users.
import { policies } from '../../../access/policy.ts'
import { roleFrom } from '../../../access/roles.ts'
import type { Clock } from '../../../clock.ts'
import { AppError } from '../../../errors.ts'
import type { Accounts, User } from '../../accounts.ts'
import { emailKey } from '../../email.ts'
import { type ClosingWrites, createClosingWrites } from '../alerts/ends/closings.ts'
import { createFarewells } from '../alerts/ends/farewells.ts'
import { deletedPerChunk, untilDone } from '../chunks.ts'
import type { Database } from '../database.ts'
import { isDuplicate } from '../errors.ts'
import { jsonOrNull, number, type Row, text, textOrNull } from '../rows.ts'

type Users = Pick<Accounts, 'addUser' | 'userByEmail' | 'userById' | 'listUsers' | 'updateUser' | 'deleteUser'>

/** `users`: what the query calls the table. */
export const userColumnsOf = (users: string) =>
  ['id', 'email', 'created_ms', 'site_quota', 'allowed', 'policy', 'role']
    .map((column) => `${users}.${column}`)
    .concat(
      `${users}.password_hash IS NOT NULL AS has_password`,
      `EXISTS (SELECT 1 FROM second_factors WHERE user_id = ${users}.id AND confirmed_ms IS NOT NULL) AS has_second_factor`,
      `EXISTS (SELECT 1 FROM provider_identities WHERE user_id = ${users}.id) AS has_identity`,
    )
    .join(', ')

export const userColumns = userColumnsOf('users')

export function createUsers(database: Database, { clock, newId }: { clock: Clock; newId: () => string }): Users {
  const requireUser = requireUserIn(database)
  const requireOtherAdmin = requireOtherAdminIn(database)
  const closings = createClosingWrites(database)
  const deleteUser = createDeleteUser(database, { clock, closings })
  const raiseSitesVersion = database.prepare('UPDATE sites_version SET version = version + 1')
  const insertUser = database.prepare(
    'INSERT INTO users (id, email, email_key, created_ms, site_quota, allowed, policy, role, password_hash) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)',
  )
  const selectUser = database.prepare(`SELECT ${userColumns} FROM users WHERE email_key = ?`)
  const selectById = database.prepare(`SELECT ${userColumns} FROM users WHERE id = ?`)
  const selectUsers = database.prepare(`SELECT ${userColumns} FROM users ORDER BY created_ms, email_key`)
  const updateQuota = database.prepare('UPDATE users SET site_quota = ? WHERE id = ?')
  const updateAllowed = database.prepare('UPDATE users SET allowed = ? WHERE id = ?')
  const updatePolicy = database.prepare('UPDATE users SET policy = ? WHERE id = ?')
  const updateRole = database.prepare('UPDATE users SET role = ? WHERE id = ?')
  const deleteAdminTokens = database.prepare(`DELETE FROM tokens WHERE user_id = ? AND scopes LIKE '%"admin"%'`)

  return {
    async addUser(given) {
      const { passwordHash = null, role = 'member', policy = null, ...rest } = given
      const hasPassword = passwordHash !== null
      const made = { id: newId(), createdMs: clock.now() }
      const user: User = { ...rest, policy, role, hasPassword, hasSecondFactor: false, hasIdentity: false, ...made }
      const { id, email, createdMs, siteQuota, allowed } = user
      const values = [createdMs, siteQuota, jsonText(allowed), policy, role, passwordHash]
      try {
        database.write(() => insertUser.run(id, email, emailKey(email), ...values))
      } catch (error) {
        if (!isDuplicate(error)) throw error
        throw new AppError('CONFLICT', `there is a user ${email} already`, { cause: error, reason: 'user-exists' })
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

    async updateUser(id, change, { keepAdmin } = { keepAdmin: false }) {
      database.write(() => {
        requireUser(id)
        if (keepAdmin && change.role !== undefined && change.role !== 'admin') requireOtherAdmin(id)
        if (change.siteQuota !== undefined) updateQuota.run(change.siteQuota, id)
        if (change.role !== undefined && change.role !== 'admin') closings.ofFormerAdmin(id, clock.now())
        if (change.role !== undefined) updateRole.run(change.role, id)
        if (change.role !== undefined && change.role !== 'admin') deleteAdminTokens.run(id)
        if (change.allowed !== undefined) updateAllowed.run(jsonText(change.allowed), id)
        if (change.policy !== undefined) updatePolicy.run(change.policy, id)
        // Which sites are watched depends on them.
        if (change.allowed !== undefined || change.policy !== undefined) raiseSitesVersion.run()
      })
    },

    deleteUser,
  }
}

/** Throws AppError NOT_FOUND when there is no user of the id. */
export function requireUserIn(database: Database): (id: string) => void {
  const userExists = database.prepare('SELECT 1 FROM users WHERE id = ?')
  return (id) => {
    if (userExists.get(id) === undefined) throw noSuchUser()
  }
}

export function noSuchUser(): AppError {
  return new AppError('NOT_FOUND', 'there is no such user')
}

/** Throws AppError CONFLICT when the user is the only admin. */
function requireOtherAdminIn(database: Database): (id: string) => void {
  const isOnlyAdmin = database.prepare(`
    SELECT 1 FROM users WHERE id = ? AND role = 'admin'
      AND NOT EXISTS (SELECT 1 FROM users other WHERE other.role = 'admin' AND other.id <> users.id)`)
  return (id) => {
    if (isOnlyAdmin.get(id) !== undefined)
      throw new AppError('CONFLICT', 'nobody else is an admin', { reason: 'last-admin' })
  }
}

function createDeleteUser(
  database: Database,
  { clock, closings }: { clock: Clock; closings: ClosingWrites },
): Accounts['deleteUser'] {
  const disarm = [`UPDATE users SET password_hash = NULL, role = 'viewer' WHERE id = ?`]
    .concat(
      [
        'tokens',
        'sessions',
        'sign_in_links',
        'recovery_codes',
        'second_factors',
        'provider_identities',
        'idempotency_keys',
        'sites',
      ].map((table) => `DELETE FROM ${table} WHERE user_id = ?`),
      // Nothing is sent from then on, and no attempt that is under way turns them on again.
      'UPDATE alert_channels SET is_disabled = 1, failing_since_ms = NULL, version = version + 1 WHERE user_id = ?',
    )
    .map((sql) => database.prepare(sql))
  const raiseSitesVersion = database.prepare('UPDATE sites_version SET version = version + 1')
  const selectEvents = database.prepare(`
    SELECT created_ms, id FROM events WHERE user_id = ? ORDER BY created_ms, id LIMIT ${deletedPerChunk}`)
  const deleteEvent = database.prepare('DELETE FROM events WHERE user_id = ? AND created_ms = ? AND id = ?')
  const farewells = createFarewells(database)
  const deleteSome = (id: string) => {
    const events = selectEvents.all(id)
    for (const event of events) {
      farewells.say(id, text(event, 'id'), clock.now())
      deleteEvent.run(id, number(event, 'created_ms'), text(event, 'id'))
    }
    return events.length
  }
  const deleteLast = ['deliveries', 'notices'].map((table) => {
    const some = database.prepare(`
      DELETE FROM ${table} WHERE rowid IN (SELECT rowid FROM ${table} WHERE user_id = ? LIMIT ${deletedPerChunk})`)
    return (id: string) => Number(some.run(id).changes)
  })
  const deleteRow = database.prepare('DELETE FROM users WHERE id = ?')

  const requireOtherAdmin = requireOtherAdminIn(database)

  return async (id, { keepAdmin } = { keepAdmin: false }) => {
    database.write(() => {
      if (keepAdmin) requireOtherAdmin(id)
      closings.ofUser(id, clock.now())
      for (const statement of disarm) statement.run(id)
      raiseSitesVersion.run()
    })
    for (const step of [deleteSome, farewells.handOver, ...deleteLast])
      await untilDone(() => database.write(() => step(id), { durable: false }) || null)
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
    role: roleFrom(text(row, 'role')),
    hasPassword: number(row, 'has_password') !== 0,
    hasSecondFactor: number(row, 'has_second_factor') !== 0,
    hasIdentity: number(row, 'has_identity') !== 0,
  }
}

/** A word that this version does not know, of a newer one, allows least. */
function policyFrom(word: string | null): User['policy'] {
  return word === null ? null : (policies.find((policy) => policy === word) ?? 'assigned')
}

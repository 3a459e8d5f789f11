// Requests that were marked with a key, and their answers.
import type { Clock } from '../../clock.ts'
import { type Idempotency, idempotencyLimits } from '../idempotency.ts'
import type { Database } from './database.ts'
import { blob, textOrNull } from './rows.ts'

const { keepMs, perUserMax } = idempotencyLimits

export function createIdempotency(database: Database, { clock }: { clock: Clock }): Idempotency {
  const which = 'user_id = ? AND route = ? AND key_hash = ?'
  const deleteExpired = database.prepare('DELETE FROM idempotency_keys WHERE created_ms <= ?')
  const select = database.prepare(`SELECT body_hash, answer FROM idempotency_keys WHERE ${which}`)
  const deleteOldest = database.prepare(`
    DELETE FROM idempotency_keys WHERE rowid IN (
      SELECT rowid FROM idempotency_keys WHERE user_id = ? ORDER BY created_ms DESC LIMIT -1 OFFSET ${perUserMax - 1})`)
  const insert = database.prepare(
    'INSERT INTO idempotency_keys (user_id, route, key_hash, body_hash, created_ms) VALUES (?, ?, ?, ?, ?)',
  )
  const update = database.prepare(`UPDATE idempotency_keys SET answer = ? WHERE ${which}`)
  const remove = database.prepare(`DELETE FROM idempotency_keys WHERE ${which}`)

  return {
    async beginRequest({ userId, route, keyHash }, bodyHash) {
      const nowMs = clock.now()
      return database.write(() => {
        deleteExpired.run(nowMs - keepMs)
        const row = select.get(userId, route, keyHash)
        if (row !== undefined) return { bodyHash: blob(row, 'body_hash'), answer: textOrNull(row, 'answer') }
        deleteOldest.run(userId)
        insert.run(userId, route, keyHash, bodyHash, nowMs)
        return null
      })
    },

    async finishRequest({ userId, route, keyHash }, answer) {
      database.write(() => update.run(answer, userId, route, keyHash))
    },

    async abandonRequest({ userId, route, keyHash }) {
      database.write(() => remove.run(userId, route, keyHash))
    },
  }
}

// Second factors and their recovery codes.
import type { Clock } from '../../../clock.ts'
import { AppError } from '../../../errors.ts'
import type { SecondFactors } from '../../second-factors.ts'
import type { Database } from '../database.ts'
import { blob, number, numberOrNull } from '../rows.ts'
import { requireUserIn } from './users.ts'

export function createSecondFactors(database: Database, { clock }: { clock: Clock }): SecondFactors {
  const requireUser = requireUserIn(database)
  const insertFactor = database.prepare(`
    INSERT INTO second_factors (user_id, sealed_secret) VALUES (?, ?)
    ON CONFLICT (user_id) DO UPDATE SET sealed_secret = excluded.sealed_secret, used_step = 0 WHERE confirmed_ms IS NULL`)
  const selectFactor = database.prepare(`
    SELECT sealed_secret, used_step, confirmed_ms,
           (SELECT count(*) FROM recovery_codes c WHERE c.user_id = f.user_id) AS codes_left
    FROM second_factors f WHERE user_id = ?`)
  const confirm = database.prepare(
    'UPDATE second_factors SET confirmed_ms = ?, used_step = ? WHERE user_id = ? AND confirmed_ms IS NULL',
  )
  const raiseStep = database.prepare(
    'UPDATE second_factors SET used_step = ?1 WHERE user_id = ?2 AND used_step < ?1 AND confirmed_ms IS NOT NULL',
  )
  const selectConfirmed = database.prepare(
    'SELECT 1 FROM second_factors WHERE user_id = ? AND confirmed_ms IS NOT NULL',
  )
  const deleteFactor = database.prepare('DELETE FROM second_factors WHERE user_id = ?')
  const codes = createRecoveryCodes(database)
  const selectSecrets = database.prepare('SELECT sealed_secret FROM second_factors ORDER BY user_id')

  return {
    async setSecondFactor(userId, sealedSecret) {
      database.write(() => {
        requireUser(userId)
        if (insertFactor.run(userId, sealedSecret).changes === 0)
          throw new AppError('CONFLICT', 'the user has a second factor already', { reason: 'second-factor-exists' })
      })
    },

    async secondFactorOf(userId) {
      const row = database.read(() => selectFactor.get(userId))
      if (row === undefined) return null
      return {
        sealedSecret: blob(row, 'sealed_secret'),
        usedStep: number(row, 'used_step'),
        confirmedMs: numberOrNull(row, 'confirmed_ms'),
        recoveryCodesLeft: number(row, 'codes_left'),
      }
    },

    async confirmSecondFactor(userId, { step, codeHashes }) {
      return database.write(() => {
        if (confirm.run(clock.now(), step, userId).changes === 0) return false
        codes.replace(userId, codeHashes)
        return true
      })
    },

    async takeStep(userId, step) {
      return database.write(() => raiseStep.run(step, userId).changes) !== 0
    },

    async takeRecoveryCode(userId, codeHash) {
      return database.write(() => codes.take(userId, codeHash))
    },

    async setRecoveryCodes(userId, codeHashes) {
      database.write(() => {
        if (selectConfirmed.get(userId) === undefined) throw new AppError('NOT_FOUND', 'the user has no second factor')
        codes.replace(userId, codeHashes)
      })
    },

    async deleteSecondFactor(userId) {
      return database.write(() => {
        codes.replace(userId, [])
        return deleteFactor.run(userId).changes !== 0
      })
    },

    async sealedSecrets() {
      return database.read(() => selectSecrets.all()).map((row) => blob(row, 'sealed_secret'))
    },
  }
}

/** Within a transaction of the caller. */
function createRecoveryCodes(database: Database) {
  const insert = database.prepare('INSERT INTO recovery_codes (user_id, code_hash) VALUES (?, ?)')
  const deleteOne = database.prepare('DELETE FROM recovery_codes WHERE user_id = ? AND code_hash = ?')
  const deleteAll = database.prepare('DELETE FROM recovery_codes WHERE user_id = ?')
  return {
    replace: (userId: string, codeHashes: readonly Uint8Array[]) => {
      deleteAll.run(userId)
      for (const hash of codeHashes) insert.run(userId, hash)
    },
    /** False: it is not there. */
    take: (userId: string, codeHash: Uint8Array): boolean => deleteOne.run(userId, codeHash).changes !== 0,
  }
}

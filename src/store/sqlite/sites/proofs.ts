// What users prove to control.
import { subjectKinds } from '../../../access/challenge.ts'
import type { Proofs } from '../../proofs.ts'
import type { SavedProof } from '../../store.ts'
import type { Database } from '../database.ts'
import { number, numberOrNull, type Row, text } from '../rows.ts'

const columns =
  'user_id, kind, subject, token, issued_ms, checked_ms, confirmed_ms, misses, missing_since_ms, missed_ms, expires_ms'

export function createProofs(database: Database): Proofs {
  const selectProofs = database.prepare(`SELECT ${columns} FROM proofs ORDER BY user_id, kind, subject`)
  const userExists = database.prepare('SELECT 1 FROM users WHERE id = ?')
  const saveProof = database.prepare(
    `INSERT OR REPLACE INTO proofs (${columns}) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
  )
  const deleteProof = database.prepare('DELETE FROM proofs WHERE user_id = ? AND kind = ? AND subject = ?')

  return {
    async loadProofs() {
      return database.read(() => selectProofs.all()).flatMap(proofFrom)
    },

    async saveProofs(proofs) {
      if (proofs.length === 0) return
      database.write(() => {
        for (const { userId, subject, token, issuedMs, ...times } of proofs) {
          const { checkedMs, confirmedMs, misses, missingSinceMs, missedMs, expiresMs } = times
          if (userExists.get(userId) === undefined) continue
          const key = [userId, subject.kind, subject.text]
          const missing = [misses, missingSinceMs, missedMs]
          saveProof.run(...key, token, issuedMs, checkedMs, confirmedMs, ...missing, expiresMs)
        }
      })
    },

    async deleteProofs(proofs) {
      if (proofs.length === 0) return
      database.write(() => {
        for (const { userId, subject } of proofs) deleteProof.run(userId, subject.kind, subject.text)
      })
    },
  }
}

/** A kind that this version does not know proves nothing to it. */
function proofFrom(row: Row): SavedProof[] {
  const kind = subjectKinds.find((each) => each === text(row, 'kind'))
  if (kind === undefined) return []
  return [
    {
      userId: text(row, 'user_id'),
      subject: { kind, text: text(row, 'subject') },
      token: text(row, 'token'),
      issuedMs: number(row, 'issued_ms'),
      checkedMs: numberOrNull(row, 'checked_ms'),
      confirmedMs: numberOrNull(row, 'confirmed_ms'),
      misses: number(row, 'misses'),
      missingSinceMs: numberOrNull(row, 'missing_since_ms'),
      missedMs: numberOrNull(row, 'missed_ms'),
      expiresMs: numberOrNull(row, 'expires_ms'),
    },
  ]
}

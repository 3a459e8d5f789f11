// Rows of the audit log as the chain has them: by whoever reads the table, the thread that looks for damage included.
import type { AuditRow } from '../../../audit/chain.ts'
import type { ActorKind, Outcome } from '../../../audit/entry.ts'
import { blob, number, type Row, text, textOrNull } from '../rows.ts'

export const auditColumns =
  'sequence, at_ms, kind, actor, user_id, name, credential, address, object, outcome, count, detail, before_hash, hash'

export function auditRowFrom(row: Row): AuditRow {
  return {
    sequence: number(row, 'sequence'),
    atMs: number(row, 'at_ms'),
    kind: text(row, 'kind'),
    actor: {
      kind: actorFrom(text(row, 'actor')),
      userId: textOrNull(row, 'user_id'),
      name: text(row, 'name'),
      credential: text(row, 'credential'),
      address: text(row, 'address'),
    },
    object: text(row, 'object'),
    outcome: outcomeFrom(text(row, 'outcome')),
    count: number(row, 'count'),
    detailText: text(row, 'detail'),
    beforeHash: Buffer.from(blob(row, 'before_hash')).toString('hex'),
    hash: Buffer.from(blob(row, 'hash')).toString('hex'),
  }
}

/** The word as it stands there: only this store writes it, and whether somebody else has, the chain's hash tells. */
function actorFrom(word: string): ActorKind {
  return word as ActorKind
}

/** Likewise. */
function outcomeFrom(word: string): Outcome {
  return word as Outcome
}

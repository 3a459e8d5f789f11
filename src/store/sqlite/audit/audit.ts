// The audit log in SQLite: rows by their place in the chain, read by pages, and cut off where they are old.
import { setImmediate } from 'node:timers/promises'
import type { Audit, AuditFilter, AuditPage, AuditRow } from '../../../audit/audit-store.ts'
import { cutDetail, cutKind } from '../../../audit/chain.ts'
import type { AuditEntry } from '../../../audit/entry.ts'
import type { Clock } from '../../../clock.ts'
import { untilDone } from '../chunks.ts'
import type { Database } from '../database.ts'
import { blob, number } from '../rows.ts'
import { ChainWriter, hex } from './chain-writer.ts'
import { Journal } from './journal.ts'
import { auditColumns, auditRowFrom } from './rows.ts'

/** Rows that one read looks at for those that fit: a few milliseconds. Nothing else of the thread waits for a search through all of them. */
const rowsPerLook = 5_000
const rowsPerCut = 2_000

export function createAudit(database: Database, { clock }: { clock: Clock }): { verbs: Audit; journal: Journal } {
  const chain = new ChainWriter(database, clock)
  const journal = new Journal(database, chain)
  const selectEnds = database.prepare('SELECT * FROM audit_chain')
  const selectAfter = database.prepare(`SELECT ${auditColumns} FROM audit WHERE sequence > ? ORDER BY sequence LIMIT ?`)
  const updateSent = database.prepare('UPDATE audit_chain SET sent = ?')

  const ends = () => {
    const row = selectEnds.get() ?? {}
    return {
      anchor: { sequence: number(row, 'anchor_sequence'), hash: hex(blob(row, 'anchor_hash')) },
      head: { sequence: number(row, 'head_sequence'), hash: hex(blob(row, 'head_hash')) },
      sent: number(row, 'sent'),
    }
  }

  const verbs: Audit = {
    answerFor: (deed, work) => journal.answerFor(deed, work),

    async noteAudit(entries, options = { durable: true }) {
      if (entries.length === 0) return
      database.write(() => {
        for (const entry of entries) chain.add(entry)
      }, options)
    },

    auditPage: createAuditPage(database),

    async auditAfter(sequence, limit) {
      return database.read(() => selectAfter.all(sequence, limit)).map(auditRowFrom)
    },

    async auditEnds() {
      return database.read(ends)
    },

    async noteAuditSent(sequence) {
      database.write(() => updateSent.run(sequence), { durable: false })
    },

    cutAudit: createCut(database, chain),
  }
  return { verbs, journal }
}

function createAuditPage(database: Database): Audit['auditPage'] {
  const selectHead = database.prepare('SELECT head_sequence AS head FROM audit_chain')
  const selectPage = database.prepare(`
    SELECT ${auditColumns} FROM audit
    WHERE sequence < ?1 AND sequence >= ?2
      AND (?3 IS NULL OR user_id = ?3) AND (?4 IS NULL OR instr(lower(name), ?4) > 0) AND (?5 IS NULL OR kind = ?5)
      AND (?6 IS NULL OR (outcome = 'done') = ?6) AND (?7 IS NULL OR at_ms >= ?7) AND (?8 IS NULL OR at_ms < ?8)
    ORDER BY sequence DESC LIMIT ?9`)
  const selectFirst = database.prepare('SELECT min(sequence) AS first FROM audit')

  return async (filter, { below, limit }): Promise<AuditPage> => {
    const first = Number(database.read(() => selectFirst.get())?.first ?? 0)
    const head = number(database.read(() => selectHead.get()) ?? {}, 'head')
    const rows: AuditRow[] = []
    const given = parametersOf(filter)
    for (let upper = Math.min(below ?? head + 1, head + 1); upper > first && first > 0; upper -= rowsPerLook) {
      const wanted = limit + 1 - rows.length
      rows.push(...database.read(() => selectPage.all(upper, upper - rowsPerLook, ...given, wanted)).map(auditRowFrom))
      if (rows.length > limit) return { rows: rows.slice(0, limit), next: rows[limit - 1].sequence }
      await setImmediate()
    }
    return { rows, next: null }
  }
}

function parametersOf({ userId, name, kind, outcome, startMs, endMs }: AuditFilter) {
  const isDone = outcome === undefined ? null : Number(outcome === 'done')
  return [userId ?? null, name?.toLowerCase() ?? null, kind ?? null, isDone, startMs ?? null, endMs ?? null]
}

function createCut(database: Database, chain: ChainWriter): Audit['cutAudit'] {
  const selectOldest = database.prepare(`
    SELECT sequence, at_ms, hash FROM audit ORDER BY sequence LIMIT ${rowsPerCut}`)
  const moveAnchor = database.prepare('UPDATE audit_chain SET anchor_sequence = ?, anchor_hash = ?')
  const deleteRows = database.prepare('DELETE FROM audit WHERE sequence <= ?')

  const cutOnce = (beforeMs: number): number => {
    const oldest = selectOldest.all()
    const firstKept = oldest.findIndex((row) => number(row, 'at_ms') >= beforeMs)
    const count = firstKept < 0 ? oldest.length : firstKept
    if (count === 0) return 0
    const last = oldest[count - 1]
    const anchor = { sequence: number(last, 'sequence'), hash: blob(last, 'hash') }
    moveAnchor.run(anchor.sequence, anchor.hash)
    deleteRows.run(anchor.sequence)
    chain.add(cutEntry(cutDetail({ sequence: anchor.sequence, hash: hex(anchor.hash) }), count))
    return count
  }

  return (beforeMs, signal) =>
    untilDone(() => {
      const count = database.write(() => cutOnce(beforeMs))
      return count === 0 ? null : count
    }, signal)
}

function cutEntry(detail: ReturnType<typeof cutDetail>, count: number): AuditEntry {
  const actor = { kind: 'service' as const, userId: null, name: '', credential: '', address: '' }
  return { kind: cutKind, actor, object: '', outcome: 'done', count, detail }
}

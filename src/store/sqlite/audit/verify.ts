// Reads the whole chain of the audit log in a database file, and finds the first thing that is wrong with it. It takes a second for some 60,000 rows: it
// belongs into a thread or a process of its own.
import type { DatabaseSync } from 'node:sqlite'
import { ChainCheck, type ChainEnd, type ChainFault } from '../../../audit/chain.ts'
import { blob, number } from '../rows.ts'
import { hex } from './chain-writer.ts'
import { auditColumns, auditRowFrom } from './rows.ts'

export interface Verified {
  /** Null: the chain is whole. */
  fault: ChainFault | null
  rows: number
  /** The last row that was found right. */
  last: ChainEnd
}

/** `known`: the hash of a row that must be there. One moment is read, whatever others write meanwhile. */
export function verifyAudit(database: DatabaseSync, known: string | null = null): Verified {
  database.exec('BEGIN')
  try {
    const ends = database.prepare('SELECT * FROM audit_chain').get() ?? {}
    const check = new ChainCheck(
      {
        anchor: { sequence: number(ends, 'anchor_sequence'), hash: hex(blob(ends, 'anchor_hash')) },
        head: { sequence: number(ends, 'head_sequence'), hash: hex(blob(ends, 'head_hash')) },
      },
      known,
    )
    for (const row of database.prepare(`SELECT ${auditColumns} FROM audit ORDER BY sequence`).iterate()) {
      check.take(auditRowFrom(row))
      if (check.fault !== null) break
    }
    return { fault: check.finish(), rows: check.rows, last: check.last }
  } finally {
    database.exec('ROLLBACK')
  }
}

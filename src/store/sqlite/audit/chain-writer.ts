// Adds rows to the chain of the audit log. It runs within a transaction of somebody, whose lock keeps other writers from the end of the chain.
import { type ChainEnd, chainRow } from '../../../audit/chain.ts'
import type { AuditEntry } from '../../../audit/entry.ts'
import type { Clock } from '../../../clock.ts'
import type { Database } from '../database.ts'
import { blob, number } from '../rows.ts'

export class ChainWriter {
  readonly #clock: Clock
  readonly #head: () => ChainEnd
  readonly #insert: ReturnType<Database['prepare']>

  constructor(database: Database, clock: Clock) {
    const selectHead = database.prepare('SELECT head_sequence, head_hash FROM audit_chain')
    this.#clock = clock
    this.#head = () => {
      const row = selectHead.get() ?? {}
      return { sequence: number(row, 'head_sequence'), hash: hex(blob(row, 'head_hash')) }
    }
    this.#insert = database.prepare(`
      INSERT INTO audit (sequence, at_ms, kind, actor, user_id, name, credential, address, object, outcome, count, detail, before_hash, hash)
      VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`)
  }

  add(entry: AuditEntry): void {
    const row = chainRow(entry, Math.floor(this.#clock.now()), this.#head())
    const { sequence, atMs, kind, actor, object, outcome, count, detailText, beforeHash, hash } = row
    const who = [actor.kind, actor.userId, actor.name, actor.credential, actor.address]
    const hashes = [Buffer.from(beforeHash, 'hex'), Buffer.from(hash, 'hex')]
    this.#insert.run(sequence, atMs, kind, ...who, object, outcome, count, detailText, ...hashes)
  }
}

export function hex(octets: Uint8Array): string {
  return Buffer.from(octets).toString('hex')
}

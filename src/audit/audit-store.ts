// What the store does for the audit log: a row for each change, written with it, and rows for what was refused.
import type { AuditRow, ChainEnd, ChainEnds } from './chain.ts'
import type { Deed } from './deed.ts'
import type { AuditEntry } from './entry.ts'

/** What is not given does not matter. */
export interface AuditFilter {
  /** The id of a user. */
  userId?: string
  /** A part of the user's e-mail, or of the name that a stranger gave. */
  name?: string
  kind?: string
  /** done, or whatever is not. */
  outcome?: 'done' | 'refused'
  startMs?: number
  /** Exclusive. */
  endMs?: number
}

export interface AuditPage {
  rows: AuditRow[]
  /** The sequence below which the next page begins; null: this is the last one. */
  next: number | null
}

export interface Audit {
  /**
   * Runs the work. The first transaction of a changing verb in it that changes anything writes the row of the deed as well: both are on the disk, or
   * neither. Where nothing was to be changed the row is written at the end. Work that throws before it has changed anything leaves none.
   */
  answerFor<Result>(deed: Deed, work: () => Promise<Result>): Promise<Result>
  /** Writes rows of what is no change of the store. `durable` false: a loss of power may undo it. */
  noteAudit(entries: readonly AuditEntry[], options?: { durable: boolean }): Promise<void>
  /** The newest first, below the sequence; null: from the last one. */
  auditPage(filter: AuditFilter, options: { below: number | null; limit: number }): Promise<AuditPage>
  /** In their order, after the sequence. */
  auditAfter(sequence: number, limit: number): Promise<AuditRow[]>
  auditEnds(): Promise<ChainEnds & { sent: number }>
  /** Notes up to which row a receiver elsewhere has been given. */
  noteAuditSent(sequence: number): Promise<void>
  /** Cuts off the oldest rows, up to the first that is not older, in short transactions; each leaves a row that says so. Returns how many. */
  cutAudit(beforeMs: number, signal?: AbortSignal): Promise<number>
}

/** The verbs with which somebody changes something: their transactions write the row of the deed. */
export const changingVerbs = [
  ...(['addUser', 'updateUser', 'deleteUser', 'setPassword', 'setSignInLink', 'redeemSignInLink'] as const),
  ...(['addToken', 'revokeToken', 'addSession', 'endSession'] as const),
  ...(['setSecondFactor', 'confirmSecondFactor', 'setRecoveryCodes', 'deleteSecondFactor', 'resealAll'] as const),
  ...(['bindIdentity', 'deleteIdentities', 'refuseIdentities', 'acceptIdentities'] as const),
  ...(['addSites', 'setEnabled', 'deleteSites', 'addGroup', 'renameGroup', 'deleteGroup', 'setGroup'] as const),
  ...(['changeNote', 'saveObservations', 'setExporterAdmission'] as const),
  ...(['addChannel', 'changeChannel', 'deleteChannel', 'replay'] as const),
  ...(['addRule', 'changeRule', 'deleteRule', 'orderRules', 'addSilence', 'endSilence'] as const),
]

export type { AuditRow, ChainEnd }

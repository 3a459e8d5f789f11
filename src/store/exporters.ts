// Exporters: how each of their streams does, and what is needed to read it.
import type { ExporterNotice } from '../collect/health/notice.ts'
import type { StreamName, StreamReport } from '../collect/health/report.ts'
import type { SavedStream, StreamChange } from '../decode/saved-streams.ts'

/** The last known state of each stream. */
export interface StreamReports {
  saveStreamReports(reports: StreamReport[]): Promise<void>
  /** Those of today's form, by address. */
  loadStreamReports(): Promise<StreamReport[]>
  deleteStreamReports(names: StreamName[]): Promise<void>
}

/** What exporters told once and is needed to read what they send. */
export interface StreamStates {
  saveStreamStates(changes: StreamChange[]): Promise<void>
  /** The streams with the latest data first; `unreadable`: rows that are not as they were written, and are left out. */
  loadStreamStates(): Promise<{ streams: SavedStream[]; unreadable: number }>
  /** Deletes streams without data since then, and those silent longest while all take more octets than `octetsMax`; gives how many streams. */
  pruneStreamStates(limits: { seenBeforeMs: number; octetsMax: number }): Promise<number>
}

/** Who may send flows, as people have set it. */
export interface SavedAdmission {
  /** Addresses and prefixes; empty: anybody. */
  entries: string[]
  /** The list before; null: there was none. */
  previous: string[] | null
  changedMs: number
  /** E-mail of who set it; null: by command line. */
  changedBy: string | null
}

export interface ExporterAdmission {
  /** Null: nobody has ever set it. */
  exporterAdmission(): Promise<SavedAdmission | null>
  /** The list in force becomes the one before. */
  setExporterAdmission(change: Omit<SavedAdmission, 'previous'>): Promise<void>
}

/** What happened to exporters. */
export interface ExporterNotices {
  loadExporterNotices(): Promise<ExporterNotice[]>
  /** In place of those before. */
  saveExporterNotices(notices: ExporterNotice[]): Promise<void>
}

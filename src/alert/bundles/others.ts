// What else a message tells: the attacks that were gathered with the one that it is about.
import type { Severity } from '../../events/severity.ts'

export interface OtherAttack {
  site: string
  address: string
  severity: Severity
  bytesPerSecond: number
  isOver: boolean
}

/** All of them, as far as there still are events of them. */
export interface OtherAttacks {
  count: number
  /** How many of them are over. */
  over: number
  bySeverity: Readonly<Partial<Record<Severity, number>>>
  /** The most severe and heaviest, at most `heaviestMax`. */
  heaviest: readonly OtherAttack[]
}

export const heaviestMax = 5

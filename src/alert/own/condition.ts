// What Floodgauge itself cannot see, or cannot do: a condition begins, is told, and ends. Rows of data; who is told is in destinations.ts.
import { randomBytes } from 'node:crypto'
import type { Severity } from '../../events/severity.ts'

interface ConditionKind {
  severity: Severity
  /** What its end is called; null: it is over when it is known. */
  over: string | null
  /** How long it must last before it is told. */
  afterMs: number
  /** False: to its owner alone. */
  isForAdmins: boolean
}

const minuteMs = 60_000

/** THE table. `exporter.silent` has waited for five minutes before it is a finding, `channel.failing` likewise, `flows.none` for two. */
export const conditionKinds = {
  'exporter.silent': { severity: 'high', over: 'exporter.recovered', afterMs: 0, isForAdmins: true },
  'exporter.problem': { severity: 'medium', over: 'exporter.recovered', afterMs: 5 * minuteMs, isForAdmins: true },
  'flows.none': { severity: 'critical', over: 'flows.back', afterMs: 0, isForAdmins: true },
  'service.blind': { severity: 'critical', over: null, afterMs: 0, isForAdmins: true },
  'channel.failing': { severity: 'high', over: 'channel.recovered', afterMs: 0, isForAdmins: true },
  // Nobody else can put the record back.
  'site.proof_missing': { severity: 'high', over: 'site.proof_found', afterMs: 0, isForAdmins: false },
} as const satisfies Record<string, ConditionKind>

export type ConditionType = keyof typeof conditionKinds

/** What is wrong now, as its source says. */
export interface Problem {
  type: ConditionType
  /** What it is about: an exporter's address, a channel's name, a site. */
  subject: string
  /** In our own words, English; empty: there is nothing more to say. */
  detail: string
  /** Since when, Unix milliseconds; null: it is not known, and was not so at the look before. */
  sinceMs: number | null
  /** Whose it is, and the channel on which the owner is not told since it is about that; null: the installation's, or about none. */
  owner: { userId: string; exceptChannelId: string | null } | null
  /** When it was over, where that is known at once; null: it goes on. */
  untilMs: number | null
}

/** A problem from when it was first seen until everybody knows of its end. */
export interface Condition extends Omit<Problem, 'sinceMs'> {
  /** 24 hexadecimal digits, as an event has. */
  id: string
  sinceMs: number
  /** When it was over; null: it goes on. */
  overMs: number | null
  /** The channels that know that it began, and not that it is over. */
  told: readonly string[]
}

/** By which a problem is the same at two looks. */
export function keyOf({
  type,
  subject,
  owner,
  sinceMs,
}: Pick<Problem, 'type' | 'subject' | 'owner' | 'sinceMs'>): string {
  if (conditionKinds[type].over === null) return `${type} ${sinceMs}`
  // Two users may have the same site.
  return `${type} ${owner?.exceptChannelId ?? (owner === null ? subject : `${owner.userId} ${subject}`)}`
}

/** What a message is called. */
export function typeOf({ type, overMs }: Pick<Condition, 'type' | 'overMs'>): string {
  return overMs === null ? type : (conditionKinds[type].over ?? type)
}

/** From when it was first seen. `id`: 24 hexadecimal digits. */
export function conditionOf({ sinceMs, ...problem }: Problem, { id, nowMs }: { id: string; nowMs: number }): Condition {
  return { ...problem, id, sinceMs: sinceMs ?? nowMs, overMs: null, told: [] }
}

export function newConditionId(): string {
  return randomBytes(12).toString('hex')
}

// What a finding is, and the rule that makes it.
import type { StreamReport } from './report.ts'

/** error: flows are lost, or counted wrong. warning: attacks are seen late or not as they are. note: good to know. */
export const severities = ['error', 'warning', 'note'] as const
export type Severity = (typeof severities)[number]

export interface Finding {
  rule: string
  severity: Severity
  /** What is so. */
  text: string
  /** What can be done. */
  advice: string
}

/** What a stream is seen in. */
export interface Surroundings {
  /** When it is asked: now, or the end of a capture. */
  nowMs: number
  /** How many other sockets of the address send the same domain by the same protocol at the same time. */
  twins: number
  /** Of all streams of the exporter: when the last datagram came, and how many flow records did. */
  exporterLastMs: number
  exporterRecords: number
}

/** What a rule is asked about. */
export interface Subject extends StreamReport, Surroundings {}

export interface Rule {
  rule: string
  severity: Severity
  /** What it is about, for the documentation. */
  about: string
  /** What is so; null when it is not. */
  says: (stream: Subject) => string | null
  advice: string
}

/** Fewer records prove little. */
export const recordsMin = 20

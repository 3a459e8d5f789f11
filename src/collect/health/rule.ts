// The types of findings and of the rules that make them.
import type { StreamReport } from './report.ts'

/** error: flows are lost, or counted wrong. warning: attacks are seen late or not as they are. note: good to know. */
export const severities = ['error', 'warning', 'note'] as const
export type FindingSeverity = (typeof severities)[number]

export interface Finding {
  rule: string
  severity: FindingSeverity
  /** The fact, in words. */
  text: string
  /** The remedy, in words. */
  advice: string
}

/** The circumstances of a stream. */
export interface Surroundings {
  /** Present time, or the end of a capture. */
  nowMs: number
  /** Number of other sockets of the address that send the same domain by the same protocol at the same time. */
  twins: number
  /** Over all streams of the exporter: the time of the last datagram, and the number of flow records. */
  exporterLastMs: number
  exporterRecords: number
  /** When a datagram of the exporter was refused last, since it is not on the list of who may send; 0: never. */
  refusedMs: number
}

/** The input of a rule. */
export interface Subject extends StreamReport, Surroundings {}

export interface Rule {
  rule: string
  severity: FindingSeverity
  /** The subject of the rule, for the documentation. */
  about: string
  /** The finding; null when the rule does not fit. */
  says: (stream: Subject) => string | null
  advice: string
}

/** Records needed before a rule about records can fit. */
export const recordsMin = 20

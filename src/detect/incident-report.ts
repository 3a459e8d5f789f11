// What the detector says about an attack. Whose site it is, and under which name, is settled by those who read it.
import type { Dimension } from './evidence.ts'

/** One item of a statistic list; counters are sums over the incident, scaled by the sampling rate (flows: records seen). */
export interface StatisticEntry {
  item: number
  flows: number
  packets: number
  bytes: number
  /** IP protocol numbers seen with the item. */
  protocols: number[]
}

export type Statistics = { [D in Dimension]: StatisticEntry[] }

/** Which number crossed which line, against which normal. */
export interface Why {
  /** `packets`, `bytes` or `flows`. */
  metric: string
  /** Per second, in the window that was judged. */
  value: number
  /** Per second: the line that was crossed. */
  threshold: number
  /** Per second: what is normal for the target; null while not learnt. */
  normal: number | null
  /** Where the threshold comes from: `absolute`, `prefix <cidr>` or `baseline`. */
  source: string
}

export interface IncidentReport {
  /** Stable through the incident's life; the same for every report about it. */
  incident: string
  phase: 'opened' | 'updated' | 'ended'
  /** IPv4 address of the victim. */
  address: number
  /** `attack_type` label; null for a spike of unknown kind. */
  label: string | null
  /** When it began and (so far) last was seen in the traffic, Unix milliseconds. */
  startMs: number
  endMs: number
  /** Averages over the incident so far, scaled by the sampling rate. */
  bytesPerSecond: number
  packetsPerSecond: number
  flowsPerSecond: number
  peak: { bytesPerSecond: number; packetsPerSecond: number; flowsPerSecond: number; atMs: number }
  /** Current over normal; finite. */
  deviation: number
  why: Why[]
  statistics: Statistics
}

// The detector's reports of an attack. Whose site it is, and under which name, is settled by the readers of these.
import type { Dimension } from '../evidence/evidence.ts'
import type { NormalNumbers } from './attack-traffic.ts'

/** One item of a statistic list; counters are sums over the incident, scaled by the sampling rate (flows: records seen). */
export interface StatisticEntry {
  item: number
  flows: number
  packets: number
  bytes: number
  /** IP protocol numbers seen with the item. */
  protocols: number[]
}

/** An exporter, likewise. */
export interface ExporterEntry {
  /** IPv4 or IPv6 address; empty: exporters without a number of their own. */
  address: string
  flows: number
  packets: number
  bytes: number
}

/** An interface of an exporter, likewise. */
export interface InterfaceEntry extends ExporterEntry {
  /** Index by SNMP. */
  index: number
}

/** A record as it came. */
export interface SampleRecord {
  /** First and last packet, in whole seconds, Unix milliseconds. */
  startMs: number
  endMs: number
  /** IPv4 addresses. */
  source: number
  victim: number
  sourcePort: number
  destinationPort: number
  protocol: number
  tcpFlags: number
  /** Scaled by the sampling rate, as bytes are. */
  packets: number
  bytes: number
  /** One of as many packets was sampled; 0: not known. */
  samplingRate: number
  /** Empty: see `ExporterEntry`. */
  exporter: string
}

export type ListName = Exclude<Dimension, 'exporter' | 'ingress' | 'egress'>

/** What an attack consists of: all that came to the target from its beginning on. Lists have the heaviest items by flows. */
export type Statistics = { [D in ListName]: StatisticEntry[] } & {
  exporter: ExporterEntry[]
  /** The interfaces by which the packets came in and left, as far as records have them. */
  ingress: InterfaceEntry[]
  egress: InterfaceEntry[]
  /** By list: the most flows that an item may have beyond those reported, or may have without being in the list. 0: the list is exact. */
  flowsMissedMax: { [D in Dimension]: number }
  /** Number of different sources; `error` is the relative standard error of an estimate, 0 when they were counted. */
  sources: { distinct: number; error: number }
  samples: SampleRecord[]
}

/** Average rates of each step; null in all of them: the service was down. */
export interface CourseRates {
  packetsPerSecond: (number | null)[]
  bytesPerSecond: (number | null)[]
  flowsPerSecond: (number | null)[]
}

/** The band in which traffic is normal, in packets a second unless another unit is given. */
export interface NormalBand {
  low: number
  high: number
}

/** The traffic from a minute before the attack to its end so far. */
export interface Course {
  /** Where the first step begins, Unix milliseconds. */
  fromMs: number
  /** The longer the attack, the longer are the steps; the last one may not be whole yet. */
  stepSeconds: number
  /** All traffic of the target, and that of the attack's class. */
  total: CourseRates
  attack: CourseRates
  /** Null while not learnt. */
  normal: { total: NormalBand; attack: NormalBand } | null
}

/** The large part of a report. */
export interface IncidentDetails {
  statistics: Statistics
  course: Course
  /** The lists of the latest episode; null for the first, whose lists are those of the whole attack. */
  ofEpisode: Statistics | null
}

/** Empty lists. */
export const noStatistics: Statistics = {
  destinationPort: [],
  sourcePort: [],
  sourceAddress: [],
  protocol: [],
  flags: [],
  length: [],
  sourceAs: [],
  exporter: [],
  ingress: [],
  egress: [],
  flowsMissedMax: {
    destinationPort: 0,
    sourcePort: 0,
    sourceAddress: 0,
    protocol: 0,
    flags: 0,
    length: 0,
    sourceAs: 0,
    exporter: 0,
    ingress: 0,
    egress: 0,
  },
  sources: { distinct: 0, error: 0 },
  samples: [],
}

/** One address of several that are hit. */
export interface Victim {
  /** IPv4 address. */
  address: number
  /** By the attack's vector, in the last minutes. */
  packetsPerSecond: number
  bytesPerSecond: number
}

/** The addresses of a /24 that are hit, or were. */
export interface VictimNetwork {
  /** IPv4 address, the first of the /24. */
  network: number
  /** Its addresses as bits: see net/address-bits.ts. */
  addresses: string
  /** Rates of all of them together. */
  packetsPerSecond: number
  bytesPerSecond: number
}

/** The hardest hit first; `networks` has all of them. */
export interface Victims {
  victims: Victim[]
  networks: VictimNetwork[]
}

/** One address is attacked. */
export const noVictims: Victims = { victims: [], networks: [] }

/** Traffic of one label, over the active time of the whole attack. */
export interface VectorShare {
  label: string
  /** Part of all packets to the target, 0 to 1; at most 1 for all vectors of an attack together. */
  share: number
  packetsPerSecond: number
}

/** Rates of the three seconds with most packets. */
export interface Peak {
  bytesPerSecond: number
  packetsPerSecond: number
  flowsPerSecond: number
  /** Where they begin, Unix milliseconds. */
  atMs: number
}

/** How long an attack was active, and its averages over that time. */
export interface Amount {
  /** Seconds without the pauses of the attack. */
  activeSeconds: number
  /** Averages over the active seconds, scaled by the sampling rate (flows: records as received). */
  bytesPerSecond: number
  packetsPerSecond: number
  flowsPerSecond: number
  peak: Peak
}

/** The highest averages of any episode, of packets and of bytes: a later, weaker episode does not make the attack less severe. */
export interface Worst {
  packetsPerSecond: number
  bytesPerSecond: number
}

/** A stretch of an attack, from its beginning or return to a reported end. */
export interface Episode extends Amount {
  /** 0 is the first. */
  number: number
  /** Unix milliseconds; `endMs` is where it was last active so far. */
  startMs: number
  endMs: number
}

/** The reason of an alarm: the rate, the line that it crossed, and what is normal. */
export interface Why {
  /** `packets`, `bytes` or `flows`. */
  metric: string
  /** Rate in the window that was judged, per second. */
  value: number
  /** The line that it crossed, per second. */
  threshold: number
  /** Normal rate of the target, per second; null while not learnt. */
  normal: number | null
  /** Likewise. */
  band: NormalBand | null
  /** Relative standard error of the value by sampling; 0 when nothing was sampled. */
  error: number
  /** Where the threshold comes from: `absolute`, `prefix <cidr>`, `site` or `baseline`. */
  source: string
  /**
   * The same for whoever may know nothing of what was normal before: its line, the deviation, and the least rate that can be measured, packets a
   * second. Null: without a normal there is no such judgement, or a version did not keep it.
   */
  unlearnt: { threshold: number; deviation: number; measurable: number } | null
}

/**
 * The first report is `opened`, the last `closed`. An attack that `ended` is quiet and may be `reopened`. Details are null when it is another attack's turn
 * (see report-turns.ts).
 */
export type IncidentReport = IncidentState &
  (
    | { phase: 'opened' | 'updated' | 'reopened'; details: IncidentDetails | null }
    | { phase: 'ended' | 'closed'; details: IncidentDetails }
  )

/** What a restart needs to continue an attack. */
export interface Continuation {
  /** Prefix length of the network that is attacked, bits. */
  networkLength?: number
  /** First addresses of the /24s of an area. */
  wholes?: number[]
  waitedSeconds: number
  isProvisional: boolean
  /** Vectors, the one that names the attack first: key of the class (vectors/class-keys.ts), label, rate below which it is quiet in packets a second. */
  parts: { key: number; label: string | null; quietBelow: number }[]
}

/** What every report has; the amounts are those of the whole attack so far, and normal is that of its beginning. */
export interface IncidentState extends Amount, NormalNumbers {
  /** Id of the incident, the same in all its reports. */
  incident: string
  /** IPv4 address of the victim; in an attack on a network, the hardest hit, or one hit as hard. */
  address: number
  /** Addresses of an attacked network that are hit or were, the hardest hit first, without those with an incident of their own; empty: `address` alone. */
  victims: Victim[]
  /** All of them by /24; `victims` has the hardest hit ones of each /24 where there are very many. */
  networks: VictimNetwork[]
  /** Its vectors, the largest part first. */
  vectors: VectorShare[]
  /** `attack_type` label; null for a spike of unknown kind. */
  label: string | null
  /** Beginning and end so far, Unix milliseconds. */
  startMs: number
  endMs: number
  worst: Worst
  /** The latest episode. */
  episode: Episode
  /** Whether it is quiet, while its end is not reported yet. */
  isQuiet: boolean
  /** Rate over normal of what crossed its line; finite. */
  deviation: number
  why: Why[]
  followed: Continuation
}

/** An attack as it was when the service stopped, to be continued. */
export type ResumedIncident = IncidentState & {
  /** When its end was reported, Unix milliseconds; null: it went on. */
  endedMs: number | null
  details: IncidentDetails
}

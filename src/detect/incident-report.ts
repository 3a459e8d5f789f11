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

/** Of an exporter, likewise. */
export interface ExporterEntry {
  /** IPv4 or IPv6; empty: those that there was no number for. */
  address: string
  flows: number
  packets: number
  bytes: number
}

/** An interface of an exporter, likewise. */
export interface InterfaceEntry extends ExporterEntry {
  /** As SNMP has it. */
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
  /** 1 of how many packets; 0: not known. */
  samplingRate: number
  /** Empty: see `ExporterEntry`. */
  exporter: string
}

export type ListName = Exclude<Dimension, 'exporter' | 'ingress' | 'egress'>

/** What an attack consists of: everything that came to the target from its beginning on. Lists have the heaviest items, by flows. */
export type Statistics = { [D in ListName]: StatisticEntry[] } & {
  exporter: ExporterEntry[]
  /** By which interfaces the packets came in and left; records that do not say so are in neither. */
  ingress: InterfaceEntry[]
  egress: InterfaceEntry[]
  /** By list: an item may have so many flows more than is told of it, or as many and not be in the list. 0: the list is exact. */
  flowsMissedMax: { [D in Dimension]: number }
  /** How many different sources there are; `error`: the standard deviation of an estimate, over what it is of; 0: counted. */
  sources: { distinct: number; error: number }
  samples: SampleRecord[]
}

/** Rates over time, an average for each step. */
export interface CourseRates {
  packetsPerSecond: number[]
  bytesPerSecond: number[]
  flowsPerSecond: number[]
}

/** What lies between surprises nobody. Per second: packets, where nothing else is said. */
export interface NormalBand {
  low: number
  high: number
}

/** How the traffic went, from a minute before the attack to its end (so far). */
export interface Course {
  /** Where the first step begins, Unix milliseconds. */
  fromMs: number
  /** The longer the attack, the longer are the steps; the last one may not be whole yet. */
  stepSeconds: number
  /** All traffic of the target, and that of the attack's class. */
  total: CourseRates
  attack: CourseRates
  /** Null: it is not learnt. */
  normal: { total: NormalBand; attack: NormalBand } | null
}

/** What there is much of in a report. */
export interface IncidentDetails {
  statistics: Statistics
  course: Course
  /** The lists of the latest episode; null: it is the first, and they are those of the whole attack. */
  ofEpisode: Statistics | null
}

/** Nothing is known, or not yet. */
export const noStatistics: Statistics = {
  dstport: [],
  srcport: [],
  srcip: [],
  proto: [],
  flags: [],
  length: [],
  sourceAs: [],
  exporter: [],
  ingress: [],
  egress: [],
  flowsMissedMax: {
    dstport: 0,
    srcport: 0,
    srcip: 0,
    proto: 0,
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
  /** Which of its addresses: see net/address-bits.ts. */
  addresses: string
  /** Of all of them together, as of each victim. */
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
  /** The part of all packets to the target, 0 to 1; all vectors of an attack have 1 together at most. */
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

/** How long an attack was there, and its averages over that time. */
export interface Amount {
  /** Seconds in which the attack was there: its pauses are left out. */
  activeSeconds: number
  /** Averages over the active seconds, scaled by the sampling rate (flows: records as received). */
  bytesPerSecond: number
  packetsPerSecond: number
  flowsPerSecond: number
  peak: Peak
}

/** The highest averages that an episode of an attack has, of packets and of bytes: a later, weaker episode does not make the attack less severe. */
export interface Worst {
  packetsPerSecond: number
  bytesPerSecond: number
}

/** A stretch of an attack, from where it began, or came back, to the end that was reported. */
export interface Episode extends Amount {
  /** 0 is the first. */
  number: number
  /** Unix milliseconds; `endMs`: where it was last seen so far. */
  startMs: number
  endMs: number
}

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
  /** Likewise. */
  band: NormalBand | null
  /** How certain the value is: the standard deviation that sampling gives it, over the value; 0: nothing was sampled. */
  error: number
  /** Where the threshold comes from: `absolute`, `prefix <cidr>`, `site` or `baseline`. */
  source: string
}

/**
 * The first is `opened`. `ended`: it is quiet, and may be `reopened`; `closed`, the last: it will not be any more. Details are null when it is another
 * attack's turn (see report-turns.ts).
 */
export type IncidentReport = IncidentState &
  (
    | { phase: 'opened' | 'updated' | 'reopened'; details: IncidentDetails | null }
    | { phase: 'ended' | 'closed'; details: IncidentDetails }
  )

/** What is needed to follow it on after a restart. */
export interface Followed {
  /** Of an attack on a network: of its prefix, in bits. */
  networkLength?: number
  /** Of one on several /24s: their first addresses. */
  wholes?: number[]
  waitedSeconds: number
  isProvisional: boolean
  /** Its vectors, the heaviest first: the key of the class (see vectors/class-keys.ts), the label, packets a second below which it is quiet. */
  parts: { key: number; label: string | null; quietBelow: number }[]
}

/** What every report says; the amounts are those of the whole attack so far. */
export interface IncidentState extends Amount {
  /** Stable through the incident's life; the same for every report about it. */
  incident: string
  /** IPv4 address of the victim; of several, that of the one that was first seen to get as much as any. */
  address: number
  /** Of an attack on a network: those of its addresses that are hit or were, the hardest hit first, without those with an incident of their own. Empty: `address` alone is. */
  victims: Victim[]
  /** Likewise, all of them; `victims` has the hardest hit ones of each /24 where there are very many. */
  networks: VictimNetwork[]
  /** What it consists of the largest part first. */
  vectors: VectorShare[]
  /** `attack_type` label; null for a spike of unknown kind. */
  label: string | null
  /** When it began and (so far) last was seen in the traffic, Unix milliseconds. */
  startMs: number
  endMs: number
  worst: Worst
  /** The latest. */
  episode: Episode
  /** Nothing of it was seen for some seconds, and its end is not reported yet. */
  isQuiet: boolean
  /** Of what crossed its line, current over normal; finite. */
  deviation: number
  /** What was normal for all traffic of the victim when it began; null: it was not learnt. */
  normalPacketsPerSecond: number | null
  why: Why[]
  followed: Followed
}

/** An attack as it was when the service stopped, to go on with. */
export type ResumedIncident = IncidentState & {
  /** Null: it went on. Unix time, milliseconds. */
  endedMs: number | null
  details: IncidentDetails
}

// The counters of the decoders: fixed structs of numbers, for each stream and for the decoder as a whole. Metrics read them when they are scraped.

/** Counters of one stream, an observation domain of an exporter. */
export interface StreamCounters {
  datagrams: number
  bytes: number
  /** Flow records. */
  records: number
  /** Records that were only counted: their destination is not watched. */
  recordsPassed: number
  /** Records of IPv6, which are decoded, and whose destinations are not watched. */
  records6: number
  /** Flow records of two directions (RFC 5103) whose way back was handed on as well, beside `records`. */
  reverseRecords: number
  /** Flow records without a destination address. */
  recordsWithoutAddress: number
  /** Records whose counters run from the beginning of their flow, and from which the amounts of earlier records were subtracted. */
  totalsContinued: number
  /** Records that were read, of packets as they left, which other records had counted as they came in: left out of all that is counted by address. */
  egressAgain: number
  optionRecords: number
  /** Templates that were new or had changed. */
  templates: number
  templatesWithdrawn: number
  /** Templates that were refused: malformed, or too long. */
  templatesRefused: number
  /** Fields of those templates that are not understood; they are skipped by their length. */
  unknownFields: number
  /** Data sets that came before their template and wait for it; the next five counters are their outcomes. */
  setsWithoutTemplate: number
  /** Decoded when the template came. */
  setsDecodedLate: number
  /** Given up: the template took too long. */
  setsExpired: number
  /** Given up: too much waited for the templates of their stream. */
  setsCrowdedOut: number
  /** Given up: too much waited in all streams together. */
  setsOverflowed: number
  /** Given up: the template that came was another one, since theirs was withdrawn or the exporter had restarted. */
  setsOutdated: number
  /** Sets with an impossible length or number. */
  badSets: number
  /** Datagrams, sets or samples that end too early. */
  truncated: number
  /** sFlow: samples without an IP packet, and samples and records of other kinds. */
  samplesSkipped: number
  /** Breaks in the sequence numbers, and how many datagrams (NetFlow v9, sFlow) or records (NetFlow v5, IPFIX) they stand for. */
  sequenceGaps: number
  sequenceLost: number
  /** Times that its exporter seems to have restarted, by its uptime or its sequence numbers. */
  restarts: number
  /** Records that were read, from an exporter that samples at an unknown rate. */
  samplingUnknown: number
  /** Large changes of sampling rates: told for the first time, told again so that they count, and contradicted by the rate before. */
  samplingWaits: number
  samplingConfirmed: number
  samplingContradicted: number
  /** Records that were read, with impossible times, which were moved to the time of receipt. */
  timesReplaced: number
}

export function createStreamCounters(): StreamCounters {
  return {
    datagrams: 0,
    bytes: 0,
    records: 0,
    recordsPassed: 0,
    records6: 0,
    reverseRecords: 0,
    recordsWithoutAddress: 0,
    totalsContinued: 0,
    egressAgain: 0,
    optionRecords: 0,
    templates: 0,
    templatesWithdrawn: 0,
    templatesRefused: 0,
    unknownFields: 0,
    setsWithoutTemplate: 0,
    setsDecodedLate: 0,
    setsExpired: 0,
    setsCrowdedOut: 0,
    setsOverflowed: 0,
    setsOutdated: 0,
    badSets: 0,
    truncated: 0,
    samplesSkipped: 0,
    sequenceGaps: 0,
    sequenceLost: 0,
    restarts: 0,
    samplingUnknown: 0,
    samplingWaits: 0,
    samplingConfirmed: 0,
    samplingContradicted: 0,
    timesReplaced: 0,
  }
}

/** All records: of flows, with or without an address, and of options. */
export function recordsOf({ records, optionRecords, recordsWithoutAddress }: StreamCounters): number {
  return records + optionRecords + recordsWithoutAddress
}

const streamCounterNames = namesOf(createStreamCounters())

/** Object.keys with the type of the keys: these objects have no other keys than their type. */
export function namesOf(counters: StreamCounters): (keyof StreamCounters)[] {
  return Object.keys(counters) as (keyof StreamCounters)[]
}

export function addCounters(to: StreamCounters, counters: StreamCounters): void {
  for (const name of streamCounterNames) to[name] += counters[name]
}

/** Counters of a decoder: what belongs to no stream, and what the bounds refused. */
export interface DecoderCounters {
  datagrams: number
  bytes: number
  /** Datagrams of no protocol that is understood. */
  unknownVersion: number
  /** Datagrams of versions that are known and refused: NetFlow v8 has aggregates without a destination, the others are long out of use. */
  netflow1: number
  netflow6: number
  netflow7: number
  netflow8: number
  sflow2: number
  sflow4: number
  /** Datagrams shorter than their header. */
  tooShort: number
  /** Streams forgotten to make room. */
  streamsEvicted: number
  /** Templates forgotten to make room. */
  templatesEvicted: number
  /** Saved templates that were useless after a restart because the exporter had restarted as well. */
  templatesOutdated: number
  /** Samplers refused by the bound of a stream, and forgotten to make room in that of all. */
  samplersRefused: number
  samplersEvicted: number
  /** Datagrams that were read late: dated by the clock of their exporter, and left out since that was not known, or long ago. */
  datagramsDated: number
  datagramsLeftOut: number
  /** Datagrams that met a bug in a decoder. */
  failures: number
}

export function createDecoderCounters(): DecoderCounters {
  return {
    datagrams: 0,
    bytes: 0,
    unknownVersion: 0,
    netflow1: 0,
    netflow6: 0,
    netflow7: 0,
    netflow8: 0,
    sflow2: 0,
    sflow4: 0,
    tooShort: 0,
    streamsEvicted: 0,
    templatesEvicted: 0,
    templatesOutdated: 0,
    samplersRefused: 0,
    samplersEvicted: 0,
    datagramsDated: 0,
    datagramsLeftOut: 0,
    failures: 0,
  }
}

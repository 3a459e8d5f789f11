// The information elements that Floodgauge understands (IANA "IP Flow Information Export (IPFIX) Entities"; NetFlow v9 field types have the same
// numbers). Any other is skipped by its length. To understand one more, add a row.
import type { Encoding } from './copy.ts'
import type { WorkName } from './scratch.ts'

export interface Element {
  id: number
  /** Private enterprise number; 0, or left out: IANA's own. */
  pen?: number
  name: string
  /** A column of flows (src/flow/columns.ts), or one that others are made of (scratch.ts). */
  column: WorkName
  /** The element with the lowest rank fills a column; among equals the last one in the template. */
  rank?: number
  /** How many octets the column takes, the lowest ones; all that it has room for when left out. */
  octets?: number
  encoding?: Encoding
  /** A counter that runs from the beginning of the flow, not from the last record of it. */
  total?: boolean
  /** What a time counts from, when it is not 1970: the exporter's start, or (backwards) the moment of export. */
  basis?: 'uptime' | 'beforeExport'
}

/** Elements that hold the first octets of a sampled packet (PSAMP, RFC 5477 section 8.5), which are read as those of sFlow are. */
export const sections: readonly { id: number; name: string; from: 'ethernet' | 'ip' }[] = [
  { id: 313, name: 'ipHeaderPacketSection', from: 'ip' },
  { id: 315, name: 'dataLinkFrameSection', from: 'ethernet' },
  { id: 104, name: 'layer2packetSectionData', from: 'ethernet' },
]

/** CERT's flow meter YAF. */
const yaf = 6871

/** RFC 5103: of elements that count the way back. */
export const reversePen = 29_305

export const elements: readonly Element[] = [
  { id: 1, name: 'octetDeltaCount', column: 'bytes' },
  { id: 85, name: 'octetTotalCount', column: 'bytes', rank: 1, total: true },
  { id: 231, name: 'initiatorOctets', column: 'bytes', rank: 2 },
  { id: 23, name: 'postOctetDeltaCount', column: 'bytes', rank: 3 },
  { id: 171, name: 'postOctetTotalCount', column: 'bytes', rank: 4, total: true },
  { id: 352, name: 'layer2OctetDeltaCount', column: 'bytes', rank: 5 },
  { id: 353, name: 'layer2OctetTotalCount', column: 'bytes', rank: 6, total: true },
  { id: 312, name: 'dataLinkFrameSize', column: 'bytes', rank: 7 },
  // Elements of records with drops only.
  { id: 132, name: 'droppedOctetDeltaCount', column: 'bytes', rank: 8 },
  { id: 134, name: 'droppedOctetTotalCount', column: 'bytes', rank: 9, total: true },
  // Elements of records of single packets.
  { id: 224, name: 'ipTotalLength', column: 'bytes', rank: 10 },
  { id: 190, name: 'totalLengthIPv4', column: 'bytes', rank: 11 },

  { id: 2, name: 'packetDeltaCount', column: 'packets' },
  { id: 86, name: 'packetTotalCount', column: 'packets', rank: 1, total: true },
  { id: 298, name: 'initiatorPackets', column: 'packets', rank: 2 },
  { id: 24, name: 'postPacketDeltaCount', column: 'packets', rank: 3 },
  { id: 172, name: 'postPacketTotalCount', column: 'packets', rank: 4, total: true },
  { id: 133, name: 'droppedPacketDeltaCount', column: 'packets', rank: 5 },
  { id: 135, name: 'droppedPacketTotalCount', column: 'packets', rank: 6, total: true },

  { id: 8, name: 'sourceIPv4Address', column: 'srcAddr', encoding: 'ipv4' },
  { id: 12, name: 'destinationIPv4Address', column: 'dstAddr', encoding: 'ipv4' },
  { id: 27, name: 'sourceIPv6Address', column: 'src6' },
  { id: 28, name: 'destinationIPv6Address', column: 'dst6' },
  { id: 60, name: 'ipVersion', column: 'versionField', octets: 1 },

  { id: 4, name: 'protocolIdentifier', column: 'ipProto', octets: 1 },
  { id: 7, name: 'sourceTransportPort', column: 'srcPort', octets: 2 },
  { id: 180, name: 'udpSourcePort', column: 'srcPort', rank: 1, octets: 2 },
  { id: 182, name: 'tcpSourcePort', column: 'srcPort', rank: 1, octets: 2 },
  { id: 11, name: 'destinationTransportPort', column: 'dstPort', octets: 2 },
  { id: 181, name: 'udpDestinationPort', column: 'dstPort', rank: 1, octets: 2 },
  { id: 183, name: 'tcpDestinationPort', column: 'dstPort', rank: 1, octets: 2 },
  { id: 6, name: 'tcpControlBits', column: 'tcpFlags', octets: 1 },
  { id: 14, pen: yaf, name: 'initialTCPFlags', column: 'firstFlags', octets: 1 },
  { id: 15, pen: yaf, name: 'unionTCPFlags', column: 'laterFlags', octets: 1 },
  { id: 32, name: 'icmpTypeCodeIPv4', column: 'icmpTypeCode', octets: 2 },
  { id: 139, name: 'icmpTypeCodeIPv6', column: 'icmpTypeCode', octets: 2 },
  { id: 176, name: 'icmpTypeIPv4', column: 'icmpType', octets: 1 },
  { id: 177, name: 'icmpCodeIPv4', column: 'icmpCode', octets: 1 },
  { id: 178, name: 'icmpTypeIPv6', column: 'icmpType', octets: 1 },
  { id: 179, name: 'icmpCodeIPv6', column: 'icmpCode', octets: 1 },
  { id: 233, name: 'firewallEvent', column: 'firewallEvent', octets: 1 },
  { id: 40_005, name: 'NF_F_FW_EVENT', column: 'firewallEvent', rank: 1, octets: 1 },
  { id: 88, name: 'fragmentOffset', column: 'fragmentOffset', octets: 2 },
  { id: 197, name: 'fragmentFlags', column: 'fragmentFlags', octets: 1 },

  { id: 152, name: 'flowStartMilliseconds', column: 'startMs' },
  { id: 153, name: 'flowEndMilliseconds', column: 'endMs' },
  { id: 156, name: 'flowStartNanoseconds', column: 'startMs', rank: 1, encoding: 'ntpNano' },
  { id: 157, name: 'flowEndNanoseconds', column: 'endMs', rank: 1, encoding: 'ntpNano' },
  { id: 154, name: 'flowStartMicroseconds', column: 'startMs', rank: 2, encoding: 'ntpMicro' },
  { id: 155, name: 'flowEndMicroseconds', column: 'endMs', rank: 2, encoding: 'ntpMicro' },
  {
    id: 158,
    name: 'flowStartDeltaMicroseconds',
    column: 'startMs',
    rank: 3,
    encoding: 'micros',
    basis: 'beforeExport',
  },
  { id: 159, name: 'flowEndDeltaMicroseconds', column: 'endMs', rank: 3, encoding: 'micros', basis: 'beforeExport' },
  { id: 22, name: 'flowStartSysUpTime', column: 'startMs', rank: 4, octets: 4, basis: 'uptime' },
  { id: 21, name: 'flowEndSysUpTime', column: 'endMs', rank: 4, octets: 4, basis: 'uptime' },
  { id: 150, name: 'flowStartSeconds', column: 'startMs', rank: 5, encoding: 'seconds' },
  { id: 151, name: 'flowEndSeconds', column: 'endMs', rank: 5, encoding: 'seconds' },
  { id: 359, name: 'monitoringIntervalStartMilliSeconds', column: 'startMs', rank: 6 },
  { id: 360, name: 'monitoringIntervalEndMilliSeconds', column: 'endMs', rank: 6 },
  // Records of an event rather than a flow (NSEL, NAT) have one time.
  { id: 323, name: 'observationTimeMilliseconds', column: 'endMs', rank: 7 },
  { id: 324, name: 'observationTimeMicroseconds', column: 'endMs', rank: 8, encoding: 'ntpMicro' },
  { id: 325, name: 'observationTimeNanoseconds', column: 'endMs', rank: 8, encoding: 'ntpNano' },
  { id: 322, name: 'observationTimeSeconds', column: 'endMs', rank: 9, encoding: 'seconds' },
  { id: 160, name: 'systemInitTimeMilliseconds', column: 'bootMs' },
  { id: 161, name: 'flowDurationMilliseconds', column: 'durationMs' },
  { id: 162, name: 'flowDurationMicroseconds', column: 'durationMs', rank: 1, encoding: 'micros' },

  { id: 34, name: 'samplingInterval', column: 'samplingInterval' },
  { id: 50, name: 'samplerRandomInterval', column: 'samplingInterval' },
  { id: 305, name: 'samplingPacketInterval', column: 'packetsTaken' },
  { id: 306, name: 'samplingPacketSpace', column: 'packetsSkipped' },
  { id: 309, name: 'samplingSize', column: 'samplingSize' },
  { id: 310, name: 'samplingPopulation', column: 'samplingPopulation' },
  { id: 311, name: 'samplingProbability', column: 'samplingProbability', encoding: 'float' },
  { id: 48, name: 'samplerId', column: 'samplerId' },
  { id: 302, name: 'selectorId', column: 'samplerId', rank: 1 },
  { id: 301, name: 'selectionSequenceId', column: 'selectionSequence' },
  { id: 10, name: 'ingressInterface', column: 'ingressInterface', octets: 4 },
  { id: 14, name: 'egressInterface', column: 'egressInterface', octets: 4 },
  { id: 16, name: 'bgpSourceAsNumber', column: 'sourceAs', octets: 4 },
  { id: 129, name: 'bgpPrevAdjacentAsNumber', column: 'sourceAs', rank: 1, octets: 4 },
  { id: 61, name: 'flowDirection', column: 'direction', octets: 1 },
  { id: 145, name: 'templateId', column: 'scopeTemplate', octets: 2 },
]

/**
 * Elements of the way back that RFC 5103 does not make from one of the above. The responder's counters of a firewall (Cisco NSEL, RFC 7012's
 * initiator and responder) are of the rank of the initiator's. YAF marks its own reverse elements by a bit of their number.
 */
export const reverseElements: readonly Element[] = [
  { id: 232, name: 'responderOctets', column: 'bytes', rank: 2 },
  { id: 299, name: 'responderPackets', column: 'packets', rank: 2 },
  { id: 17, name: 'bgpDestinationAsNumber', column: 'sourceAs', octets: 4 },
  { id: 128, name: 'bgpNextAdjacentAsNumber', column: 'sourceAs', rank: 1, octets: 4 },
  { id: 21, pen: yaf, name: 'reverseFlowDeltaMilliseconds', column: 'reverseDelayMs' },
  { id: 14 + 0x4000, pen: yaf, name: 'reverseInitialTCPFlags', column: 'firstFlags', octets: 1 },
  { id: 15 + 0x4000, pen: yaf, name: 'reverseUnionTCPFlags', column: 'laterFlags', octets: 1 },
]

/** ntop's nProbe counts the way back in what are egress counters to all others. It is known by elements of its own. */
export const ntopElements: { pen: number; reverse: readonly Element[] } = {
  pen: 35_632,
  reverse: [
    { id: 23, name: 'OUT_BYTES', column: 'bytes' },
    { id: 24, name: 'OUT_PKTS', column: 'packets' },
  ],
}

/** NetFlow v9 has no enterprise numbers: there ntop's elements count from here. */
export const ntopV9Base = 57_472

/**
 * Elements that are known, and of no use here on purpose, unless they have a row above. The victim is where a packet was sent to when it
 * reached the exporter: addresses and ports after translation (225 to 228, 281, 282) are not. What the exporter did with a packet (89) does
 * not matter: an attack that is dropped is one. Lists (RFC 6313: 291 to 293) are skipped by their length.
 */
export const leftOut: readonly { pen: number; first: number; last: number; name: string }[] = [
  { pen: 0, first: 1, last: 530, name: 'IANA' },
  { pen: 0, first: 33_000, last: 33_002, name: 'Cisco ASA: access lists, events' },
  { pen: 0, first: 40_000, last: 40_005, name: 'Cisco ASA: users, translation' },
  { pen: 0, first: 56_701, last: 56_702, name: 'Palo Alto: application, user' },
  { pen: 0, first: ntopV9Base, last: ntopV9Base + 1023, name: 'ntop, in NetFlow v9' },
  { pen: 6_876, first: 880, last: 898, name: 'VMware and Open vSwitch: tunnels' },
  { pen: ntopElements.pen, first: 0, last: 32_767, name: 'ntop' },
  { pen: reversePen, first: 0, last: 32_767, name: 'the way back' },
]

/** A template's field type as one number: enterprise number and element id. */
export function elementKey(pen: number, id: number): number {
  return pen * 65_536 + id
}

/** Rows by key. */
export function indexElements(rows: readonly Element[]): ReadonlyMap<number, Element> {
  return new Map(rows.map((row) => [elementKey(row.pen ?? 0, row.id), row]))
}

// The id of an incident: made of where it began, its address and its traffic class, so that two runs over one capture give the same ids.
import { wholeLength } from '../rates/network-sums.ts'

/** Added for each bit by which a network is longer than a /24; more than there are traffic classes. */
const lengthKind = 0x0100_0000
/** Added for networks: an address may be attacked for itself, and stand for its networks. */
const networkKind = 0x8000_0000

interface Place {
  address: number
  /** Prefix length, bits; 32: a single address. */
  length: number
  trafficClass: number
}

/** 24 hexadecimal digits: the second of the beginning, the address, the kind. */
export function incidentId(startSecond: number, { address, length, trafficClass }: Place): string {
  const kind = length < 32 ? trafficClass + networkKind + (length - wholeLength) * lengthKind : trafficClass
  return [startSecond, address, kind].map((part) => part.toString(16).padStart(8, '0')).join('')
}
